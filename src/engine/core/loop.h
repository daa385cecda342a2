/* What all loops over operations do between two of them: look for stop requests and the time, sleep, keep the table. */
#ifndef ENGINE_CORE_LOOP_H
#define ENGINE_CORE_LOOP_H

#include "engine/core/tally.h"

/* Looks for the deadline and for stop requests; true: leave the loop. */
bool loop_asked_to_stop(struct worker *worker, uint64_t now_ns);

/* The same, and whether the time of worker->until_ns is up. */
bool loop_poll(struct worker *worker, uint64_t now_ns);

/*
 * Up to a moment, in slices, so that a stop request is not kept waiting: ends early on one, which loop_poll()
 * tells then. The last of it is waited for by the clock where the task has a CPU of its own, as sleeping ends
 * late. The time it is.
 */
uint64_t loop_sleep_until(struct worker *worker, uint64_t now_ns, uint64_t due_ns);

/*
 * A row for the table of operations. Where it was full it is written, which takes a while: true, and what
 * comes next begins now.
 */
bool loop_tell(struct worker *worker, enum operation operation, uint64_t start_ns, uint64_t end_ns,
	       uint64_t offset, uint64_t length);

/* Writes the table of operations, and reads the clock anew; true: it waits for those in flight. */
bool loop_write_table(struct worker *worker, unsigned in_flight, uint64_t *now_ns);

/*
 * Whether nothing may be submitted: the table of operations has no room for so many rows, and has to be
 * written when nothing is in flight, as that would lie in the service times of what is.
 */
static inline bool loop_drains(struct worker *worker, unsigned rows, unsigned in_flight,
			       uint64_t *now_ns)
{
	if (!worker->table || operation_table_has_room(worker->table, rows))
		return false;
	return loop_write_table(worker, in_flight, now_ns);
}

#endif
