/* What a metadata test is to do: its directories and tree, items, names, whose items it goes on to. */
#include "report/page_tree.h"

#include <inttypes.h>

#include "report/page_find.h"
#include "report/page_mix.h"

static void add_directories(struct text *words, const struct plan *plan)
{
	char path[PLAN_PATH_SIZE];

	for (uint32_t i = 0; i < plan->path_count; i++) {
		plan_base(plan, i, path);
		text_add(words, "%s%s", i ? " and " : "", path);
	}
	if (plan->path_count > 1)
		text_add(words, ", taken by the tasks in turn");
}

static void add_tree(struct text *words, const struct plan *plan)
{
	const struct tree *tree = &plan->tree;

	text_add(words, "%s of %" PRIu64 " director%s",
		 plan->metadata->unique_dir ? "a tree for each task" : "one tree for all tasks",
		 tree->directories, tree->directories == 1 ? "y" : "ies");
	if (tree->directories > 1)
		text_add(words, ", %" PRIu64 " level%s deep, branching by %" PRIu64,
			 plan->metadata->depth, plan->metadata->depth == 1 ? "" : "s", tree->branch);
	if (tree->trees > 1)
		text_add(words, "; %" PRIu64 " times, each in a test directory of its own", tree->trees);
}

/* Of one tree with more room than there are items. */
static void add_first_directories(struct text *words, const struct tree *tree, const char *of)
{
	const char *deepest = tree->first ? " deepest" : "";
	uint64_t full = tree->items / tree->per_directory, rest = tree->items % tree->per_directory;

	if (full)
		text_add(words, "%" PRIu64 "%s in each of the first %" PRIu64, tree->per_directory, of, full);
	if (rest)
		text_add(words, full ? ", %" PRIu64 "%s in the next" : "%" PRIu64 "%s in the first", rest,
			 full ? "" : of);
	text_add(words, " of the %" PRIu64 "%s directories", tree->holders, deepest);
}

/* In which directories; of: " of a task", or nothing. */
static void add_spread(struct text *words, const struct tree *tree, const char *of)
{
	const char *deepest = tree->first ? " deepest" : "";

	if (tree->holders == 1) {
		text_add(words, "%" PRIu64 "%s in the directory",
			 tree->items < tree->per_directory ? tree->items : tree->per_directory, of);
	} else if (tree->items < tree->per_tree) {
		add_first_directories(words, tree, of);
		return;
	} else if (!tree->per_directory) {
		text_add(words, "one%s in each of the first %" PRIu64 " of the %" PRIu64 "%s directories", of,
			 tree->extra, tree->holders, deepest);
	} else {
		text_add(words, "%" PRIu64 "%s in each of the %" PRIu64 "%s directories", tree->per_directory,
			 of, tree->holders, deepest);
	}
	if (tree->extra && tree->per_directory)
		text_add(words, ", one more in the first %" PRIu64, tree->extra);
	if (tree->trees > 1 && tree->items % tree->per_tree)
		text_add(words, "; the last tree holds %" PRIu64, tree->items % tree->per_tree);
}

/* How many there are, and what was done that the numbers were exact. */
static void add_items(struct text *words, const struct plan *plan)
{
	const struct tree *tree = &plan->tree;

	if (plan->metadata->shared_file)
		text_add(words, "%" PRIu64 " for all tasks together; ", plan->files);
	else if (plan->full_tasks < plan->map.tasks)
		text_add(words, "%" PRIu64 " of each of the first %" PRIu32 " task%s, %" PRIu64 " of the others, "
				"%" PRIu64 " in all; ",
			 tree->items, plan->full_tasks, plan->full_tasks == 1 ? "" : "s", tree->items - 1,
			 plan->files);
	else
		text_add(words, "%" PRIu64 " of each task, %" PRIu64 " in all; ", tree->items, plan->files);
	add_spread(words, tree, plan->metadata->shared_file ? "" : " of a task");
}

/* And what goes one at a time nevertheless. */
static void add_queue(struct text *words, const struct plan *plan)
{
	unsigned count = 0;

	if (plan->queue_depth == 1)
		return;
	text_add(words, "; up to %" PRIu64 " of a task in flight", plan->queue_depth);
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (plan->phases[i].queue_depth == 1)
			text_add(words, "%s%s", count++ ? ", " : "; one at a time: ",
				 phase_name(plan->phases[i].kind));
}

static bool makes_files(const struct plan *plan)
{
	return !plan->metadata->directories_only &&
	       (plan->metadata->create || plan->mix.shares[MIX_CREATE] > 0);
}

static void add_making(struct text *words, const struct plan *plan)
{
	const struct metadata *test = plan->metadata;

	if (makes_files(plan) && test->write_bytes)
		text_add(words, "; %" PRIu64 " bytes are written to each file", test->write_bytes);
	if (makes_files(plan) && test->fsync)
		text_add(words, "; an fsync before each close");
	if (makes_files(plan) && test->mknod)
		text_add(words, "; files are made by mknod");
	if (test->create && test->collective_create)
		text_add(words, "; task 0 creates everything");
}

static void add_names(struct text *words, const struct plan *plan)
{
	const struct metadata *test = plan->metadata;

	if (test->names == NAMES_RELATIVE)
		text_add(words, "relative to their directory, which is held open; trees, lists "
				"and finds by whole paths");
	else
		text_add(words, "whole paths");
	add_queue(words, plan);
	add_making(words, plan);
	if (test->read_bytes && !test->directories_only)
		text_add(words, "; %" PRIu64 " bytes are read%s", test->read_bytes,
			 test->verify_read ? " and compared" : "");
	if (test->shared_file)
		text_add(words, "; all tasks have to do with the same files, which task 0 makes");
	if (test->names == NAMES_RELATIVE && test->time_unique_dir)
		text_add(words, "; opening directories is timed");
	if (test->sync_phases)
		text_add(words, "; a sync after each phase, inside its time");
	if (test->random)
		text_add(words, "; %s in random order, seed %" PRId64,
			 test->random > 1 ? "stat, read and remove" : "stat", test->random_seed);
}

/* Whether some phase goes so far with the items; files of all tasks are whoever's. */
static bool has_stride(const struct plan *plan, unsigned stride)
{
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (phase_stride(plan->phases[i].kind) == stride)
			return !plan->metadata->shared_file;
	return false;
}

static void add_shift(struct text *words, const struct reader_map *shift, const struct plan *plan)
{
	const char *order = " in the order of nodes";

	if (shift->order == READERS_SELF || !(shift->shift || shift->order == READERS_MIRRORED))
		text_add(words, "its own");
	else if (shift->order == READERS_MIRRORED)
		text_add(words, "what task %" PRIu32 " - p%s made", shift->shift, order);
	else
		text_add(words, "what task p + %" PRIu32 "%s made", shift->shift,
			 shift->order == READERS_BY_NODE ? order : "");
	if (plan->map.nodes > 1)
		text_add(words, " (%" PRIu32 " of %" PRIu32 " on their own node)", shift->same_node,
			 plan->map.tasks);
}

/* Nothing where no phase goes on to the items of others. */
static void add_stride(struct text *words, const struct plan *plan)
{
	const bool only_mix = plan->metadata->mix && !plan->metadata->stat;
	const char *const names[STRIDES] = {NULL, !plan->metadata->mix ? "stat" : only_mix ? "mix" : "stat and mix",
					    "read", "remove"};
	struct text shifts = {0};

	for (unsigned i = 1; i < STRIDES; i++) {
		if (!has_stride(plan, i))
			continue;
		text_add(&shifts, "%s%s ", shifts.length ? ", " : "", names[i]);
		add_shift(&shifts, &plan->shifts[i], plan);
	}
	if (shifts.length && plan->metadata->stride >= plan->map.tasks)
		text_add(words, "%" PRIu64 " goes round the %" PRIu32 " tasks: ", plan->metadata->stride,
			 plan->map.tasks);
	text_add(words, "%s", text_string(&shifts));
	text_release(&shifts);
}

/* Which of the items, and until when they are made. */
static void add_limits(struct text *words, const struct plan *plan)
{
	const struct test *test = plan->test;
	const bool counts = test->status_file && *test->status_file;

	if (plan->metadata->create && test->stonewall > 0)
		text_add(words, "; creates go on to the most that any task had made after %g s",
			 test->stonewall);
	if (plan->metadata->create && counts)
		text_add(words, "; %s keeps how many each task has made", test->status_file);
	else if (counts)
		text_add(words, "; of these as many as %s says", test->status_file);
}

static void add_pause(struct text *out, const struct plan *plan)
{
	struct text words = {0};

	if (plan->metadata->pre_delay > 0) {
		text_add(&words, "%g s before each repetition", plan->metadata->pre_delay);
		page_field(out, "pause", &words);
	}
	text_release(&words);
}

void page_tree_settings(struct text *out, const struct test_result *test)
{
	const struct plan *plan = test->plan;
	struct text words = {0};

	add_directories(&words, plan);
	page_field(out, "in", &words);
	text_clear(&words);
	if (metadata_only_finds(plan->metadata)) {
		page_find_settings(out, plan);
		text_release(&words);
		return;
	}
	add_tree(&words, plan);
	page_field(out, "tree", &words);
	text_clear(&words);
	add_items(&words, plan);
	add_limits(&words, plan);
	page_field(out, "items", &words);
	text_clear(&words);
	add_names(&words, plan);
	page_field(out, "names", &words);
	text_clear(&words);
	add_pause(out, plan);
	if (plan->metadata->stride && plan->map.tasks > 1) {
		add_stride(&words, plan);
		if (words.length)
			page_field(out, "stride", &words);
	}
	if (plan->metadata->find)
		page_find_settings(out, plan);
	if (plan->metadata->mix)
		page_mix_settings(out, plan);
	text_release(&words);
}
