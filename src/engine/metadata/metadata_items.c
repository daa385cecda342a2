/*
 * Number of operations of a metadata phase: by the plan, and of items at most as many as a
 * stonewall let tasks make.
 */
#include "engine/metadata/metadata.h"

#include "engine/metadata/metadata_state.h"

/* Number of the source's items that this repetition made up to its stonewall. */
static uint64_t made_by(struct worker *worker, enum item_kind kind, uint32_t source)
{
	const struct metadata *test = worker->trees->metadata;
	uint64_t mine = worker->metadata->made[kind], numbers[] = {mine, ~mine};

	comm_most_of_late(&worker->crew->comm, numbers, 2, worker->idle);
	if (test->shared_file || numbers[0] == ~numbers[1])
		return numbers[0];
	if (test->collective_create)
		return plan_items_among(worker->trees, numbers[0], source);
	return comm_ask(&worker->crew->comm, (int)source, mine, worker->idle);
}

uint64_t metadata_items(struct worker *worker, enum item_kind kind, uint32_t source)
{
	const uint64_t planned = plan_items_of(worker->trees, source);

	if (!worker->trees->metadata->create)
		return worker_known(worker, planned);
	return worker->trees->test->stonewall > 0 ? made_by(worker, kind, source) : planned;
}

uint64_t metadata_made_of_each(const struct plan *plan, uint64_t least, uint64_t most)
{
	const uint32_t last = plan->map.tasks - 1;

	if (plan->metadata->shared_file)
		return most; /* task 0 made them for all */
	if (plan->metadata->collective_create) {
		/* Task 0 made the items of one owner after the other. */
		least = plan_items_among(plan, most, last);
		most = plan->tree.items;
	}
	/* The last owners may have one item fewer by the plan, and then have made all. */
	return least < plan_items_of(plan, last) ? least : most;
}

/* Task 0 makes the items of all tasks, or the files that all share. */
static uint64_t items_to_make(const struct worker *worker, enum phase_kind kind)
{
	const struct plan *plan = worker->trees;

	if (metadata_is_collective(plan, kind))
		return worker->task ? 0 : plan->files;
	if (worker->task && plan->metadata->shared_file && kind == PHASE_FILE_CREATE)
		return 0;
	return plan_items_of(plan, worker->task);
}

static uint64_t directories_of_trees(const struct plan *plan)
{
	return plan->tree.directories * plan->tree.trees;
}

/*
 * Number of the source's directories that this task lists, in turn with the tasks that share its
 * trees.
 */
static uint64_t directories_to_list(const struct plan *plan, uint32_t source)
{
	const struct listing listing = metadata_listing(plan, source);
	uint64_t there = directories_of_trees(plan);

	return there > listing.first ? (there - listing.first + listing.step - 1) / listing.step
				     : 0;
}

uint64_t metadata_available(struct worker *worker, enum phase_kind kind, uint32_t source)
{
	const struct plan *plan = worker->trees;
	uint64_t there;

	switch (kind) {
	case PHASE_TREE_CREATE:
	case PHASE_TREE_REMOVE:
		return metadata_keeps_tree(worker) ? directories_of_trees(plan) : 0;
	case PHASE_LIST:
		return directories_to_list(plan, source);
	case PHASE_DIR_CREATE:
	case PHASE_FILE_CREATE:
		return items_to_make(worker, kind);
	default:
		break;
	}
	there = metadata_items(worker, metadata_item(kind), source);
	/* Task 0 alone removes shared files. */
	return worker->task && plan->metadata->shared_file && kind == PHASE_FILE_REMOVE ? 0 : there;
}
