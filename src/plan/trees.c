/* Finds tests of a job that leave trees, or miss trees, that a later test relies on. */
#include "plan/plan.h"

static bool has_path(const struct plan *plan, const char *path)
{
	char other[PLAN_PATH_SIZE];

	for (uint32_t i = 0; i < plan->path_count; i++) {
		plan_base(plan, i, other);
		if (plan_same_path(other, path))
			return true;
	}
	return false;
}

static bool meet(const struct plan *a, const struct plan *b, char *path)
{
	for (uint32_t i = 0; i < b->path_count; i++) {
		plan_base(b, i, path);
		if (has_path(a, path))
			return true;
	}
	return false;
}

/* A test that both makes and removes, or does neither, leaves the trees unchanged. */
bool plan_changes_trees(const struct plan *earlier, const struct plan *later, char *path)
{
	const struct metadata *a = earlier->metadata, *b = later->metadata;

	if (!a || !b || a->create == a->remove || a->cleanup || b->cleanup)
		return false;
	return !earlier->backend->no_storage && !later->backend->no_storage &&
	       meet(earlier, later, path);
}

static int refuse_making(const char *path, bool study, struct error *err)
{
	if (study)
		return error_input(err,
				   "create: each test of the study makes its tree anew, and would "
				   "find the one that the test before it left; remove it too (-r), "
				   "or run each test by itself, in a dir of its own");
	return error_input(
		err,
		"create: a test before this one leaves its tree in %.300s, where this one makes "
		"its own; remove that one first (-r), or give this one another dir",
		path);
}

static int refuse_missing(const char *path, bool study, struct error *err)
{
	if (study)
		return error_input(err, "remove: the first test of the study removes the tree, and "
					"the next would find none; make it too (-C), or remove it "
					"by one test of all tasks that made it");
	return error_input(err,
			   "dir: a test before this one removes the tree in %.300s, and this one "
			   "would find none; make it too (-C), or remove it later",
			   path);
}

int plan_check_trees(const struct plan *earlier, const struct plan *later, const char *path,
		     bool study, struct error *err)
{
	const struct metadata *b = later->metadata;

	if (earlier->metadata->create)
		return b->create ? refuse_making(path, study, err) : 0;
	return b->create || metadata_only_finds(b) ? 0 : refuse_missing(path, study, err);
}
