/* The common start of a phase. */
#include "engine/core/start.h"

#include "engine/core/worker.h"

/* Distance to the start moment. It is longer than agreeing on the moment takes. */
enum { SHORTEST_NS = 300000, LONGEST_NS = 50000000, TIMES = 4 };

static uint64_t margin(uint64_t took_ns)
{
	uint64_t margin_ns = SHORTEST_NS + TIMES * took_ns;

	return margin_ns < LONGEST_NS ? margin_ns : LONGEST_NS;
}

static bool is_crowded(const struct worker *worker)
{
	return seats_count(&worker->set->seats, worker->node_number) > worker->node->cpus;
}

static uint64_t common_now(const struct worker *worker)
{
	return worker_common_ns(worker, clock_now(worker->clock));
}

void start_together(struct worker *worker, const struct crew *crew)
{
	struct start *start = &worker->start;

	start->crowded = is_crowded(worker);
	uint64_t all[] = {start->crowded, start->took_ns, common_now(worker),
			  node_time_residual(worker->node->shared->times)};

	start->scheduled = start->late = false;
	comm_most(&crew->comm, all, 4);
	/* Two clocks may differ by twice the residual. No task may begin before this moment. */
	start->at_ns = all[2] - 2 * all[3];
	if (all[0])
		return;
	uint64_t left_ns = common_now(worker), moment_ns = left_ns;

	/* The last task to leave the previous step sets the moment. */
	comm_most(&crew->comm, &moment_ns, 1);
	uint64_t now_ns = common_now(worker);

	moment_ns += margin(all[1]);
	start->at_ns = moment_ns;
	start->took_ns = now_ns - left_ns;
	start->scheduled = true;
	start->late = now_ns > moment_ns;
	while (now_ns < moment_ns)
		now_ns = common_now(worker);
}
