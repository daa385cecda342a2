/*
 * Metadata phases around their timed part: trees of each task, test directories, open directories.
 */
#include "engine/metadata/metadata.h"

#include <unistd.h>

#include "base/memory.h"
#include "engine/metadata/metadata_state.h"
#include "engine/metadata/test_directories.h"
#include "plan/item_walk.h"

struct item_owner metadata_owner(const struct worker *worker, uint32_t owner, uint64_t repetition,
				 char *target)
{
	if (worker->trees->metadata->shared_file)
		owner = 0;
	plan_base(worker->trees, plan_base_of(worker->trees, owner, 0), target);
	return (struct item_owner){
		.target = target,
		.repetition = repetition,
		.task = owner,
		.unique = worker->trees->metadata->unique_dir,
		.shared = worker->trees->metadata->shared_file,
	};
}

bool metadata_keeps_tree(const struct worker *worker)
{
	return worker->trees->metadata->unique_dir || worker->task < worker->trees->path_count;
}

struct tree_path *metadata_own_path(const struct worker *worker, uint64_t repetition)
{
	char target[PLAN_PATH_SIZE];
	const struct item_owner owner = metadata_owner(worker, worker->task, repetition, target);
	struct tree_path *path = memory_allocate(1, sizeof(*path));

	tree_path_start(path, &worker->trees->tree, &owner);
	return path;
}

/* Owners of a shared tree list its directories in turn, and each owner is handled by one task. */
struct listing metadata_listing(const struct plan *plan, uint32_t owner)
{
	uint32_t target = plan_base_of(plan, owner, 0);

	if (plan->metadata->unique_dir)
		return (struct listing){.step = 1};
	return (struct listing){
		.first = owner / plan->path_count,
		.step = (plan->map.tasks - target + plan->path_count - 1) / plan->path_count,
	};
}

bool metadata_is_collective(const struct plan *plan, enum phase_kind kind)
{
	return phase_creates_items(kind) && plan->metadata->collective_create &&
	       !plan->metadata->shared_file;
}

/* Number of the source's items that the phase works on; task 0 may make those of all tasks. */
static uint64_t metadata_items_of(const struct worker *worker, enum phase_kind kind)
{
	uint64_t items = kind == PHASE_MIX ? worker->metadata->other_files : worker->available;

	return items < worker->trees->tree.items ? items : worker->trees->tree.items;
}

/*
 * Opens the directories of the first items that fit into the cache; others are opened on the way. A
 * directory that cannot be opened is tried again by each operation in it, and these failures are
 * counted.
 */
static void open_directories(struct worker *worker, uint64_t items, uint32_t source,
			     uint64_t repetition)
{
	enum { AHEAD = 512 };
	const struct tree *tree = &worker->trees->tree;
	uint64_t needed = tree_directories_of(tree, items);
	struct item_owner owner;
	struct tree_path path;
	struct error counted_later;
	char target[PLAN_PATH_SIZE];

	if (!worker->metadata->directories || tree->directories * tree->trees > AHEAD ||
	    worker->trees->metadata->time_unique_dir)
		return;
	owner = metadata_owner(worker, source, repetition, target);
	tree_path_start(&path, tree, &owner);
	for (uint64_t number = 0; number < needed; number++) {
		tree_path_directory(&path, number / tree->directories, number % tree->directories);
		if (tree_items_of(tree, number % tree->directories))
			directories_get(worker->metadata->directories, worker, owner.task, number,
					false, path.path, &counted_later);
	}
}

void metadata_start_content(struct worker *worker)
{
	worker->metadata->content = worker->content;
}

int metadata_prepare(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		     uint64_t repetition, struct error *err)
{
	metadata_start_content(worker);
	if (phase->kind == PHASE_TREE_CREATE)
		return test_directories_make(worker, repetition, err);
	if (phase->kind == PHASE_TREE_REMOVE || phase->kind == PHASE_LIST)
		return 0;
	if (phase_operation(phase->kind) == OPERATION_RENAME && worker->available &&
	    naming_check_spare(worker, phase, source, repetition, err))
		return -1;
	worker->metadata->directories = directories_create(worker);
	open_directories(worker, metadata_items_of(worker, phase->kind), source, repetition);
	return 0;
}

uint64_t metadata_sync(struct worker *worker, uint64_t done_ns)
{
	if (!worker->trees->metadata->sync_phases)
		return done_ns;
	node_set_activity(worker->node, ACTIVITY_WAITING);
	comm_wait_for_all(&worker->crew->comm, worker->idle);
	node_set_activity(worker->node, ACTIVITY_SYNC);
	if (worker->backend->files && crew_leads_node(worker->crew))
		sync();
	worker->measure->syncs_at_end = 1;
	return clock_now(worker->clock);
}

void metadata_close(struct worker *worker)
{
	directories_release(worker->metadata->directories, worker);
	worker->metadata->directories = NULL;
}

void metadata_finish(struct worker *worker, const struct phase_plan *phase, uint64_t repetition)
{
	if (phase->kind == PHASE_TREE_REMOVE)
		test_directories_remove(worker, repetition);
}
