/* The trees in which a load's items lie. */
#include "plan/load.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

/* The plan of the trees of a load's items, and what it points to. */
struct item_trees {
	struct plan plan;
	struct metadata options;
	char dir[PLAN_PATH_SIZE];
};

/* The directory of the items; by default one beside the first data file. */
static void choose_directory(const struct plan *plan, const struct load *load, char *dir)
{
	char base[PLAN_PATH_SIZE];

	if (load->dir && *load->dir) {
		snprintf(dir, PLAN_PATH_SIZE, "%s", load->dir);
		return;
	}
	plan_base(plan, 0, base);
	snprintf(dir, PLAN_PATH_SIZE, "%.*s.items", PLAN_PATH_SIZE - 8, base);
}

/* True if the backend has what an operation of a load needs beyond the trees. */
static bool backend_can(const struct backend *backend, enum load_kind kind)
{
	switch (kind) {
	case LOAD_ACCESS:
		return backend->access;
	case LOAD_OPEN:
		return backend->open_close;
	case LOAD_APPEND:
		return backend->size && !backend->whole_files;
	case LOAD_RMW:
		return backend->random_access;
	case LOAD_TRUNCATE:
		return backend->truncate;
	case LOAD_CHMOD:
		return backend->chmod;
	case LOAD_FSYNC:
		return backend->sync;
	case LOAD_LIST:
		return backend->list;
	case LOAD_RENAME:
		return backend->rename;
	default:
		return true;
	}
}

static int load_trees_check_items(const struct plan *plan, struct error *err)
{
	const struct load_pattern *pattern = &plan->pattern;

	if (plan->test->queue_depth > 1)
		return error_input(err, "queue_depth: operations on names and small files are made "
					"one at a time; leave queue_depth out and start more "
					"tasks, or run them as a load of their own beside this "
					"one");
	if (plan->load->byte_rate)
		return error_input(err, "byte_rate: operations on names move no bytes; give rate");
	if (!load_pattern_moves_data(pattern) &&
	    (plan->load->sync != WRITE_SYNC_NONE || plan->load->lock != LOAD_LOCK_NONE))
		return error_input(err,
				   "%s: it is for reads and writes, which operations does not "
				   "have; leave it out",
				   plan->load->sync != WRITE_SYNC_NONE ? "sync" : "lock");
	for (enum load_kind kind = LOAD_DATA_KINDS; kind < LOAD_KINDS; kind++)
		if (plan_load_has(pattern, kind) && !backend_can(plan->backend, kind))
			return error_input(err,
					   "api: %s cannot do %s, which operations asks for; leave "
					   "%s out, or use posix",
					   plan->backend->name, load_kind_names[kind],
					   load_kind_names[kind]);
	return 0;
}

int load_trees_build(struct plan *plan, const struct facts *facts, struct error *err)
{
	const struct load *load = plan->load;
	struct item_trees *trees;

	if (!load_pattern_has_items(&plan->pattern))
		return 0;
	if (load_trees_check_items(plan, err))
		return -1;
	trees = memory_allocate(1, sizeof(*trees));
	choose_directory(plan, load, trees->dir);
	trees->options = (struct metadata){
		.dir = trees->dir,
		.create = true,
		.remove = true,
		.files_only = !plan->pattern.items.directories.start,
		.items = load->items,
		.branch = load->branch,
		.depth = load->depth,
		.unique_dir = true,
		.write_bytes = load->item_bytes,
		.read_bytes = load->item_bytes,
		.verify_read = plan->test->check_read,
		.max_errors = UINT64_MAX,
	};
	if (plan_build_metadata(&trees->plan, plan->layout, &trees->options, plan->backend, facts,
				err)) {
		free(trees);
		return -1;
	}
	plan->names = &trees->plan;
	return 0;
}
