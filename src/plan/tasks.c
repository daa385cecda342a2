/* Chooses the tasks of the job that take part in a test, and each task's share of the work. */
#include "plan/plan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/units.h"

static uint32_t tasks_least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* How many tasks take part when each node gives at most `most` of its own. */
static uint64_t tasks_below(const uint32_t *counts, uint32_t nodes, uint32_t most)
{
	uint64_t tasks = 0;

	for (uint32_t i = 0; i < nodes; i++)
		tasks += tasks_least(counts[i], most);
	return tasks;
}

/*
 * Reduces each node's count to the tasks that take part: one of each node, then the second of each
 * …
 */
static void spread(uint32_t *counts, uint32_t nodes, uint32_t tasks)
{
	uint32_t low = 0, high = tasks; /* `low` tasks of each node are never too many */

	while (low < high) {
		uint32_t middle = low + (high - low + 1) / 2;

		if (tasks_below(counts, nodes, middle) <= tasks)
			low = middle;
		else
			high = middle - 1;
	}
	uint64_t left = tasks - tasks_below(counts, nodes, low);

	for (uint32_t i = 0; i < nodes; i++) {
		bool one_more = left && counts[i] > low;

		counts[i] = tasks_least(counts[i], low) + one_more;
		left -= one_more;
	}
}

static void pack(uint32_t *counts, uint32_t nodes, uint32_t tasks)
{
	for (uint32_t i = 0; i < nodes; i++) {
		counts[i] = tasks_least(counts[i], tasks);
		tasks -= counts[i];
	}
}

static void tasks_choose(struct plan *plan, const struct node_map *from, uint32_t tasks)
{
	uint32_t *counts;

	if (plan->test->placement == PLACEMENT_FIRST || tasks == from->tasks) {
		node_map_prefix(&plan->map, from, tasks);
		return;
	}
	counts = node_map_counts(from);
	if (plan->test->placement == PLACEMENT_SPREAD)
		spread(counts, from->nodes, tasks);
	else
		pack(counts, from->nodes, tasks);
	node_map_within(&plan->map, from, counts);
	free(counts);
}

/* If more tasks are wanted than exist, all take part, as in IOR. */
static uint32_t count_tasks(const struct plan *plan, const struct facts *facts)
{
	uint64_t wanted = plan->test->num_tasks;

	return wanted && wanted < facts->map->tasks ? (uint32_t)wanted : facts->map->tasks;
}

/* Scripts for IOR may say where its tasks run; here the real nodes decide. */
static int check_placement(const struct plan *plan, struct error *err)
{
	const struct test *test = plan->test;
	uint32_t first = node_map_tasks_on(&plan->map, node_map_node(&plan->map, 0));

	if (test->num_nodes > 0 && test->num_nodes != plan->map.nodes)
		return error_input(err,
				   "num_nodes: %" PRId64 " is given, but the %" PRIu32
				   " tasks of the test run on %" PRIu32
				   "; remove it, or place the tasks so",
				   test->num_nodes, plan->map.tasks, plan->map.nodes);
	if (test->num_tasks_on_node_0 > 0 && test->num_tasks_on_node_0 != first)
		return error_input(
			err,
			"num_tasks_on_node_0: %" PRId64 " is given, but %" PRIu32
			" tasks of the test run on the first node; remove it, or place the tasks "
			"so",
			test->num_tasks_on_node_0, first);
	return 0;
}

int plan_take_tasks(struct plan *plan, const struct facts *facts, struct error *err)
{
	plan->own_files = 1;
	tasks_choose(plan, facts->map, count_tasks(plan, facts));
	plan->sleeping_tasks = facts->map->tasks - plan->map.tasks;
	return check_placement(plan, err);
}

/* The tree tells how many items each task would have without scaling. */
static int refuse_per_dir(const struct plan *plan, struct error *err)
{
	struct tree tree;

	if (tree_build(&tree, plan->metadata, err))
		return -1;
	return error_input(
		err,
		"scaling: strong shares the items of all tasks, and items_per_dir (-I) alone "
		"counts those of each; add -n, the number of items of all tasks, "
		"such as -n %" PRIu64 " for as many as without scaling",
		tree.items * plan->map.tasks);
}

/* Shared files and mixes need equally many items on each task. */
static int tasks_check_items(const struct plan *plan, struct error *err)
{
	const struct metadata *test = plan->metadata;
	uint64_t tasks = plan->map.tasks;

	if (!test->items)
		return refuse_per_dir(plan, err);
	if (test->items % tasks && (test->shared_file || test->mix))
		return error_input(err,
				   "items: %" PRIu64 " cannot be shared by %" PRIu64
				   " tasks (scaling=strong) evenly, and %s needs that; use a "
				   "multiple of %" PRIu64 ", "
				   "such as -n %" PRIu64 "; in a study, of each number of tasks",
				   test->items, tasks, test->mix ? "a mix" : "shared_file (-S)",
				   tasks, test->items + tasks - test->items % tasks);
	return 0;
}

int plan_share_items(struct plan *plan, uint64_t *items, struct error *err)
{
	uint64_t tasks = plan->map.tasks, more;

	*items = plan->metadata->items;
	if (plan->test->scaling == SCALING_WEAK || plan->metadata->cleanup ||
	    metadata_only_trees(plan->metadata))
		return 0;
	if (tasks_check_items(plan, err))
		return -1;
	more = *items % tasks;
	if (more)
		plan->full_tasks = (uint32_t)more;
	*items = *items / tasks + (more > 0);
	return 0;
}

int plan_share_work(const struct plan *plan, uint64_t *block, uint64_t *segments, struct error *err)
{
	const struct test *test = plan->test;
	uint64_t tasks = plan->map.tasks;
	char size[32], transfer[32];

	*block = test->block_size;
	*segments = test->segment_count;
	if (test->scaling == SCALING_WEAK)
		return 0;
	if (test->segment_count > 1 && test->segment_count % tasks)
		return error_input(err,
				   "segment_count: %" PRIu64 " cannot be shared by %" PRIu64
				   " tasks (scaling=strong); use a multiple of %" PRIu64,
				   test->segment_count, tasks, tasks);
	if (test->segment_count > 1) {
		*segments /= tasks;
		return 0;
	}
	units_format_size(test->block_size, size, sizeof(size));
	units_format_size(test->transfer_size, transfer, sizeof(transfer));
	if (test->block_size / test->transfer_size % tasks)
		return error_input(err,
				   "block_size: %s in transfers of %s cannot be shared by %" PRIu64
				   " tasks (scaling=strong); use a multiple of %" PRIu64
				   " transfers",
				   size, transfer, tasks, tasks);
	*block /= tasks;
	return 0;
}
