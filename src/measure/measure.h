/*
 * What was observed in one phase of one repetition: by one task, or, merged, by many.
 *
 * A measure is plain memory of one known size, so that it travels as bytes and merging is a pure
 * function: associative and commutative, exact but for the sums of doubles. Times are ns on the
 * common axis (this node's clock plus its offset to node 0). doc/measurement.md defines the numbers.
 */
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include <stddef.h>
#include <stdint.h>

#include "measure/counters.h"
#include "measure/heat.h"
#include "measure/histogram.h"
#include "measure/timeline.h"
#include "measure/unread.h"
#include "measure/verification.h"
#include "plan/plan.h"

/* The slowest operation of its kind. */
struct worst {
	uint64_t ns;
	uint64_t at_ns;  /* when it ended */
	uint64_t offset; /* bytes in the file, UINT64_MAX for operations without one */
	uint32_t task;
	uint32_t node;
};

struct operation_record {
	enum operation operation;
	uint64_t bytes; /* moved by them */
	struct worst worst;
	struct histogram histogram;
};

/* The earliest and the latest of all tasks' stamps of one kind; first UINT64_MAX while none. */
struct extent {
	uint64_t first;
	uint64_t last;
};

/* Sum of what the kernel tells about processes or files; tasks: how many could tell. */
struct kernel_io {
	uint64_t tasks;
	uint64_t rchar, wchar, syscr, syscw;
	uint64_t read_bytes, write_bytes, cancelled_write_bytes;
};

/* cachestat(2) over the files, summed over those looked at. Bytes. */
struct cache_state {
	uint64_t files; /* looked at; 0: not known */
	uint64_t bytes; /* of these files */
	uint64_t resident, dirty, writeback;
};

/* What a find saw; with measure.entries, of which each is one of the first three. */
struct find_counts {
	uint64_t directories, files, others;
	uint64_t matches;
	uint64_t mounts;  /* directories that were not gone into, as something is mounted there */
	uint64_t made;    /* entries this run had made and not removed: what it should see */
	uint64_t taken;   /* pieces of work that came from another task */
	uint64_t left;    /* tasks that ended before the walk did */
	struct unread unread[UNREAD_NAMED];
};

/* Directories of a metadata test that the user is told of. */
struct some_directories {
	uint64_t count;
	char first[256]; /* the first of them by its path, shortened from the left when longer */
};

/* The p99 of each task's own service times, of tasks with enough of them to have one. */
struct task_p99 {
	uint32_t task, node; /* whose is the longest; of equals the lower task */
	struct histogram histogram;
};

enum { DEPTH_BINS = 13, ERRNOS = 134 };

/* fields.c has a row for each scalar member, which says how it is merged; the others are merged by hand. */
struct measure {
	size_t size; /* of this struct with its records, bytes */

	uint64_t tasks;
	uint64_t idle_tasks;       /* of these, that had nothing to do in the phase */
	uint64_t failed_tasks;
	uint64_t stopped_tasks;    /* left the loop early on a stop request */
	uint64_t left_tasks;       /* left it after max_errors failures, with more to do */
	uint64_t walled_tasks;     /* that the end of the time kept from moving all */
	uint64_t unworn_tasks;     /* that wear-out did not bring to the count of the fastest */
	uint64_t syncs_at_end;     /* tasks that synced after their last transfer */
	uint64_t bytes;            /* moved, counted from what the calls returned */
	uint64_t bytes_expected;   /* by the plan */
	uint64_t wall_bytes;       /* moved until the time was up */
	uint64_t content_ns;       /* filling and checking buffers */
	uint64_t content_inside_ns; /* of it, what lies in service times: stamping without a clock reading */
	uint64_t transfer_ns;      /* of each task's first issue to its last completion */
	uint64_t short_transfers;  /* calls that moved less than asked and were continued */
	uint64_t depth_sum;        /* over transfers: in flight when the call that submitted it returned */
	uint64_t depth_bins[DEPTH_BINS]; /* transfers by that number: 1, 2, 3-4, 5-8, … 2049-4096 */
	uint64_t submits, reaps;   /* calls */
	uint64_t entries;          /* that listing directories gave, or a find saw */
	uint64_t mix_files;        /* of the tasks before a mixed phase */
	uint64_t mix_slept;        /* of the response times: the task slept until the operation was due */
	uint64_t mix_late_ns;      /* by which it woke later */
	uint64_t mix_missed;       /* operations on a file that its own task had just removed */
	uint64_t expected_operations; /* on names, by the plan and the stonewall before */
	uint64_t failed_operations; /* on names: counted here and in nothing else */
	uint64_t untried_operations; /* by tasks that left it before its end */
	uint64_t errors[ERRNOS];   /* of the failed operations, by errno; 0: it has none */
	uint64_t user_ns, system_ns;
	uint64_t voluntary_switches, involuntary_switches;
	struct kernel_io io;
	struct cache_state before, after; /* the phase */
	uint64_t allocated_bytes;  /* of the files after a write phase */
	uint64_t sized_files;      /* whose size and allocation were looked at */
	uint64_t hole_bytes;       /* never allocated where a write phase wrote: lost */
	uint64_t read_back;        /* transfers looked at again after a write phase */
	uint64_t lost;             /* of these, not what was written */
	uint64_t files_fresh, files_recreated, files_used_empty, files_overwritten; /* write phases */
	uint64_t files_of_ior; /* of the recreated: they held IOR's data before this run */
	uint64_t scheduled_starts; /* tasks that waited for a common moment */
	uint64_t late_starts;      /* of these, that came after it */

	struct extent begin;       /* left the start */
	struct extent open_end;
	struct extent issue;       /* first issue of each task */
	struct extent completion;  /* last completion of each task */
	struct extent wall;        /* completion of what was issued before the time was up */
	struct extent sync_end;    /* where a sync made the data durable: none otherwise */
	struct extent close_end;
	struct extent done;        /* the close end of tasks that had something to do */

	double rate_sum;           /* of each task's bytes / (close end - begin), bytes/s */
	double time_sum;           /* of each task's close end - begin, s; of idle ones nothing */
	double time_most;
	uint32_t slowest_task, slowest_node;
	double content_share_most; /* largest share of one task's transfer time */
	uint64_t least_bytes, most_bytes; /* of one task */
	uint64_t wall_least, wall_most; /* transfers of a task until the time was up */
	uint64_t least_transfers, most_transfers; /* of a task, in all */
	uint64_t mix_most_missing; /* of one task at a time, largest */
	uint64_t mix_latest_ns;    /* by which a task woke later than an operation was due, largest */
	struct find_counts find;
	struct some_directories targets_made; /* of the paths of targets, those that were missing */
	struct some_directories tests_kept;   /* test directories that stay, as something lies in them */
	uint64_t clock_residual_ns; /* largest uncertainty of a node's offset */
	uint64_t clock_drift_ns;   /* largest change of a node's offset during the phase */
	double clock_disagreement; /* largest between TSC and CLOCK_MONOTONIC, a share */
	double clock_cost_ns;      /* of one reading, largest */

	struct counters counters;
	struct counters prefill;   /* before the phase; no calls: there was none */
	struct task_p99 task_p99;
	uint64_t slices_ns;        /* where the timeline begins; 0: no task began */
	unsigned record_count;
	bool checks; /* a verification follows the records, then a timeline and a heat map */
	struct operation_record records[];
};

/* A measure of no task, with a record for each operation; the caller frees it. */
struct measure *measure_create(const enum operation *operations, unsigned count);
/* The same for a phase that compares what it reads. */
struct measure *measure_create_checking(const enum operation *operations, unsigned count);
void measure_reset(struct measure *measure);
/* Both must have been created alike. */
void measure_merge(struct measure *into, const struct measure *from);

/* What a phase's rate counts: bytes; operations on names that succeeded; entries that a find saw. */
double measure_amount(const struct measure *measure, enum phase_kind kind);

/* What comparing found; NULL when the phase does not compare. */
struct verification *measure_verification(const struct measure *measure);

/* Both of the transfers. */
struct timeline *measure_timeline(const struct measure *measure);
struct heat *measure_heat(const struct measure *measure);

/* NULL when the phase has no such operation. */
struct operation_record *measure_record(const struct measure *measure, enum operation operation);

/* For what happens rarely: adds one duration to a record and keeps its worst. */
void measure_add(struct operation_record *record, uint64_t ns, uint64_t at_ns, uint64_t offset,
		 uint32_t task, uint32_t node);

/* So many were submitted by one call, and so many were in flight then. */
static inline void measure_submitted(struct measure *measure, unsigned count, unsigned in_flight)
{
	unsigned bin = in_flight > 1 ? 32 - (unsigned)__builtin_clz(in_flight - 1) : 0;

	measure->depth_sum += (uint64_t)count * in_flight;
	measure->depth_bins[bin] += count;
	measure->submits++;
}

void extent_add(struct extent *extent, uint64_t at_ns);

/* Of an empty one: this task's own p99, where its transfers or operations are enough for one. */
void task_p99_set(struct task_p99 *task_p99, const struct histogram *own, uint32_t task, uint32_t node);

#endif
