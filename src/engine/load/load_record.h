/*
 * The measures of one task in a load: service and response times of the operations in the measured
 * window, and counts of the operations outside it.
 */
#ifndef ENGINE_LOAD_LOAD_RECORD_H
#define ENGINE_LOAD_LOAD_RECORD_H

#include "engine/core/tally.h"
#include "measure/interval.h"
#include "plan/load/walk.h"

enum { LOAD_SIZES_COUNTED = 16 }; /* sizes of calls that are counted without a search in bins */

/* Calls of one kind of access. */
struct load_calls {
	struct operation_record *record;
	struct sequence sequence;
	uint64_t sizes[LOAD_SIZES_COUNTED]; /* bytes of a call; 0: the entry is free */
	uint64_t counts[LOAD_SIZES_COUNTED];
};

/* The first and the last access to one file in the phase, each enum access + 1; 0: none. */
struct load_turns {
	uint8_t first, last;
};

/* The window is on this node's clock. An operation counts if its moment lies in it. */
struct load_record {
	struct worker *worker;
	struct tally tally; /* all operations */
	struct timeline *timeline;
	struct operation_record *all;
	struct operation_record *recorded[ACCESS_COUNT]; /* NULL: not known, or no trace */
	struct operation_record *response; /* NULL: a closed loop, where response is service */
	struct operation_record *lateness; /* as response */
	struct load_calls calls[ACCESS_COUNT];
	struct load_turns *turns;  /* of each file of this task; NULL: no files */
	uint64_t switches;	   /* accesses of the other kind than the one before */
	struct interval *interval; /* counts for interval rows; NULL: not wanted */
	struct operation_record *kinds[OPERATIONS]; /* NULL: no such operation */
	uint64_t from_ns, until_ns;
	uint64_t last_ns;   /* completion of the last operation in the window */
	uint64_t issued_ns; /* issue of this operation */
	bool rates_all;	    /* late operations enter the rate, as its time ends with the last one */
	uint64_t late;	    /* operations at a rate that were issued behind the window */
	bool queued;	    /* the loop writes the table of operations when its queue is empty */
};

void load_record_start(struct load_record *record, struct worker *worker, bool has_rate);
/* Call after the last operation: counts the operations of each kind and of all. */
void load_record_settle(struct load_record *record);
/* Call after load_record_settle(): completes the worker's measure. */
void load_record_keep(struct load_record *record);

/* For load_record_call() only. */
void load_record_size(struct load_record *record, enum access access, uint64_t length);
void load_record_turn(struct load_record *record, struct load_turns *turns, enum access access);

/* Counts a call of `length` bytes on a file of the task in the counters of its kind of access. */
static inline void load_record_call(struct load_record *record, uint32_t file, enum access access,
				    uint64_t offset, uint64_t length)
{
	struct load_calls *calls = &record->calls[access];
	struct load_turns *turns = &record->turns[file];

	if (turns->last != access + 1)
		load_record_turn(record, turns, access);
	sequence_note(&calls->sequence, offset, length);
	if (__builtin_expect(calls->sizes[0] == length, 1))
		calls->counts[0]++;
	else
		load_record_size(record, access, length);
}

/*
 * Records a request that was due and issued at these moments; due_ns is issued_ns in a closed loop.
 * Returns the time now, as the end of a slice takes time of its own.
 */
uint64_t load_record_add(struct load_record *record, const struct load_request *request,
			 uint64_t due_ns, uint64_t issued_ns, uint64_t end_ns);

/* The same for an operation on an item, whose number is no offset. */
uint64_t load_record_add_item(struct load_record *record, const struct load_request *request,
			      uint64_t due_ns, uint64_t issued_ns, uint64_t end_ns);

/* Records how long a request of a trace took there, if that is known and it counts. */
void load_record_then(struct load_record *record, const struct load_request *request,
		      uint64_t due_ns, uint64_t end_ns);

/* Records that the task slept until an operation was due, if in the window, and woke at now_ns. */
void load_record_wake_up(struct load_record *record, uint64_t due_ns, uint64_t now_ns);

/* Records an operation that was late and is left out, if it counts. */
void load_record_skip(struct load_record *record, uint64_t due_ns);

/* Records an operation that was due in the window and was not issued at end_ns. */
void load_record_unfinished(struct load_record *record, uint64_t due_ns, uint64_t end_ns);

/*
 * At a rate, operations that were issued behind the window are late, and in no rate. Call this at
 * the end with the number of operations by which the load is still behind its schedule: no more
 * than these are late, as a load that has caught up was disturbed and not overloaded.
 */
void load_record_limit_late(struct load_record *record, uint64_t behind);

static inline bool load_record_counts(const struct load_record *record, uint64_t moment_ns)
{
	return moment_ns >= record->from_ns && moment_ns < record->until_ns;
}

#endif
