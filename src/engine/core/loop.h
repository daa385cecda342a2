/*
 * Work of all loops between two operations: check for stop requests and the end of the time, sleep,
 * write the table of operations.
 */
#ifndef ENGINE_CORE_LOOP_H
#define ENGINE_CORE_LOOP_H

#include "engine/core/tally.h"

/* Checks the deadline and stop requests. Returns true if the loop must end. */
bool loop_asked_to_stop(struct worker *worker, uint64_t now_ns);

/* Checks as loop_asked_to_stop() does, and also whether worker->until_ns has passed. */
bool loop_poll(struct worker *worker, uint64_t now_ns);

/*
 * Sleeps until due_ns in slices of 50 ms at most, and of 1 to 20 ms beside other phases. A stop
 * request or the end of the time ends the sleep early, and the next loop_poll() reports it. A task
 * with a CPU of its own spins for the last 50 us, as sleeping ends late. Returns the time now.
 */
uint64_t loop_sleep_until(struct worker *worker, uint64_t now_ns, uint64_t due_ns);

/*
 * Sets the timer slack of this thread: how late the kernel may wake it to join wake-ups, ns; 0: the
 * default.
 */
void loop_allow_slack(unsigned long slack_ns);

/*
 * Adds a row to the table of operations and writes the table when it is full. Returns true if it
 * was written: the caller must then read the clock again.
 */
bool loop_record_row(struct worker *worker, enum operation operation, uint64_t start_ns,
		     uint64_t end_ns, uint64_t offset, uint64_t length);

/*
 * Writes the table of operations if nothing is in flight, and reads the clock anew. Returns true if
 * it must wait for transfers in flight.
 */
bool loop_write_table(struct worker *worker, unsigned in_flight, uint64_t *now_ns);

/*
 * Returns true if nothing may be submitted because the table of operations has no room for `rows`.
 * The loop then drains its queue first: writing the table would lengthen the service times of
 * transfers in flight.
 */
static inline bool loop_drains(struct worker *worker, unsigned rows, unsigned in_flight,
			       uint64_t *now_ns)
{
	if (!worker->table || operation_table_has_room(worker->table, rows))
		return false;
	return loop_write_table(worker, in_flight, now_ns);
}

#endif
