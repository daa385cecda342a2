/* Work between two operations of a loop. */
#include "engine/core/loop.h"

#include <sys/prctl.h>
#include <time.h>

enum { POLL_NS = 50000000 }; /* half of the promised 100 ms */

/*
 * Time between two looks at stop requests and the gate. All tasks that run beside others look at
 * the gate in turn before it opens, so they look once in a 2000th of the time so far.
 */
static uint64_t poll_ns(const struct worker *worker, uint64_t now_ns)
{
	enum { SHORTEST_NS = 1000000, LONGEST_NS = 20000000, PARTS = 2000 };

	if (!worker->beside)
		return POLL_NS;
	const uint64_t part_ns =
		now_ns > worker->slices_ns ? (now_ns - worker->slices_ns) / PARTS : 0;

	return part_ns < SHORTEST_NS ? SHORTEST_NS : part_ns < LONGEST_NS ? part_ns : LONGEST_NS;
}

bool loop_asked_to_stop(struct worker *worker, uint64_t now_ns)
{
	worker->poll_at_ns = now_ns + poll_ns(worker, now_ns);
	if (now_ns >= worker->deadline_ns)
		stop_request(worker->node, STOP_DEADLINE);
	if (worker->poll_at_ns > worker->deadline_ns)
		worker->poll_at_ns = worker->deadline_ns;
	if (worker->relay)
		relay_poll(worker->relay);
	if (worker->post)
		post_poll(worker->post);
	if (stop_poll(&worker->stop) == STOP_NONE)
		return false;
	worker->stopped = true;
	/* The request is noted: a loop that goes on need not look again at every transfer. */
	worker->poll_at_ns = now_ns + POLL_NS;
	return true;
}

/* The first task may end a load before its time is up. */
static void follow_end(struct worker *worker)
{
	const uint64_t end_ns = relay_end(worker->relay);

	if (!end_ns || worker->ends_early)
		return;
	const uint64_t until_ns = worker_own_ns(worker, end_ns) + worker->cooldown_ns;

	worker->ends_early = until_ns < worker->until_ns;
	if (worker->ends_early)
		worker->until_ns = until_ns;
}

/* A load beside other phases ends when these have ended. */
static void follow_others(struct worker *worker, uint64_t now_ns)
{
	if (worker->ends_early || !gate_is_open(&worker->gate))
		return;
	worker->ends_early = true;
	worker->until_ns = now_ns;
}

bool loop_poll(struct worker *worker, uint64_t now_ns)
{
	if (loop_asked_to_stop(worker, now_ns))
		return true;
	if (worker->relay)
		follow_end(worker);
	if (worker->beside)
		follow_others(worker, now_ns);
	if (worker->poll_at_ns > worker->until_ns)
		worker->poll_at_ns = worker->until_ns;
	if (now_ns < worker->until_ns)
		return false;
	worker->time_is_up = true;
	return true;
}

uint64_t loop_sleep_until(struct worker *worker, uint64_t now_ns, uint64_t due_ns)
{
	enum { LAST_NS = 50000 }; /* typical oversleep of nanosleep() */
	const uint64_t early_ns = worker->start.crowded ? 0 : LAST_NS;

	while (now_ns < due_ns) {
		const uint64_t most_ns = poll_ns(worker, now_ns);
		uint64_t left_ns = due_ns - now_ns;

		if (loop_poll(worker, now_ns)) {
			worker->poll_at_ns = now_ns; /* the loop that slept has yet to end */
			break;
		}
		if (left_ns > most_ns)
			left_ns = most_ns;
		if (left_ns > LAST_NS)
			nanosleep(&(struct timespec){.tv_nsec = (long)(left_ns - early_ns)}, NULL);
		now_ns = clock_now(worker->clock);
	}
	return now_ns;
}

void loop_allow_slack(unsigned long slack_ns)
{
	prctl(PR_SET_TIMERSLACK, slack_ns);
}

bool loop_record_row(struct worker *worker, enum operation operation, uint64_t start_ns,
		     uint64_t end_ns, uint64_t offset, uint64_t length)
{
	struct operation_table *table = worker->table;

	operation_table_add(table, operation, start_ns, end_ns, offset, length);
	/* A transfer and its sync are two rows. */
	if (operation_table_has_room(table, 2))
		return false;
	operation_table_write(table);
	return true;
}

bool loop_write_table(struct worker *worker, unsigned in_flight, uint64_t *now_ns)
{
	if (in_flight)
		return true;
	operation_table_write(worker->table);
	*now_ns = clock_now(worker->clock);
	return false;
}
