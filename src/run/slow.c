/* Slow members of a phase: task 0 gathers the paces of all tasks. */
#include <stdlib.h>

#include "base/memory.h"
#include "run/state.h"
#include "statistics/median.h"

/* Shorter phases are not judged (T1). */
static const double shortest_judged = 1;

static uint32_t sampling(uint32_t members)
{
	return (members + SLOW_SAMPLES - 1) / SLOW_SAMPLES;
}

/* Median pace of the node's tasks that moved anything; 0: none did. */
static double node_pace(const struct test_run *run)
{
	const struct worker *worker = &run->worker;
	const struct seats *seats = &run->crew->seats;
	const struct node_slot *slots =
		worker->node->shared->slots + seats_first_slot(seats, worker->node_number);
	uint32_t tasks = seats_count(seats, worker->node_number), count = 0;
	double *paces = memory_allocate(tasks, sizeof(*paces));
	double middle;

	for (uint32_t i = 0; i < tasks; i++) {
		double pace = atomic_load(&slots[i].pace);

		if (pace > 0)
			paces[count++] = pace;
	}
	values_sort(paces, count);
	middle = count ? paces[(count - 1) / 2] : 0;
	free(paces);
	return middle;
}

static void add_own(const struct test_run *run, struct text *blob)
{
	const struct worker *worker = &run->worker;
	const struct node_map *map = &run->plan->map;
	struct pace pace = {
		.number = worker->task,
		.node = worker->node_number,
		.file = worker->row.source,
		.seconds = atomic_load(&worker->node->own->pace),
	};
	uint32_t slot = node_map_slot(map, worker->task);

	if (pace.seconds > 0)
		paces_add_task(blob, &pace, slot, sampling(map->tasks));
	if (slot)
		return;
	pace.number = pace.node;
	pace.seconds = node_pace(run);
	if (pace.seconds > 0)
		paces_add_node(blob, &pace, sampling(map->nodes));
}

void slow_collect(struct test_run *run, struct slow *slow)
{
	struct text blob = {0};

	*slow = (struct slow){0};
	/* All tasks began the phase or none did, so all make the collective calls below or none. */
	if (!run->worker.row.begin_ns || run->plan->map.tasks == 1)
		return;
	paces_start(&blob);
	add_own(run, &blob);
	comm_fold(&run->crew->comm, &blob, paces_merge, NULL, run->worker.idle);
	if (leads_test(run)) {
		const struct measure *measure = run->worker.measure;
		double seconds = (double)(measure->close_end.last - measure->begin.first) / 1e9;

		slow_judge(slow, &blob, seconds >= shortest_judged);
	}
	text_release(&blob);
}
