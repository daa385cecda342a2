/* Work between two operations of a loop. */
#include "engine/core/loop.h"

#include <sys/prctl.h>
#include <time.h>

enum { POLL_NS = 50000000 }; /* half of the promised 100 ms */

bool loop_asked_to_stop(struct worker *worker, uint64_t now_ns)
{
	worker->poll_at_ns = now_ns + POLL_NS;
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

bool loop_poll(struct worker *worker, uint64_t now_ns)
{
	if (loop_asked_to_stop(worker, now_ns))
		return true;
	if (worker->relay)
		follow_end(worker);
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

	while (now_ns < due_ns && !loop_poll(worker, now_ns)) {
		uint64_t left_ns = due_ns - now_ns;

		if (left_ns > POLL_NS)
			left_ns = POLL_NS;
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
