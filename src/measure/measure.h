/*
 * Everything observed in one phase of one repetition by one task or, merged, by many.
 *
 * A measure is plain memory of one known size, so it travels as bytes. Merging is associative and
 * commutative, and exact except for the sums of doubles. Times are ns on the common axis (this
 * node's clock plus its offset to node 0). doc/measurement.md defines the numbers.
 */
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include <stddef.h>
#include <stdint.h>

#include "measure/counters.h"
#include "measure/heatmap.h"
#include "measure/histogram.h"
#include "measure/timeline.h"
#include "measure/unread.h"
#include "measure/verification.h"
#include "plan/plan.h"

/* The slowest operation of its kind. */
struct worst {
	uint64_t ns;
	uint64_t at_ns;	 /* when it ended */
	uint64_t offset; /* bytes in the file, UINT64_MAX for operations without one */
	uint32_t task;
	uint32_t node;
};

/*
 * The histogram of a load has the operations that were due in the measured window, or issued in it
 * in a closed loop. At a rate, the rate counts those of them that were issued in time; in a closed
 * loop those that ended in the window. `rated_more` is the difference; 0 in other phases.
 */
struct operation_record {
	enum operation operation;
	uint64_t bytes; /* bytes the operations of the histogram moved */
	int64_t rated_more, rated_more_bytes;
	struct worst worst;
	struct histogram histogram;
};

/* The earliest and the latest of all tasks' stamps of one kind; first UINT64_MAX while none. */
struct extent {
	uint64_t first;
	uint64_t last;
};

/*
 * Sum of the kernel's I/O counters of processes or files. tasks: number of tasks whose counters
 * could be read.
 */
struct kernel_io {
	uint64_t tasks;
	uint64_t rchar, wchar, syscr, syscw;
	uint64_t read_bytes, write_bytes, cancelled_write_bytes;
};

/* Page cache state by cachestat(2), summed over the files looked at. Bytes. */
struct cache_state {
	uint64_t files; /* files looked at; 0: not known */
	uint64_t bytes; /* size of these files */
	uint64_t resident, dirty, writeback;
};

/*
 * What all processes of the nodes did during a phase, summed over the nodes whose kernel tells.
 * Only the first task of a node looks, but for cpu_wait_ns.
 */
struct node_activity {
	uint64_t watched_ns; /* length of the phase on each node */
	uint64_t devices;    /* nodes on which the device below the files was found */
	uint64_t read_bytes, written_bytes; /* of that device */
	uint64_t dirty_bytes;		    /* of all files, before the phase */
	uint64_t stall_nodes; /* nodes that tell how long some task waited for a CPU */
	uint64_t cpu_stall_ns;
	uint64_t cpu_wait_ns; /* waiting of the tasks of iorx themselves */
};

/* Files that a phase is going to read, up to the size that the plan gives them. */
struct source_state {
	uint64_t files; /* files looked at; a shared file counts once per node */
	uint64_t bytes;
	uint64_t holes; /* bytes without blocks, which read as zeros without any storage */
};

/* Entries that a find saw. measure.entries is the sum of the first three. */
struct find_counts {
	uint64_t directories, files, others;
	uint64_t matches;
	uint64_t mounts; /* mount points, which a find does not enter */
	uint64_t made;	 /* entries this run made and kept, which the find should see */
	uint64_t taken;	 /* pieces of work stolen from another task */
	uint64_t left;	 /* tasks that ended before the walk did */
	struct unread unread[UNREAD_NAMED];
};

/* Directories of a metadata test that the report names to the user. */
struct some_directories {
	uint64_t count;
	char first[256]; /* the first by path, shortened from the left when longer */
};

/* Histogram of the tasks' p99 service times, of tasks with enough operations to have a p99. */
struct task_p99 {
	uint32_t task, node; /* owner of the longest p99; the lower task of equals */
	struct histogram histogram;
};

enum { DEPTH_BINS = 13, ERRNOS = 134 };

/*
 * fields.c has a row for each scalar member that says how it is merged. measure.c merges the
 * others.
 */
struct measure {
	size_t size; /* size of this struct with its records, bytes */

	uint64_t tasks;
	uint64_t idle_tasks; /* tasks without work in the phase */
	uint64_t failed_tasks;
	uint64_t stopped_tasks;	    /* tasks that left the loop early on a stop request */
	uint64_t left_tasks;	    /* tasks that left it after max_errors failures */
	uint64_t walled_tasks;	    /* tasks that the stonewall kept from moving all */
	uint64_t unworn_tasks;	    /* tasks that wear-out did not bring to the largest count */
	uint64_t syncs_at_end;	    /* tasks that synced after their last transfer */
	uint64_t bytes;		    /* bytes moved, summed over the calls' results */
	uint64_t bytes_expected;    /* bytes the plan asks for */
	uint64_t wall_bytes;	    /* bytes moved until the time was up */
	uint64_t content_ns;	    /* filling and checking buffers */
	uint64_t content_inside_ns; /* the part inside service times: stamping without a clock */
	uint64_t transfer_ns;	  /* from each task's first issue to its last completion, summed */
	uint64_t short_transfers; /* calls that moved less than asked and were continued */
	uint64_t retries;	  /* requests that failed and that the backend made once more */
	uint64_t depth_sum;	  /* sum over transfers of the number in flight when submitted */
	uint64_t depth_bins[DEPTH_BINS]; /* transfers by number in flight: 1, 2, 3-4, … 2049-4096 */
	uint64_t submits, reaps;	 /* calls */
	uint64_t entries;      /* entries that directory listings returned or a find saw */
	uint64_t mix_files;    /* files of the tasks before a mixed phase */
	uint64_t mix_slept;    /* operations before which the task slept until they were due */
	uint64_t mix_late_ns;  /* sum of the times by which tasks woke too late */
	uint64_t mix_missed;   /* operations on a file its own task had just removed */
	uint64_t load_outside; /* operations of a load before or behind its measured window */
	uint64_t load_ends[LOAD_ENDS]; /* tasks of a load by what ended it */
	uint64_t load_skipped;	       /* operations of a load that were late and left out */
	uint64_t load_unfinished; /* operations of a load that were due and not issued in time */
	/* operations of a load that its schedule had due, and those of them that were issued */
	uint64_t load_due, load_issued;
	uint64_t expected_operations; /* metadata operations by the plan and the stonewall before */
	uint64_t failed_operations;   /* failed metadata operations: in no other count */
	uint64_t untried_operations;  /* operations left out by tasks that left early */
	uint64_t errors[ERRNOS];      /* failed operations by errno; index 0: no errno known */
	uint64_t user_ns, system_ns;
	uint64_t voluntary_switches, involuntary_switches;
	struct kernel_io io;
	struct cache_state before, after; /* around the phase */
	struct source_state source;	  /* before a read */
	struct node_activity activity;
	uint64_t allocated_bytes; /* allocation of the files after a write phase */
	uint64_t sized_files;	  /* files whose size and allocation were looked at */
	uint64_t hole_bytes;	  /* lost: unallocated where a write phase wrote */
	uint64_t read_back;	  /* transfers read again after a write phase */
	uint64_t lost;		  /* of these, transfers with other data than written */
	/* write phases */
	uint64_t files_fresh, files_recreated, files_used_empty, files_overwritten;
	uint64_t files_of_ior;	   /* recreated files that held data of IOR before */
	uint64_t scheduled_starts; /* tasks that waited for a common moment */
	uint64_t late_starts;	   /* tasks that reached the start after that moment */

	struct extent begin; /* when tasks left the start */
	struct extent open_end;
	struct extent issue;	  /* when each task issued its first transfer */
	struct extent completion; /* when each task's last transfer completed */
	struct extent wall;	  /* completion of transfers issued before the time was up */
	struct extent sync_end;	  /* when a sync had made the data durable; else none */
	struct extent close_end;
	struct extent done; /* the close end of tasks that had something to do */

	double rate_sum; /* sum over tasks of bytes / (close end - begin), bytes/s */
	double time_sum; /* sum over tasks of close end - begin, s; idle tasks add 0 */
	double time_most;
	uint32_t slowest_task, slowest_node;
	double content_share_most;		  /* largest share of one task's transfer time */
	uint64_t least_bytes, most_bytes;	  /* by one task */
	uint64_t wall_least, wall_most;		  /* transfers of one task until the time was up */
	uint64_t least_transfers, most_transfers; /* transfers of one task in the whole phase */
	uint64_t mix_most_missing;		  /* most files missing at once of one task */
	uint64_t load_oldest_ns; /* age of the oldest unfinished operation when the load ended */
	uint64_t load_window_ns; /* longest measured window of a task in a load */
	uint64_t mix_latest_ns;	 /* largest time by which a task woke too late */
	struct find_counts find;
	struct some_directories targets_made; /* missing parts of target paths that were made */
	struct some_directories tests_kept;   /* test directories kept because they are not empty */
	uint64_t clock_residual_ns;	      /* largest uncertainty of a node's offset */
	uint64_t clock_drift_ns;   /* largest change of a node's offset during the phase */
	double clock_disagreement; /* largest relative difference of TSC and CLOCK_MONOTONIC */
	double clock_cost_ns;	   /* largest cost of one clock reading */

	struct counters counters;
	struct counters prefill; /* of writes before the phase; no calls: none was done */
	struct task_p99 task_p99;
	uint64_t slices_ns; /* start of the timeline; 0: no task began */
	unsigned record_count;
	bool checks; /* a verification follows the records, then a timeline and a heatmap */
	struct operation_record records[];
};

/* Creates a measure of no task with a record for each operation. The caller frees it. */
struct measure *measure_create(const enum operation *operations, unsigned count);
/* As measure_create(), for a phase that compares the data it reads. */
struct measure *measure_create_checking(const enum operation *operations, unsigned count);
void measure_reset(struct measure *measure);
/* The two measures must have been created with the same arguments. */
void measure_merge(struct measure *into, const struct measure *from);

/*
 * The amount that a phase's rate counts: bytes, successful metadata operations, or the entries a
 * find saw.
 */
double measure_amount(const struct measure *measure, enum phase_kind kind);

/* The results of comparing data; NULL when the phase does not compare. */
struct verification *measure_verification(const struct measure *measure);

/* Timeline and heatmap count transfers. */
struct timeline *measure_timeline(const struct measure *measure);
struct heatmap *measure_heatmap(const struct measure *measure);

/* Operations that a rate counts, and the bytes they moved. */
static inline uint64_t operation_rated(const struct operation_record *record)
{
	return record->histogram.count + (uint64_t)record->rated_more;
}

static inline uint64_t operation_rated_bytes(const struct operation_record *record)
{
	return record->bytes + (uint64_t)record->rated_more_bytes;
}

/* NULL when the phase has no such operation. */
struct operation_record *measure_record(const struct measure *measure, enum operation operation);

/* Adds one duration to a record and keeps the worst. Meant for rare operations. */
void measure_add(struct operation_record *record, uint64_t ns, uint64_t at_ns, uint64_t offset,
		 uint32_t task, uint32_t node);

/*
 * Keeps the shortest and the longest duration of a hot loop, beside histogram_count(). Call
 * measure_settle() after the loop.
 */
static inline void measure_note_extremes(struct operation_record *record, uint64_t ns,
					 uint64_t at_ns, uint64_t offset)
{
	if (__builtin_expect(ns < record->histogram.min_ns, 0))
		record->histogram.min_ns = ns;
	if (__builtin_expect(ns > record->worst.ns, 0)) {
		record->worst.ns = ns;
		record->worst.at_ns = at_ns;
		record->worst.offset = offset;
	}
}

/* Completes a record after the last histogram_count() and measure_note_extremes(). */
void measure_settle(struct operation_record *record, uint32_t task, uint32_t node);

/* Notes that one call submitted `count` transfers and that `in_flight` were in flight then. */
static inline void measure_submitted(struct measure *measure, unsigned count, unsigned in_flight)
{
	unsigned bin = in_flight > 1 ? 32 - (unsigned)__builtin_clz(in_flight - 1) : 0;

	measure->depth_sum += (uint64_t)count * in_flight;
	measure->depth_bins[bin] += count;
	measure->submits++;
}

void extent_add(struct extent *extent, uint64_t at_ns);

/* Stores this task's own p99 in an empty `task_p99` if `own` has enough operations for one. */
void task_p99_set(struct task_p99 *task_p99, const struct histogram *own, uint32_t task,
		  uint32_t node);

#endif
