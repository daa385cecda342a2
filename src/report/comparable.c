/* Whether the number of a test can be put beside that of IOR, or mdtest, for the same line. */
#include "report/comparable.h"

#include <string.h>

static bool reads(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (plan->phases[i].access == ACCESS_READ)
			return true;
	return false;
}

static bool reads_cold(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (plan->phases[i].cold)
			return true;
	return false;
}

/* IOR takes node 0's task count for all and shifts by it; on one node that is the task itself. */
static const char *reader_difference(const struct plan *plan)
{
	const struct reader_map *readers = &plan->readers;

	if (reads(plan) && plan->test->reorder_tasks_random)
		return "in reads: with -Z each task's data is read by one task, which IOR's -Z does "
		       "not promise";
	if (!reads(plan) || !plan->test->reorder_tasks || plan->test->semantics == SEMANTICS_IOR)
		return NULL;
	if (plan->map.nodes == 1 && readers->order != READERS_SELF)
		return "in reads: on one node IOR's tasks read what they wrote themselves, here "
		       "what the next task wrote";
	if (readers->order == READERS_BY_NODE)
		return "in reads: tasks are placed unevenly, so IOR's -C lets other tasks read "
		       "than here, where the real nodes decide";
	return NULL;
}

/* What is written, where storage looks at it. */
static const char *content_difference(const struct test *test)
{
	static const char *const differences[] = {
		[CONTENT_STAMPED] = "on storage that compresses or deduplicates: content is unique here",
		[CONTENT_RANDOM] = "on storage that compresses or deduplicates: content is unique here",
		[CONTENT_ZEROS] = "on storage that compresses or deduplicates: content is zeros here",
		[CONTENT_FILE] = "on storage that compresses or deduplicates: content is a file's here",
		[CONTENT_IOR] = NULL,
		[CONTENT_IOR_OFFSET] = NULL,
	};

	return differences[test->content];
}

/* An interface that IOR has no name for. */
static const char *interface_difference(const struct plan *plan)
{
	if (strcmp(plan->backend->name, "uring"))
		return NULL;
	return "that IOR has no io_uring: put posix or libaio beside it";
}

static void add_difference(struct text *out, const char *difference, unsigned *count)
{
	if (!difference)
		return;
	text_add(out, "%s%s", (*count)++ ? "; " : "yes, except ", difference);
}

static bool kept_empty_files(const struct test_result *test)
{
	for (size_t i = 0; i < test->phase_count; i++)
		if (test->phases[i].files_used_empty)
			return true;
	return false;
}

/* The phases that failed, or ended before all was done: the others' rates are of whole ones. */
static void add_incomplete(struct text *out, const struct test_result *test, unsigned *count)
{
	bool told[PHASE_KINDS] = {false};
	struct text names = {0};

	for (size_t i = 0; i < test->phase_count; i++) {
		const struct phase_result *phase = &test->phases[i];

		if (phase->status == PHASE_COMPLETE || told[phase->kind])
			continue;
		told[phase->kind] = true;
		text_add(&names, "%s%s", names.length ? ", " : "in phases that failed or ended early: ",
			 phase_name(phase->kind));
	}
	if (names.length)
		add_difference(out, text_string(&names), count);
	text_release(&names);
}

static void add_ior(const struct test_result *test, struct text *out, unsigned *count)
{
	const struct plan *plan = test->plan;

	if (!plan->backend->ignores_buffers)
		add_difference(out, content_difference(plan->test), count);
	add_difference(out, interface_difference(plan), count);
	add_difference(out, reader_difference(plan), count);
	if (reads_cold(plan))
		add_difference(out,
			       "in reads: caches are dropped before them, IOR leaves them warm",
			       count);
	if (plan->test->check_read)
		add_difference(out,
			       "in reads: comparing every byte takes its share of their time",
			       count);
	if (kept_empty_files(test))
		add_difference(out,
			       "in writes: empty files that were there are kept with their layout, "
			       "IOR deletes them",
			       count);
}

/* What mdtest knows nothing of. */
static void add_unknown(const struct plan *plan, struct text *out, unsigned *count)
{
	struct text names = {0};

	for (unsigned i = 0; i < plan->phase_count; i++) {
		enum phase_kind kind = plan->phases[i].kind;

		if (kind == PHASE_LIST || kind == PHASE_FIND || kind == PHASE_MIX)
			text_add(&names, "%s%s", names.length ? ", " : "in ", phase_name(kind));
	}
	if (names.length) {
		text_add(&names, ": mdtest has no such phase");
		add_difference(out, text_string(&names), count);
	}
	text_release(&names);
}

/* Not as many in each directory of each tree; a find alone has no items. */
static bool is_uneven(const struct tree *tree)
{
	return tree->extra || (tree->per_tree && tree->items % tree->per_tree);
}

static void add_mdtest(const struct test_result *test, struct text *out, unsigned *count)
{
	const struct plan *plan = test->plan;

	add_unknown(plan, out, count);
	if (plan->metadata->names == NAMES_RELATIVE)
		add_difference(out, "that names are relative here, mdtest gives whole paths", count);
	if (plan->queue_depth > 1)
		add_difference(out, "that operations are queued here, mdtest makes one at a time", count);
	if (is_uneven(&plan->tree))
		add_difference(out, "that mdtest rounds the items down to what all directories share evenly",
			       count);
	if (plan->metadata->random > 1)
		add_difference(out, "that reads and removals are in random order too", count);
}

/* Of a metadata test a phase of which single operations failed has a number too. */
static bool has_numbers(const struct test_result *test)
{
	for (size_t i = 0; i < test->phase_count; i++) {
		const struct phase_result *phase = &test->phases[i];

		if (phase->status == PHASE_COMPLETE ||
		    (test->plan->metadata && !phase->failed_tasks && phase->total_rate > 0))
			return true;
	}
	return false;
}

const char *comparable_program(const struct test_result *test)
{
	return test->plan->metadata ? "mdtest" : "IOR";
}

bool comparable_words(const struct test_result *test, struct text *out)
{
	unsigned count = 0;

	if (!has_numbers(test))
		return false;
	add_incomplete(out, test, &count);
	(test->plan->metadata ? add_mdtest : add_ior)(test, out, &count);
	if (!count)
		text_add(out, "yes");
	return true;
}
