/*
 * The model of what happened, with one meaning of each number. Each formula is one function of
 * result.c and has the same words in doc/measurement.md. The model lives on task 0. Rates are bytes
 * per second, times seconds, service times ns.
 */
#ifndef RESULT_RESULT_H
#define RESULT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "measure/failure.h"
#include "measure/measure.h"
#include "options/job.h"
#include "plan/series.h"
#include "result/outliers.h"
#include "result/measured.h"
#include "result/possible.h"
#include "result/slow.h"
#include "statistics/repetitions.h"
#include "statistics/run_mean.h"
#include "statistics/steady.h"

enum phase_status {
	PHASE_COMPLETE,
	PHASE_FAILED,  /* an operation failed, or data was lost */
	PHASE_STOPPED, /* stopped by a signal or the deadline; its numbers cover the part done */
	PHASE_SKIPPED, /* not started: the deadline was too near */
};

const char *phase_status_name(enum phase_status status); /* "complete", … */

/* The times of section "Intervals" of doc/measurement.md. They overlap and need not add up. */
struct intervals {
	double open, transfer, sync, close;
	double durable; /* first issue to last sync end; 0 where not everything was synced */
	double total;	/* first begin to last close end */
	double window;	/* measured window of a load, which its rates go by; else 0 */
};

/* State when the time (-D or duration) was up. seconds 0: the end of the time stopped no task. */
struct stonewall {
	double limit;	/* s, as requested */
	double seconds; /* first issue to last completion of transfers issued in time */
	double rate;	/* bytes / seconds */
	bool wears_out; /* all tasks went on to the count of the fastest */
};

/* Spread of the tasks' p99 service times, over the tasks that have a p99. */
struct p99_spread {
	uint64_t tasks; /* tasks with enough operations; 0: none, all else is 0 */
	uint64_t min_ns, median_ns, max_ns;
	uint32_t task, node; /* owner of the longest p99 */
};

/*
 * Little's law: rate x mean service time = transfers in flight. Divided by the tasks' slots (tasks
 * x queue depth) this is the busy share. Where tasks only make one transfer at a time, service
 * times and content must add up to the tasks' own times.
 */
struct concurrency {
	double in_flight; /* mean over the transfer time, all tasks; 0: no transfers */
	double busy_share;
	/* (service times + content) / the tasks' own transfer times; 0: does not apply */
	double accounted;
};

/* The mean transfer rate, bytes/s, as this phase alone tells it. */
struct within {
	struct run_mean run;
	double slice_seconds;  /* length of each of its values */
	double change_seconds; /* from the begin of the phase to the largest change of level */
};

/* How the lateness of operations at a rate, issue minus due moment, went with the due moments. */
struct lateness {
	bool known;	       /* false: no rate, or too few operations or too short a phase */
	bool drifts;	       /* it follows a line, and neither noise nor changes of level */
	double drift_ns_per_s; /* median of the slopes between all pairs of slices */
	double seconds;	       /* from the first to the last of these slices */
};

enum reads_counted { READS_UNKNOWN, READS_COUNTED, READS_NOT_COUNTED };

/* What a trial on a small file said about the evidence that this file system gives. */
struct trial {
	enum reads_counted reads; /* by read_bytes of /proc/self/io; UNKNOWN: no trial */
	bool pages_seen;	  /* cachestat(2) sees the pages of its files */
	double pilot_ns;	  /* mean read of one task from cold storage; 0: not known */
	double floor_ns;	  /* shortest 4 KiB read from cold storage; 0: not known */
	double hot_ns;		  /* shortest of the same reads again */
};

/* Whether a load came to the steady state that it was asked for. */
struct steady_outcome {
	bool asked;
	bool known; /* the window was full at least once; else `state` is empty */
	bool reached;
	double after_s; /* since the begin of the measured time */
	struct steady_state state;
};

struct phase_result {
	unsigned test;
	unsigned index; /* index in the plan's phases */
	enum phase_kind kind;
	uint64_t repetition; /* from 0 */
	bool warmup;	     /* shown, but in no summary */
	enum phase_status status;
	struct timespec began; /* wall clock of task 0 when the first task left the start */

	struct intervals seconds;
	double transfer_rate; /* bytes / transfer */
	double durable_rate;  /* bytes / durable; 0 where not everything was synced */
	double total_rate;    /* bytes / total, IOR's bw; for metadata phases operations / total */
	double sum_rate;      /* sum of the tasks' own rates */
	double operations_rate;	  /* operations / phase_headline_seconds() */
	double straggler_loss;	  /* 1 - rate / sum_rate, from tasks that begin or end late */
	double loss_without_skew; /* straggler loss if all tasks had begun at once */
	double imbalance;	  /* slowest task's time / mean task time */
	uint64_t working_tasks;	  /* tasks that had something to do */
	double tail_share;	  /* (last - first end of working tasks) / total; no sync of -Y */
	double start_skew;	  /* s, first to last task that left the start */
	double content_share;	  /* share of the transfer time, mean over working tasks */
	double hit_share;     /* share of bytes read that came from a cache; negative: unknown */
	uint64_t operations;  /* transfers that completed */
	uint64_t due, issued; /* of a load: operations by its schedule, and those issued in time */
	uint64_t rated[OPERATIONS]; /* operations of each kind that its rate counts */
	double depth;		    /* per task, mean over transfers at submission; 0: no queue */
	/* per task: service times / transfer time (Little's law); 0: no queue */
	double depth_by_time;
	uint64_t queue_depth; /* queue depth of the phase, set by the caller */
	bool only_transfers;  /* tasks make transfers one by one, nothing else; set by caller */
	struct concurrency concurrency;
	struct p99_spread task_p99;

	uint32_t slices, heatmap_columns; /* slices and columns of the measure in use */
	uint64_t slices_lead_ns; /* time by which slices and columns begin before the phase */
	struct within within;
	struct lateness lateness;

	struct stonewall stonewall; /* limit and wears_out are set by the caller */

	uint32_t same_node;	   /* read phases: tasks that read what their own node wrote */
	uint32_t same_kernel;	   /* tasks that read what a node with their kernel wrote */
	bool cold;		   /* caches were dropped before the phase */
	const char *cold_method;   /* "fadvise" …, NULL when not */
	bool syncs_each_write;	   /* fsync_per_write */
	struct trial trial;	   /* read phases of files */
	uint64_t files_used_empty; /* write phases: existing empty files that were kept */
	struct possible possible;  /* bounds are set by the caller before phase_result_fill() */
	const char *settings; /* "name=value\n" …, in effect for task 0's file; NULL: unknown */

	const struct slow *slow;
	const struct outliers *outliers; /* NULL: not looked for */
	bool grown;    /* files were made in directories that had held other items */
	bool checks;   /* every byte that was read was compared */
	uint64_t held; /* transfers of each file that the phase chose from; 0: those of the plan */
	bool learned;  /* compared with seed and repetition read from the data */
	uint64_t data_seed;
	uint32_t data_repetition;
	bool files_stay;    /* the files remain after the repetition */
	bool files_foreign; /* of a load: it found files of other programs */
	bool files_found;   /* of a load: its files were there before, and used as they were */
	bool files_reused;  /* the next repetition uses the files again */
	uint64_t wrong_transfers, wrong_bytes; /* found by comparing */

	struct failure failure; /* kind ERROR_NONE: none */
	uint64_t failed_tasks;
	uint64_t failed_operations; /* metadata operations; they are in no rate */
	struct steady_outcome steady;
	bool incomplete;	     /* something the repetition needs was not made: it ends here */
	bool trees_stay;	     /* if incomplete: trees hold files of others or another run */
	uint64_t untried_operations; /* metadata operations that were due but not tried */
	char stop_text[96];	     /* reason for a stop or skip, else "" */

	struct measure *measure;		  /* merged */
	uint64_t p50_ns, p99_ns, p999_ns, max_ns; /* of transfers; percentiles 0 when too few */

	/* Only of operations at a rate; else 0. */
	double response_mean_ns;  /* 0: no operation */
	uint64_t response_p99_ns; /* 0: too few operations */
};

/*
 * Computes the result of one phase from its merged measure, and takes the measure over. The caller
 * first sets everything requested or agreed on (status, failure, stop, cold, syncs_each_write …).
 */
void phase_result_fill(struct phase_result *result, struct measure *measure);

/* Length of a slice of the phase's timeline, seconds. */
double phase_slice_seconds(const struct phase_result *result);

/* Fills result->within from the measure (within.c). phase_result_fill() calls it. */
void within_fill(struct phase_result *result);
/* Fills result->lateness from the measure (lateness.c). phase_result_fill() calls it. */
void lateness_fill(struct phase_result *result);

/*
 * The seconds that the headline rate goes by. A load is measured in its window, all other phases
 * from their begin to the last close.
 */
double phase_headline_seconds(const struct phase_result *result);
/* Operations of one kind that a rate counts, by the seconds of the headline. */
double phase_part_rate(const struct phase_result *result, enum operation operation);
/* True if the phase moved data from files, so that the page cache may have served it. */
bool phase_reads(const struct phase_result *result);
/* Record of the phase's transfers; NULL without a measure. */
const struct operation_record *phase_transfers(const struct phase_result *result);

/*
 * True if the numbers of the phase are shown: it completed, or only operations that are counted
 * apart failed.
 */
bool phase_has_numbers(const struct phase_result *result);

/* False when the phase failed or was stopped before its start. Nothing was measured then. */
bool phase_began(const struct phase_result *result);

/* True if each measured task synced all it wrote, within the timed part. */
bool phase_synced(const struct phase_result *result);

/*
 * Share of the files that was in the page cache before the phase; negative: the kernel cannot tell.
 */
double phase_resident_before(const struct phase_result *result);

/* Service times of the pooled operations; 0 where there are too few. */
struct service_times {
	uint64_t p50_ns, p99_ns, p999_ns, max_ns;
};

/* Summary of an operation other than the phase's main one, over the same repetitions. */
struct series_summary {
	struct series series;
	uint64_t operations; /* summed over the repetitions */
	struct spread rate;  /* operations / total */
	struct service_times times;
};

/* Response times of operations at a rate, over the complete repetitions; count 0: not known. */
struct response_summary {
	struct spread mean_ns, p99_ns;
	size_t missed; /* repetitions that missed their rate */
};

/* The repetitions of a job that went on behind its journal, by the sessions that made them. */
struct sessions_summary {
	unsigned count; /* sessions; the rest is set from 2 on */
	size_t latest;	/* repetitions of the latest session */
	double ratio;	/* their median divided by that of the others */
	bool apart;	/* all of them are above, or all below, all others, which is no chance */
};

/* Summary of one phase of a plan over its complete repetitions. */
struct rate_summary {
	unsigned test;
	struct series series; /* main operation of the phase */
	enum phase_kind kind;
	struct spread rate; /* total_rate, bytes/s, complete repetitions; count 0: none */
	size_t needed;	    /* repetitions needed for the wanted precision; 0: not known */
	double precision;   /* half of the 99 % interval / median; negative: no such interval */
	struct first_differs first;
	struct drift drift;
	struct two_modes modes;
	struct sessions_summary sessions;
	double pooled;		    /* all bytes / all total time */
	double operations_rate;	    /* median */
	double seconds;		    /* median of total */
	struct service_times times; /* of the transfers of all repetitions */
	struct response_summary response;
	struct series_summary parts[SERIES_MOST - 1];
	unsigned part_count;
};

/* Why a test was not repeated further. */
enum repetitions_end {
	REPETITIONS_ASKED,   /* the requested number was done */
	REPETITIONS_PRECISE, /* every phase has the requested precision */
	REPETITIONS_MOST,    /* max_repetitions */
	REPETITIONS_BUDGET,
	REPETITIONS_ENDED, /* the test failed, was stopped, or the deadline is near */
};

const char *repetitions_end_name(enum repetitions_end end); /* "asked", "precise", … */

/* A test by its number, options and plan, which views of its lines need. */
struct test_head {
	unsigned number;
	const struct test_spec *spec;
	const struct plan *plan;
};

/* The numbers of a phase that stay once its line is made. */
struct past_phase {
	unsigned index; /* index in the plan's phases */
	enum phase_status status;
	bool warmup, failed_tasks, files_foreign, files_used_empty;
	double total_rate, operations_rate;
	double total_seconds, headline_seconds;
	double part_rates[SERIES_MOST - 1]; /* per second, by the number of the part */
	uint64_t due, issued;
	double response_mean_ns;  /* 0: not known */
	uint64_t response_p99_ns; /* 0: not known */
	unsigned session;	  /* of the job that measured it, from 1 */
};

/* Sums over the repetitions of one phase of a plan. */
struct repeated {
	struct text times[OPERATIONS]; /* packed histograms of its series; empty: none */
	struct slow_history slow;
	struct possible nearest; /* of the repetition nearest to its limits; rate 0: none known */
};

/* One test: its options, its plan, and its phases so far. */
struct test_result {
	unsigned number;
	const struct test_spec *spec;
	const struct plan *plan;
	uint64_t seed;	  /* seed of the data */
	unsigned session; /* the present session of the job, from 1 */
	bool resumed;	  /* some phases are those of earlier sessions */
	struct past_phase *phases;
	size_t phase_count;
	struct repeated *repeated[PLAN_PHASES]; /* NULL: nothing yet */
	enum repetitions_end repetitions_end;
	double removal_seconds; /* s to remove files after the phases, in total; 0: none removed */
	struct counters counters; /* over all phases, warm-ups included */
	struct measured measured; /* on its first task */
};

/* True if a phase counts among the repetitions of a phase of the plan. */
bool past_phase_counts(const struct past_phase *past, unsigned phase);

/*
 * Keeps the numbers of a phase whose line is made. The histograms of its series join those of the
 * other repetitions.
 */
void test_result_add(struct test_result *test, const struct phase_result *phase);

/*
 * Keeps a phase that an earlier session of the job has measured, and the times of an operation of
 * it. What the sums over repetitions have beside times is that of the present session alone.
 */
void test_result_restore(struct test_result *test, const struct past_phase *past);
void test_result_restore_times(struct test_result *test, unsigned phase, enum operation operation,
			       const struct histogram *times);

/* The sums of a phase of the plan, empty where none of its repetitions counts. */
const struct repeated *test_result_repeated(const struct test_result *test, unsigned phase);

/* Fills a histogram with the times of a series of all repetitions that count. */
void test_result_times(const struct test_result *test, const struct series *series,
		       struct histogram *times);

/* Frees what the phases left. *test may be used again. */
void test_result_release(struct test_result *test);

/* Fills the summary of one phase of the test's plan, without warm-ups. */
void rate_summary_fill(struct rate_summary *summary, const struct test_result *test,
		       unsigned phase);

/*
 * True if in every phase of the plan precision_suffices() for the rates. Only complete repetitions
 * that are no warm-up count.
 */
bool test_is_precise(const struct test_result *test, double wanted);

/* How the whole job ended. */
enum job_status { JOB_COMPLETE, JOB_FAILED, JOB_INTERRUPTED };

const char *job_status_name(enum job_status status); /* "complete", "failed", "interrupted" */

#endif
