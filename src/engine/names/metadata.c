/* Metadata phases around their timed part: trees, test directories, how much there is to do. */
#include "engine/names/metadata.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "engine/names/mix.h"
#include "engine/names/test_directories.h"
#include "plan/item_walk.h"

struct item_owner metadata_owner(const struct worker *worker, uint32_t owner, uint64_t repetition,
				 char *target)
{
	if (worker->plan->metadata->shared_file)
		owner = 0;
	plan_base(worker->plan, plan_base_of(worker->plan, owner), target);
	return (struct item_owner){
		.target = target,
		.repetition = repetition,
		.task = owner,
		.unique = worker->plan->metadata->unique_dir,
		.shared = worker->plan->metadata->shared_file,
	};
}

bool metadata_keeps_tree(const struct worker *worker)
{
	return worker->plan->metadata->unique_dir || worker->task < worker->plan->path_count;
}

struct tree_path *metadata_own_path(const struct worker *worker, uint64_t repetition)
{
	char target[PLAN_PATH_SIZE];
	const struct item_owner owner = metadata_owner(worker, worker->task, repetition, target);
	struct tree_path *path = memory_allocate(1, sizeof(*path));

	tree_path_start(path, &worker->plan->tree, &owner);
	return path;
}

/* Of this task's trees, for phases on them. */
static uint64_t directories_of(const struct worker *worker)
{
	const struct tree *tree = &worker->plan->tree;

	return metadata_keeps_tree(worker) ? tree->directories * tree->trees : 0;
}

static uint64_t directories_to_list(const struct plan *plan, uint32_t source)
{
	uint64_t all = plan->tree.directories * plan->tree.trees;
	struct listing listing = metadata_listing(plan, source);

	return all > listing.first ? (all - listing.first + listing.step - 1) / listing.step : 0;
}

/* Those of a shared tree in turn with the other owners in it: each owner is one task's to look after. */
struct listing metadata_listing(const struct plan *plan, uint32_t owner)
{
	uint32_t target = plan_base_of(plan, owner);

	if (plan->metadata->unique_dir)
		return (struct listing){.step = 1};
	return (struct listing){
		.first = owner / plan->path_count,
		.step = (plan->map.tasks - target + plan->path_count - 1) / plan->path_count,
	};
}

bool metadata_is_collective(const struct plan *plan, enum phase_kind kind)
{
	return phase_creates_items(kind) && plan->metadata->collective_create && !plan->metadata->shared_file;
}

/* What task 0 does alone, as the files are everybody's. */
static bool is_of_task_0(const struct plan *plan, enum phase_kind kind)
{
	return plan->metadata->shared_file &&
	       (kind == PHASE_FILE_CREATE || kind == PHASE_FILE_REMOVE);
}

/* Of source's items of a kind that this repetition made. */
static uint64_t made_by(struct worker *worker, enum item_kind kind, uint32_t source)
{
	const struct metadata *test = worker->plan->metadata;
	uint64_t mine = worker->made[kind];
	uint64_t numbers[] = {mine, ~mine};

	comm_most_of_late(worker->comm, numbers, 2, worker->idle);
	if (test->shared_file || numbers[0] == ~numbers[1])
		return numbers[0];
	if (test->collective_create)
		return plan_items_among(worker->plan, numbers[0], source);
	return comm_ask(worker->comm, (int)source, mine, worker->idle);
}

uint64_t metadata_least_made(const struct plan *plan, uint64_t least, uint64_t most)
{
	if (plan->metadata->shared_file)
		return most; /* task 0's, of all */
	if (!plan->metadata->collective_create)
		return least;
	/* Task 0's, of one owner after the other. */
	return plan_items_among(plan, most, plan->map.tasks - 1);
}

/* By the plan, or of what a status file told. */
static uint64_t planned(const struct worker *worker, uint32_t source)
{
	uint64_t items = plan_items_of(worker->plan, source);

	return worker->status_count && worker->status_count < items ? worker->status_count : items;
}

uint64_t metadata_made_by(struct worker *worker, enum item_kind kind, uint32_t source)
{
	return worker->plan->metadata->create ? made_by(worker, kind, source) : planned(worker, source);
}

uint64_t metadata_available(struct worker *worker, enum phase_kind kind, uint32_t source)
{
	const struct plan *plan = worker->plan;
	uint64_t there;

	switch (kind) {
	case PHASE_TREE_CREATE:
	case PHASE_TREE_REMOVE:
		return directories_of(worker);
	case PHASE_LIST:
		return directories_to_list(plan, source);
	case PHASE_FIND:
		return 0; /* what there is will be seen */
	case PHASE_MIX:
		return mix_available(worker, source);
	case PHASE_DIR_CREATE:
	case PHASE_FILE_CREATE:
		if (metadata_is_collective(plan, kind))
			return worker->task ? 0 : plan->files;
		return worker->task && is_of_task_0(plan, kind)
			       ? 0
			       : plan_items_of(plan, worker->task);
	default:
		break;
	}
	there = metadata_made_by(worker, phase_is_of_files(kind) ? ITEM_FILE : ITEM_DIRECTORY, source);
	return worker->task && is_of_task_0(plan, kind) ? 0 : there;
}

/* Those that fit into what is held; the others are opened on the way. */
static int open_directories(struct worker *worker, uint32_t source, uint64_t repetition,
			    struct error *err)
{
	enum { AHEAD = 512 };
	const struct tree *tree = &worker->plan->tree;
	uint64_t all = tree->directories * tree->trees;
	struct item_owner owner;
	struct tree_path path;
	char target[PLAN_PATH_SIZE];

	if (!worker->directories || !worker->available || all > AHEAD ||
	    worker->plan->metadata->time_unique_dir)
		return 0;
	owner = metadata_owner(worker, source, repetition, target);
	tree_path_start(&path, tree, &owner);
	for (uint64_t number = 0; number < all; number++) {
		tree_path_directory(&path, number / tree->directories, number % tree->directories);
		if (tree_items_of(tree, number % tree->directories) &&
		    !directories_get(worker->directories, worker, owner.task, number, false, path.path,
				     err)) {
			snprintf(worker->path, sizeof(worker->path), "%s", path.path);
			return -1;
		}
	}
	return 0;
}

int metadata_prepare(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		     uint64_t repetition, struct error *err)
{
	if (phase->kind == PHASE_TREE_CREATE)
		return test_directories_make(worker, repetition, err);
	if (phase->kind == PHASE_TREE_REMOVE || phase->kind == PHASE_LIST)
		return 0;
	if (phase_operation(phase->kind) == OPERATION_RENAME && worker->available &&
	    naming_check_spare(worker, phase, source, repetition, err))
		return -1;
	worker->directories = directories_create(worker);
	return open_directories(worker, source, repetition, err);
}

uint64_t metadata_sync(struct worker *worker, uint64_t done_ns)
{
	if (!worker->plan->metadata->sync_phases)
		return done_ns;
	node_say(worker->node, ACTIVITY_WAITING);
	comm_wait_for_all(worker->comm, worker->idle);
	node_say(worker->node, ACTIVITY_SYNC);
	if (worker->backend->files && node_map_slot(&worker->plan->map, worker->task) == 0)
		sync();
	worker->measure->syncs_at_end = 1;
	return clock_now(worker->clock);
}

void metadata_close(struct worker *worker)
{
	directories_release(worker->directories, worker);
	worker->directories = NULL;
}

void metadata_finish(struct worker *worker, const struct phase_plan *phase, uint64_t repetition)
{
	if (phase->kind == PHASE_TREE_REMOVE)
		test_directories_remove(worker, repetition);
}
