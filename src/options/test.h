/* The options of one test. These are values only; the plan decides what will be done. */
#ifndef OPTIONS_TEST_H
#define OPTIONS_TEST_H

#include <stdbool.h>
#include <stdint.h>

#include "options/option.h"

/* The behaviour where iorx and IOR differ. */
enum semantics { SEMANTICS_IORX, SEMANTICS_IOR };

/* The content that is written. */
enum content_kind {
	CONTENT_STAMPED, /* random bytes that repeat every MiB, and stamps */
	CONTENT_RANDOM,	 /* random bytes everywhere, and stamps */
	CONTENT_ZEROS,
	CONTENT_FILE,	    /* a file's bytes, again and again */
	CONTENT_IOR,	    /* what IOR writes */
	CONTENT_IOR_OFFSET, /* what IOR writes with -l o */
};

/* The choice of tasks if not all take part. */
enum placement_kind {
	PLACEMENT_FIRST,  /* tasks with the lowest numbers */
	PLACEMENT_PACKED, /* node after node */
	PLACEMENT_SPREAD, /* one of each node, then the second of each … */
};

/* Sizes are per task (weak scaling) or of all tasks together (strong scaling). */
enum scaling { SCALING_WEAK, SCALING_STRONG };

enum cold { COLD_NONE, COLD_FADVISE, COLD_DROP_CACHES, COLD_COMMAND };

/*
 * Members are named like the options; test_options.c has the rows. Sizes in bytes, times in
 * seconds.
 */
struct test {
	/* what is measured */
	const char *api; /* name of the backend */
	const char *test_file;
	uint64_t block_size;
	uint64_t transfer_size;
	uint64_t segment_count;
	bool write_file; /* none of -w -r -W -R given: both, settled by job_complete() */
	bool read_file;
	bool file_per_proc;
	bool unique_dir;
	bool multi_file;
	const char *name;     /* of the test in results; NULL: none */
	bool alone;	      /* a member of a set runs once more after it, alone */
	uint64_t copies;      /* of the members of a set, at the same time */
	uint64_t num_tasks;   /* 0: all */
	int placement;	      /* enum placement_kind */
	const char *nodes;    /* of a member of a set, "0-3,7"; NULL: all */
	int scaling;	      /* enum scaling */
	uint64_t repetitions; /* 0: until the numbers are as precise as is asked for */
	uint64_t warmup;
	uint64_t max_repetitions;
	double precision;	    /* a share of the median */
	double budget, node_budget; /* node_budget: time times nodes; 0: none */
	int64_t num_nodes;	    /* as the caller believes; below 1: not said */
	int64_t num_tasks_on_node_0;
	int semantics; /* enum semantics */

	/* how */
	bool collective;
	bool strided;
	uint64_t queue_depth;
	uint64_t queue_batch;
	unsigned random_offset; /* enum order_kind */
	int64_t random_offset_seed;
	uint64_t random_prefill; /* bytes of a piece; 0: none */
	bool fsync;
	bool fsync_per_write;
	bool reorder_tasks;
	uint64_t task_per_node_offset;
	unsigned reorder_tasks_random; /* 1: by a random distance, 2: any permutation */
	int64_t reorder_random_seed;
	bool check_write;
	bool check_read; /* needs read_file, settled by job_complete() */
	bool intra_test_barriers;
	const char *memory_per_node; /* "64g" or "80%"; NULL: none */
	uint64_t memory_per_task;
	double inter_test_delay;
	uint64_t inter_io_delay; /* us */
	bool single_xfer_attempt;

	/* for how long */
	double stonewall; /* 0: none, as below */
	bool wear_out;
	uint64_t wear_out_iterations; /* transfers of a task */
	double wear_out_limit;
	const char *status_file;
	double duration;
	double min_time_duration;
	double max_time_duration; /* minutes */
	int cold;		  /* enum cold */
	const char *cold_command;

	/* what is written */
	int content;		 /* enum content_kind */
	double content_compress; /* share */
	uint64_t content_dedup;
	uint64_t content_dedup_block;
	const char *content_file;
	int64_t content_seed; /* 0: from the time */

	/* files */
	bool keep_file;
	bool keep_file_with_error;
	bool use_existing_test_file;
	bool replace;
	bool dual_mount;

	/* what is said */
	double outlier_threshold; /* 0: not looked for */
	int64_t ref_num;
};

/* Fewer repetitions give no 99 % interval of the median, which repetitions=auto goes by. */
enum { TEST_PRECISE_LEAST = 8 };

/* Upper bound of the number of repetitions, with warm-ups. */
static inline uint64_t test_repetitions_most(const struct test *test)
{
	return test->warmup + (test->repetitions ? test->repetitions : test->max_repetitions);
}

/* Least number of repetitions, with warm-ups, whatever is measured. */
static inline uint64_t test_repetitions_least(const struct test *test)
{
	if (test->budget > 0 || test->node_budget > 0)
		return 1;
	return test->warmup + (test->repetitions ? test->repetitions : TEST_PRECISE_LEAST);
}

/* The options of the whole job; run_options.c has the rows. */
struct run {
	const char *script; /* -f FILE */
	const char *set;    /* NAME.KEY=VALUE; the last one, the command line applies each */
	const char *define; /* NAME=VALUE; the last one, see dialects/definitions.c */
	unsigned verbose;
	bool quiet;
	int format; /* enum text_format */
	int unit;   /* enum unit */
	bool dry_run;
	bool show_plan;
	bool force; /* go on although the plan needs more space than is free */
	/* command line only: a launcher may start several jobs of one task */
	bool allow_separate_jobs;
	bool allow_overwrite; /* command line only: files that iorx did not make may be replaced */
	bool allow_private;   /* command line only: job files may name files not all may read */
	bool allow_commands;  /* command line only: job files may name commands to run */
	bool exact_tasks;     /* a test never runs on fewer tasks than it wants */
	bool allow_sharing;   /* other jobs that allow it may use the same files */
	bool strict;
	bool warning_as_errors;
	int order;	/* enum point_order */
	bool anonymize; /* names of hosts, users and paths become hashes in results */
	/* "+30m", seconds since the epoch, or "2026-11-20T18:00:00"; see plan/deadline.h */
	const char *deadline;
	const char *resume; /* a journal; "": that of the document; NULL: no job goes on */
	bool resume_anyway; /* also if the job is another */
	double hang_after;  /* 0: only after a failure */
	int clock;	    /* enum clock_source */
	const char *output; /* files to write, separated by commas: .json .csv .txt */
	const char *summary_file;
	int progress; /* enum progress_mode */
	const char *task_table;
	const char *operation_tables; /* what their names begin with */
	int summary_format;	      /* enum summary_format */
	/* what is possible; speeds in bytes per second, 0: not given */
	int limits;	      /* enum limits_mode */
	double limit_network; /* of each node */
	double limit_server, limit_device;
	uint64_t limit_servers, limit_devices;
	const char *site_file; /* command line only */
	/* asked about, then done */
	const char *help; /* "" for all, else a prefix or option name; NULL: not asked */
	bool version;
	bool list_backends;
	const char *finish; /* a journal to be made into a document */
};

/* The points of a study: all in each repetition, or each with all its repetitions. */
enum point_order { ORDER_IN_TURNS, ORDER_ONE_BY_ONE };

/* The live line: where standard output ends on a terminal, anywhere, nowhere. */
enum progress_mode { PROGRESS_AUTO, PROGRESS_ON, PROGRESS_OFF };

/* How the text looks: ours, or as scripts for IOR or mdtest take it apart. */
enum text_format { FORMAT_TEXT, FORMAT_IOR, FORMAT_MDTEST, FORMAT_MDTEST_COLON };

/* Whether rates are judged by limits, and whether limits are measured before tests. */
enum limits_mode { LIMITS_GIVEN, LIMITS_MEASURE, LIMITS_ONLY, LIMITS_OFF };

/* The unit of rates in the text, 1024-based or 1000-based. */
enum unit { UNIT_MIB, UNIT_MB, UNIT_GIB, UNIT_GB };

enum summary_format { SUMMARY_DEFAULT, SUMMARY_JSON, SUMMARY_CSV };

extern const struct option_table test_options;
extern const struct option_table run_options;

#endif
