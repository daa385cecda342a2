/*
 * What happened: one model, one meaning of each number. The formulas are in result.c, one function
 * each, and in doc/measurement.md in the same words. Lives on task 0. Rates are bytes per second,
 * times seconds, service times ns.
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
#include "statistics/batch_means.h"
#include "statistics/repetitions.h"
#include "result/outliers.h"
#include "result/slow.h"

enum phase_status {
	PHASE_COMPLETE,
	PHASE_FAILED,  /* an operation failed, or data was lost */
	PHASE_STOPPED, /* by a signal or the deadline; its numbers cover what was done */
	PHASE_SKIPPED, /* not started: the deadline was too near */
};

const char *phase_status_name(enum phase_status status); /* "complete", … */

/* The times of section "Intervals" of doc/measurement.md. They overlap and need not add up. */
struct intervals {
	double open, transfer, sync, close;
	double durable; /* first issue to last sync end; 0 where not everything was synced */
	double total;   /* first begin to last close end */
};

/* What had been moved when the time was up: -D or duration. seconds 0: no task was kept from anything. */
struct stonewall {
	double limit;   /* s, as it was asked for */
	double seconds; /* first issue to the last completion of what was issued before the end */
	double rate;    /* bytes / seconds */
	bool wears_out; /* all tasks went on to the count of the fastest */
};

/* The p99 of each task's own service times: the spread over the tasks that have one. */
struct p99_spread {
	uint64_t tasks; /* with enough operations for it; 0: none, all else is 0 */
	uint64_t min_ns, median_ns, max_ns;
	uint32_t task, node; /* whose is the longest */
};

/*
 * Little's law: rate x mean service time = what was in flight. Of the tasks' places (tasks x queue depth)
 * it is the busy share; where tasks make one transfer at a time and do nothing else, service times and
 * content must add up to the tasks' own times.
 */
struct little {
	double in_flight;  /* mean over the transfer time, all tasks; 0: no transfers */
	double busy_share;
	double accounted;  /* (service times + content) / the tasks' own transfer times; 0: does not apply */
};

/* Whether read_bytes of /proc/self/io counts what comes from this file system; it was tried. */
enum reads_counted { READS_UNKNOWN, READS_COUNTED, READS_NOT_COUNTED };

struct phase_result {
	unsigned test;
	unsigned index;      /* in the plan's phases */
	enum phase_kind kind;
	uint64_t repetition; /* from 0 */
	bool warmup;         /* shown, and in no summary */
	enum phase_status status;
	struct timespec began; /* wall clock of task 0 */

	struct intervals seconds;
	double transfer_rate; /* bytes / transfer */
	double durable_rate;  /* bytes / durable; 0 where not everything was synced */
	double total_rate;    /* bytes / total: the headline, what IOR calls bw; of metadata phases operations / total */
	double sum_rate;      /* sum of the tasks' own rates */
	double operations_rate; /* transfers / transfer time, per second */
	double straggler_loss;  /* 1 - rate / sum_rate, as tasks do not begin and end together */
	double loss_without_skew; /* the same had all begun at once: only as some take longer */
	double imbalance;       /* slowest task's time / mean task time */
	uint64_t working_tasks; /* that had something to do */
	double tail_share;      /* (last - first working task done) / total, both without the sync of -Y */
	double start_skew;      /* s, first to last task that left the start */
	double content_share;   /* of the transfer time, mean over working tasks */
	double hit_share;       /* of bytes read that no device or server gave; negative: not known */
	uint64_t operations;    /* transfers that completed */
	uint64_t counts[OPERATIONS]; /* operations that completed, of each kind */
	double depth;           /* of a task, mean over transfers as they were submitted; 0: no queue */
	double depth_by_time;   /* of a task: service times / transfer time (Little); 0: no queue */
	uint64_t queue_depth;   /* of the phase, set by the caller */
	bool only_transfers;    /* tasks do nothing but transfers, one after the other; set by the caller */
	struct little little;
	struct p99_spread task_p99;

	uint32_t slices, heat_columns; /* of the measure's, as many as the phase lasted */
	uint64_t slices_lead_ns; /* by which the first slice, and column, began before the phase */
	struct batch_means within; /* of the transfer rate, bytes/s: from this phase alone */

	struct stonewall stonewall; /* limit and wears_out are set by the caller */

	uint32_t same_node;     /* read phases: tasks that read what their own node wrote */
	bool cold;              /* caches were dropped before it */
	const char *cold_method; /* "fadvise" …, NULL when not */
	bool syncs_each_write;  /* fsync_per_write */
	enum reads_counted reads_counted; /* read phases of files */
	uint64_t files_used_empty; /* write phases: empty files that were there and were kept */
	const char *settings;   /* "name=value\n" …, in effect for task 0's file; NULL: not looked at */

	const struct slow *slow;         /* NULL once the phase is written */
	const struct outliers *outliers; /* NULL: not looked for; NULL once the phase is written */
	bool grown;             /* files were made in directories that had held other items */
	bool checks;            /* every byte that was read was compared */
	uint64_t drawn;         /* transfers of each file from which an order with repeats draws; 0: it has none */
	bool learned;           /* with what the data itself says of seed and repetition */
	uint64_t data_seed;
	uint32_t data_repetition;
	bool files_stay;        /* when the repetition is over */
	bool files_reused;      /* by the next repetition */
	uint64_t wrong_transfers, wrong_bytes; /* that comparing found */

	struct failure failure; /* kind ERROR_NONE: none */
	uint64_t failed_tasks;
	uint64_t failed_operations; /* on names: counted, and in no rate */
	bool incomplete;             /* not all that the repetition needs was made: it ends here */
	bool trees_stay;             /* then: they hold files of others, or another run made them */
	uint64_t untried_operations; /* neither, though they were to be done */
	char stop_text[96];     /* why it was stopped or skipped, "" otherwise */

	/* Everything that was observed; NULL once the phase is written, only the numbers above stay. */
	struct measure *measure;
	uint64_t p50_ns, p99_ns, p999_ns, max_ns; /* of the transfers; p.. 0 when too few operations */
};

/*
 * From the merged measure (which it takes over) of one phase. What is asked for and what was agreed
 * on (status, failure, stop, cold, syncs_each_write …) is set by the caller, before.
 */
void phase_result_fill(struct phase_result *result, struct measure *measure);

/* How long a slice of its timeline is. */
double phase_slice_seconds(const struct phase_result *result);

/* result->within, from the measure; phase_result_fill() does it. within.c */
void within_fill(struct phase_result *result);

/* The transfers' histogram of a phase, NULL without a measure. */
const struct operation_record *phase_transfers(const struct phase_result *result);

/* Whether its numbers are shown: it came to an end, or failed only in operations that are counted apart. */
bool phase_has_numbers(const struct phase_result *result);

/* False when it failed or was stopped before its start: then nothing was measured. */
bool phase_began(const struct phase_result *result);

/* Whether each task that was measured synced all it wrote, inside the timed part. */
bool phase_synced(const struct phase_result *result);

/* The share of the files that lay in the page cache before it; negative: the kernel cannot tell. */
double phase_resident_before(const struct phase_result *result);

/* Service times of pooled operations; 0 where those are too few. */
struct service_times {
	uint64_t p50_ns, p99_ns, p999_ns, max_ns;
};

/* An operation beside the one that the phase is about, over the same repetitions. */
struct series_summary {
	struct series series;
	uint64_t operations;    /* of all repetitions */
	struct spread rate;     /* operations / total */
	struct service_times times;
};

/* Over the complete repetitions of one phase of a plan. */
struct rate_summary {
	unsigned test;
	struct series series;   /* of the operation that the phase is about */
	enum phase_kind kind;
	struct spread rate;     /* of total_rate, bytes/s, over complete repetitions; count 0: none, all else is 0 */
	size_t needed;          /* repetitions that would bring precision to what is wanted; 0: not known */
	double precision;       /* half of the 99 % interval against the median; negative: no such interval */
	struct first_differs first;
	struct drift drift;
	struct two_modes modes;
	double pooled;          /* all bytes / all total time */
	double operations_rate; /* median */
	double seconds;         /* median of total */
	struct service_times times; /* of all their transfers */
	struct series_summary parts[SERIES_MOST - 1];
	unsigned part_count;
};

/* Why a test was not repeated further. */
enum repetitions_end {
	REPETITIONS_ASKED,   /* as many as were asked for */
	REPETITIONS_PRECISE, /* every phase is as precise as was asked for */
	REPETITIONS_MOST,    /* max_repetitions */
	REPETITIONS_BUDGET,
	REPETITIONS_ENDED,   /* it failed, was stopped, or the deadline is near */
};

const char *repetitions_end_name(enum repetitions_end end); /* "asked", "precise", … */

/* One test: its options, its plan, its phases so far. */
struct test_result {
	unsigned number;
	const struct test_spec *spec;
	const struct plan *plan;
	uint64_t seed; /* of the data */
	struct phase_result *phases;
	size_t phase_count;
	/* Of the repetitions that count, by series; NULL: none yet. */
	struct histogram *pooled[PLAN_PHASES][OPERATIONS];
	enum repetitions_end repetitions_end;
	double removal_seconds; /* of its files, behind the phases of all repetitions; 0: none was removed */
	struct slow_history slow[PLAN_PHASES]; /* of repetitions that count; task 0 */
	struct counters counters; /* of all its phases, warm-ups too */
};

/*
 * Adds a phase that has been written to phases, which are grown: its numbers stay, its measure does not,
 * but for the histograms of its series, which join those of the other repetitions.
 */
void test_result_add(struct test_result *test, const struct phase_result *phase);

/* The joining alone. */
void test_result_pool(struct test_result *test, const struct phase_result *phase);

/* The phases and what was pooled; *test may be used again. */
void test_result_release(struct test_result *test);

/* Of one phase of the test's plan; warm-ups are left out. */
void rate_summary_fill(struct rate_summary *summary, const struct test_result *test, unsigned phase);

/*
 * Whether every phase of the plan has a 99 % interval of its median as narrow as wanted (half of it against
 * the median). Looks at complete repetitions that are no warm-up.
 */
bool test_is_precise(const struct test_result *test, double wanted);

/* How the whole job ended. */
enum job_status { JOB_COMPLETE, JOB_FAILED, JOB_INTERRUPTED };

const char *job_status_name(enum job_status status); /* "complete", "failed", "interrupted" */

#endif
