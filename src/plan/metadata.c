/* The plan of a metadata test: exactly what every task will do, or why the test cannot run. */
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "base/content_room.h"
#include "plan/item_walk.h"
#include "plan/plan.h"

static int check_options(const struct plan *plan, struct error *err)
{
	const struct metadata *test = plan->metadata;
	const struct backend *backend = plan->backend;

	if (plan->test->queue_depth > 1 && !backend->submit_metadata)
		return error_input(err,
				   "queue_depth: %s does one metadata operation at a time; leave "
				   "queue_depth out, or use uring",
				   backend->name);
	if (plan->test->queue_depth > 1 && test->mknod)
		return error_input(
			err,
			"mknod: it cannot be queued, as io_uring has no such operation; leave -k "
			"or queue_depth out");
	if (backend->prefixes && !test->files_only && !test->cleanup && !metadata_only_finds(test))
		return error_input(err,
				   "files_only: directories of %s are prefixes of names, and none "
				   "can be made or removed as an item; add -F",
				   backend->name);
	if ((test->verify_read || test->verify_write) && backend->ignores_buffers)
		return error_input(
			err, "verify_read: %s moves no data that could be compared; leave it out",
			backend->name);
	if (plan->test->status_file && *plan->test->status_file && plan->test->stonewall > 0 &&
	    test->create && test->collective_create && !test->shared_file)
		return error_input(
			err,
			"status_file: with collective_create (-c) task 0 makes the items of "
			"one task after the other, so at the stonewall (-W) some tasks have none, "
			"and one number cannot describe all tasks; leave -c, -W or -x out");
	return 0;
}

/*
 * Renames depend on each other, as each takes the name that the previous one left. Trees and lists
 * work on directories. A file with data needs several calls: open, transfers and close.
 */
static bool can_be_queued(const struct metadata *test, enum phase_kind kind)
{
	switch (kind) {
	case PHASE_DIR_CREATE:
	case PHASE_DIR_STAT:
	case PHASE_DIR_REMOVE:
	case PHASE_FILE_STAT:
	case PHASE_FILE_REMOVE:
		return true;
	case PHASE_FILE_CREATE:
		return !test->write_bytes && !test->fsync;
	case PHASE_FILE_READ:
		return !test->read_bytes;
	default:
		return false;
	}
}

bool plan_gives_relative(const struct plan *plan, enum phase_kind kind)
{
	return plan->metadata->names == NAMES_RELATIVE && kind != PHASE_TREE_CREATE &&
	       kind != PHASE_TREE_REMOVE && kind != PHASE_LIST && kind != PHASE_FIND;
}

uint64_t plan_items_among(const struct plan *plan, uint64_t made, uint32_t owner)
{
	uint64_t less = owner > plan->full_tasks ? owner - plan->full_tasks : 0;
	uint64_t before = owner * plan->tree.items - less, items = plan_items_of(plan, owner);

	if (made <= before)
		return 0;
	return made - before < items ? made - before : items;
}

/* Directories are dealt to the tasks in turn, so at most one task per directory lists. */
static uint32_t listing_tasks(const struct plan *plan)
{
	uint64_t each = plan->tree.directories * plan->tree.trees;

	return each < plan->map.tasks / plan->path_count ? (uint32_t)(each * plan->path_count)
							 : plan->map.tasks;
}

uint32_t plan_working_tasks(const struct plan *plan, enum phase_kind kind)
{
	const struct metadata *test = plan->metadata;
	/* tasks that have items */
	uint32_t tasks = plan->tree.items == 1 ? plan->full_tasks : plan->map.tasks;
	switch (kind) {
	case PHASE_TREE_CREATE:
	case PHASE_TREE_REMOVE:
		return test->unique_dir ? plan->map.tasks : plan->path_count;
	case PHASE_LIST:
		return test->unique_dir ? plan->map.tasks : listing_tasks(plan);
	case PHASE_DIR_CREATE:
	case PHASE_FILE_CREATE:
		return test->shared_file || test->collective_create ? 1 : tasks;
	case PHASE_FILE_REMOVE:
		return test->shared_file ? 1 : tasks;
	case PHASE_FIND:
		return plan->map.tasks;
	default:
		return tasks;
	}
}

static int check_queue(const struct plan *plan, struct error *err)
{
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (plan->phases[i].queue_depth == plan->queue_depth)
			return 0;
	if (!plan->phase_count)
		return 0;
	return error_input(
		err, "queue_depth: no phase of this test can be queued, as trees, renames, lists, "
		     "mixes, finds and files with data go one at a time; leave it out");
}

static int list_phases(struct plan *plan, struct error *err)
{
	const struct metadata *test = plan->metadata;
	const bool items = !metadata_only_trees(test);
	const bool directories = items && !test->files_only,
		   files = items && !test->directories_only;
	/*
	 * Lists and finds run while items exist. If both kinds are made, these are the files, as
	 * the directories are removed before the files are created.
	 */
	const struct {
		enum phase_kind kind;
		bool wanted;
	} all[] = {
		{PHASE_TREE_CREATE, test->create},
		{PHASE_DIR_CREATE, test->create && directories},
		{PHASE_DIR_STAT, test->stat && directories},
		{PHASE_DIR_RENAME, test->rename && directories},
		{PHASE_LIST, test->list && !files},
		{PHASE_FIND, test->find && !files},
		{PHASE_DIR_REMOVE, test->remove && directories},
		{PHASE_FILE_CREATE, test->create && files},
		{PHASE_FILE_STAT, test->stat && files},
		{PHASE_FILE_READ, test->read && files},
		{PHASE_LIST, test->list && files},
		{PHASE_FIND, test->find && files},
		{PHASE_MIX, test->mix},
		{PHASE_FILE_REMOVE, test->remove && files},
		{PHASE_TREE_REMOVE, test->remove},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].wanted && !test->cleanup)
			plan->phases[plan->phase_count++] = (struct phase_plan){
				.kind = all[i].kind,
				.access = ACCESS_READ,
				.grown = all[i].kind == PHASE_FILE_CREATE && directories,
				.queue_depth =
					can_be_queued(test, all[i].kind) ? plan->queue_depth : 1,
			};
	return check_queue(plan, err);
}

/* A stride of N shifts by N nodes, or by N tasks if all are on one node. */
static void build_shifts(struct plan *plan)
{
	uint64_t stride = plan->metadata->stride % plan->map.tasks;

	for (unsigned i = 0; i < STRIDES; i++) {
		struct reader_map *shift = &plan->shifts[i];

		reader_map_build(shift, &plan->map, true, i * stride);
		if (plan->map.nodes > 1 || shift->order == READERS_SELF)
			continue;
		shift->shift = (uint32_t)(i * stride % plan->map.tasks);
		if (!shift->shift)
			shift->order = READERS_SELF;
	}
	reader_map_make_distinct(plan->shifts + 1, STRIDES - 1, &plan->map);
}

static int check_paths(struct plan *plan, struct error *err)
{
	char target[PLAN_PATH_SIZE];

	for (uint32_t i = 0; i < plan->path_count && !metadata_only_finds(plan->metadata); i++) {
		plan_base(plan, i, target);
		size_t length = tree_longest_path(
			&plan->tree, target, test_repetitions_most(plan->test), plan->map.tasks);

		if (plan->name_size <= length)
			plan->name_size = length + 1;
		if (length < ITEM_PATH_SIZE)
			continue;
		return error_input(err,
				   "depth: paths of its items would be longer than %d bytes; lower "
				   "depth, or give a shorter dir",
				   ITEM_PATH_SIZE - 1);
	}
	return 0;
}

/* Counts the test's directories. */
static int count_paths(struct plan *plan, struct error *err)
{
	if (plan_count_paths(plan, err))
		return -1;
	if (plan->metadata->shared_file && plan->path_count > 1)
		return error_input(err, "dir: shared files (-S) lie in one directory; give one, or "
					"leave shared_file out");
	/* A find walks all directories, also if there are fewer tasks. */
	if (plan->path_count > plan->map.tasks && !metadata_only_finds(plan->metadata))
		plan->path_count = plan->map.tasks;
	return 0;
}

static int count_items(struct plan *plan, struct error *err)
{
	enum { OWN_BYTES = 1 << 20, QUEUE_BYTES = 1 << 15, SLOT_BYTES = 512 };
	const struct metadata *test = plan->metadata;
	const struct tree *tree = &plan->tree;
	uint64_t makers = metadata_only_finds(test) ? 0
			  : test->unique_dir	    ? plan->map.tasks
						    : plan->path_count;
	uint64_t each;

	if (__builtin_mul_overflow(tree->items, (uint64_t)(test->shared_file ? 1 : plan->map.tasks),
				   &plan->files))
		return error_input(err,
				   "items: there would be more than 2^64 of all tasks; use less");
	plan->files -= plan->map.tasks - plan->full_tasks;
	if (__builtin_mul_overflow(tree->directories, tree->trees, &each) ||
	    __builtin_mul_overflow(each, makers, &plan->directories))
		return error_input(err, "depth: the trees of all tasks would have more than 2^64 "
					"directories; lower depth, branch or items");
	plan->transfers_per_task = tree->items;
	plan->queue_depth = plan->test->queue_depth;
	plan->buffers = 1;
	plan->transfer_bytes =
		test->write_bytes > test->read_bytes ? test->write_bytes : test->read_bytes;
	plan->largest_call = plan->transfer_bytes;
	plan->file_size = test->write_bytes ? test->write_bytes : plan->transfer_bytes;
	if (plan->transfer_bytes > (UINT64_C(1) << 40))
		return error_input(
			err, "write_bytes: a file is written by one call from memory; use less");
	if (!plan->backend->ignores_buffers)
		plan->buffer_bytes = content_room(plan->transfer_bytes, false);
	plan->memory_per_task =
		OWN_BYTES + plan->buffer_bytes + (plan->buffer_bytes ? CONTENT_POOL : 0);
	if (plan->queue_depth > 1)
		plan->memory_per_task +=
			QUEUE_BYTES + plan->queue_depth * (SLOT_BYTES + plan->name_size);
	plan->most_tasks_on_node = node_map_most_tasks(&plan->map);
	return 0;
}

static int build_mix(struct plan *plan, struct error *err)
{
	if (!plan->metadata->mix)
		return 0;
	if (mix_build(&plan->mix, plan->metadata, plan->tree.items, plan->map.tasks, err))
		return -1;
	mix_make_pattern(&plan->mix, plan->metadata, plan->tree.items, plan->map.tasks,
			 &plan->pattern);
	return 0;
}

static int build_tree(struct plan *plan, struct error *err)
{
	struct metadata shared = *plan->metadata;

	plan->full_tasks = plan->map.tasks;
	if (predicates_build(&plan->predicates, plan->metadata, err))
		return -1;
	/* A pure find walks an existing tree of unknown shape. */
	if (metadata_only_finds(plan->metadata))
		return tree_build(&plan->tree, &(struct metadata){.branch = 1}, err);
	return plan_share_items(plan, &shared.items, err) || tree_build(&plan->tree, &shared, err)
		       ? -1
		       : 0;
}

int plan_build_metadata(struct plan *plan, const struct test *test, const struct metadata *metadata,
			const struct backend *backend, const struct facts *facts, struct error *err)
{
	*plan = (struct plan){.test = test, .metadata = metadata, .backend = backend};
	if (plan_take_tasks(plan, facts, err) || check_options(plan, err) ||
	    build_tree(plan, err) || build_mix(plan, err) || count_paths(plan, err) ||
	    check_paths(plan, err) || count_items(plan, err) || list_phases(plan, err) ||
	    plan_check_operations(plan, err) || plan_count_memory_hog(plan, facts, err)) {
		plan_release(plan);
		return -1;
	}
	plan->geometry = (struct geometry){
		.tasks = plan->map.tasks,
		.block = plan->file_size ? plan->file_size : 1,
		.transfer = plan->transfer_bytes ? plan->transfer_bytes : 1,
		.segments = 1,
	};
	build_shifts(plan);
	return 0;
}
