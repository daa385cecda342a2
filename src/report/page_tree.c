/* What a metadata test is to do: its directories and tree, items, names, whose items it goes on to. */
#include <inttypes.h>

#include "report/page.h"

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

/* In which directories the items of a task lie, of which only the first ones need hold any. */
static void add_spread(struct text *words, const struct tree *tree, const char *of)
{
	const uint64_t most = tree->per_directory + (tree->extra > 0);
	const bool even = !tree->extra && tree->items >= tree->per_tree;

	text_add(words, "%s%" PRIu64 "%s in ", even ? "" : "at most ", most, of);
	if (tree->holders > 1)
		text_add(words, "each of the %" PRIu64 "%s directories", tree->holders,
			 tree->first ? " deepest" : "");
	else
		text_add(words, "the directory");
}

static void add_items(struct text *words, const struct plan *plan)
{
	const struct tree *tree = &plan->tree;
	const bool shared = plan->metadata->shared_file;

	if (shared)
		text_add(words, "%" PRIu64 " for all tasks together; ", plan->files);
	else if (plan->full_tasks < plan->map.tasks)
		text_add(words, "%" PRIu64 " or %" PRIu64 " of each task, %" PRIu64 " in all; ",
			 tree->items - 1, tree->items, plan->files);
	else
		text_add(words, "%" PRIu64 " of each task, %" PRIu64 " in all; ", tree->items, plan->files);
	add_spread(words, tree, shared ? "" : " of a task");
}

/* The queue, and the phases that have none. */
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

static void add_predicates(struct text *words, const struct metadata *test)
{
	const char *const names[] = {"a name like", "a size of", "data newer than"};
	const char *const values[] = {test->find_name, test->find_size, test->find_newer};
	const char *between = "; a match has ";

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		if (!values[i])
			continue;
		text_add(words, "%s%s %s", between, names[i], values[i]);
		between = ", ";
	}
}

static void add_find(struct text *words, const struct plan *plan)
{
	const struct metadata *test = plan->metadata;

	text_add(words, "all entries of %s",
		 metadata_only_finds(test) ? "what is there, read only" : "the trees");
	add_predicates(words, test);
	text_add(words, "; %s; %s; tasks share the work",
		 predicates_want_stat(&plan->predicates) ? "a stat of each entry whose name matches"
							 : "a stat only where a directory has no types",
		 test->find_mounts ? "enters mounts" : "stays out of mounts");
}

static void add_mix(struct text *words, const struct plan *plan)
{
	const struct mix *mix = &plan->mix;

	for (enum mix_kind kind = 0; kind < MIX_KINDS; kind++)
		if (mix->shares[kind] > 0)
			text_add(words, "%s%s %.3g %%", words->length ? ", " : "", mix_kind_name(kind),
				 100 * mix->shares[kind]);
	text_add(words, ", drawn at random");
	if (mix->shares[MIX_CREATE] > 0)
		text_add(words, "; the oldest files are removed and made again, at most %" PRIu64
				" of %" PRIu64 " of a task are missing at a time",
			 mix_most_missing(plan->tree.items), plan->tree.items);
	if (mix->task_rate > 0)
		text_add(words, "; %g op/s of each task are due, %g of all", mix->task_rate,
			 mix->task_rate * plan->map.tasks);
	if (mix->think_seconds > 0)
		text_add(words, "; a pause of %g s after each", mix->think_seconds);
	text_add(words, "; until");
	if (mix->operations)
		text_add(words, " %" PRIu64 " of each task", mix->operations);
	if (mix->seconds > 0)
		text_add(words, "%s %g s are over", mix->operations ? " or" : "", mix->seconds);
}

static void test_items(struct text *out, const struct plan *plan)
{
	const struct metadata *test = plan->metadata;
	struct text words = {0};

	add_tree(&words, plan);
	page_field(out, "tree", &words);
	add_items(&words, plan);
	add_limits(&words, plan);
	page_field(out, "items", &words);
	add_names(&words, plan);
	page_field(out, "names", &words);
	if (test->pre_delay > 0)
		text_add(&words, "%g s before each repetition", test->pre_delay);
	page_field(out, "pause", &words);
	if (test->stride && plan->map.tasks > 1)
		add_stride(&words, plan);
	page_field(out, "stride", &words);
}

void page_tree_settings(struct text *out, const struct plan *plan)
{
	struct text words = {0};

	add_directories(&words, plan);
	page_field(out, "in", &words);
	if (!metadata_only_finds(plan->metadata))
		test_items(out, plan);
	if (plan->metadata->find)
		add_find(&words, plan);
	page_field(out, "find", &words);
	if (plan->metadata->mix)
		add_mix(&words, plan);
	page_field(out, "mix", &words);
}
