/*
 * Whether the number of a test can be compared with that of IOR or mdtest for the same command
 * line.
 */
#include "report/comparable.h"

#include <string.h>

/* A way in which the same command line of IOR or mdtest measures something else. */
struct difference {
	bool holds;
	bool everywhere; /* on any storage and in any phase */
	const char *keyword, *sentence;
};

/* The differences that hold: whole sentences for the JSON, keywords for the page. */
struct comparison {
	struct text sentences, keywords;
	bool differs; /* everywhere */
};

enum { EXCEPT = false, EVERYWHERE = true };

static void add(struct comparison *comparison, const struct difference *rows, size_t count)
{
	struct text *sentences = &comparison->sentences, *keywords = &comparison->keywords;

	for (size_t i = 0; i < count; i++) {
		if (!rows[i].holds)
			continue;
		text_add(sentences, "%s%s", sentences->length ? "; " : "", rows[i].sentence);
		text_add(keywords, "%s%s", keywords->length ? ", " : "", rows[i].keyword);
		comparison->differs |= rows[i].everywhere;
	}
}

#define ADD(comparison, rows) add(comparison, rows, sizeof(rows) / sizeof(*(rows)))

static bool has_access(const struct plan *plan, enum access access)
{
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (plan->phases[i].access == access)
			return true;
	return false;
}

static bool has_phase(const struct plan *plan, enum phase_kind kind)
{
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (plan->phases[i].kind == kind)
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

static bool kept_empty_files(const struct test_result *test)
{
	for (size_t i = 0; i < test->phase_count; i++)
		if (test->phases[i].files_used_empty)
			return true;
	return false;
}

/*
 * IOR takes node 0's task count for all nodes and shifts by it. On one node the shift leads back to
 * the task itself.
 */
static void add_ior(struct comparison *comparison, const struct test_result *result)
{
	const struct plan *plan = result->plan;
	const struct test *test = plan->test;
	const char *api = plan->backend->name;
	const bool fills = !plan->backend->ignores_buffers;
	const bool unique = test->content == CONTENT_STAMPED || test->content == CONTENT_RANDOM;
	const bool reads = has_access(plan, ACCESS_READ), shuffled = test->reorder_tasks_random;
	const bool shifted =
		reads && !shuffled && test->reorder_tasks && test->semantics != SEMANTICS_IOR;
	const bool other = plan->map.nodes == 1 && plan->readers.order != READERS_SELF;
	const struct difference rows[] = {
		{fills && unique, EXCEPT, "content",
		 "on storage that compresses or deduplicates: content is unique here"},
		{fills && test->content == CONTENT_ZEROS, EXCEPT, "content",
		 "on storage that compresses or deduplicates: content is zeros here"},
		{fills && test->content == CONTENT_FILE, EXCEPT, "content",
		 "on storage that compresses or deduplicates: content is a file's here"},
		{!strcmp(api, "uring"), EVERYWHERE, "io_uring",
		 "IOR has no io_uring: compare with posix or libaio instead"},
		{!strcmp(api, "hdf5"), EXCEPT, "HDF5 layout",
		 "in HDF5 files: datasets have other names and elements than IOR's"},
		{!strcmp(api, "mmap") && test->file_per_proc, EVERYWHERE, "mmap with -F",
		 "with mmap and a file for each task: IOR sizes and maps the files in another way"},
		{test->fsync_per_write && has_access(plan, ACCESS_WRITE), EVERYWHERE, "-Y",
		 "in writes: with -Y IOR syncs twice after each write, iorx once"},
		{test->random_offset == 1 && !test->file_per_proc && plan->map.tasks > 1,
		 EVERYWHERE, "shared -z",
		 "with -z in a shared file: iorx moves each transfer once and gives each task "
		 "equally many, which IOR's -z does not promise"},
		{reads && shuffled, EVERYWHERE, "readers",
		 "in reads: with -Z each task's data is read by one task, which IOR's -Z does not "
		 "promise"},
		{shifted && other, EVERYWHERE, "readers",
		 "in reads: on one node IOR's tasks read what they wrote themselves, iorx's what "
		 "the next task wrote"},
		{shifted && !other && plan->readers.order == READERS_BY_NODE, EVERYWHERE, "readers",
		 "in reads: tasks are placed unevenly, so IOR's -C chooses other readers than "
		 "iorx, which goes by the real nodes"},
		{reads_cold(plan), EVERYWHERE, "cold reads",
		 "in reads: caches are dropped before them, IOR leaves them warm"},
		{test->check_read, EVERYWHERE, "compared reads",
		 "in reads: comparing every byte takes a share of their time"},
		{kept_empty_files(result), EVERYWHERE, "kept files",
		 "in writes: empty files that were there are kept with their layout, IOR deletes "
		 "them"},
	};

	ADD(comparison, rows);
}

static bool is_unknown_to_mdtest(enum phase_kind kind)
{
	return kind == PHASE_LIST || phase_counts_entries(kind) || kind == PHASE_MIX;
}

static void add_mdtest(struct comparison *comparison, const struct test_result *result)
{
	const struct plan *plan = result->plan;
	const struct tree *tree = &plan->tree;
	struct text unknown = {0}, sentence = {0};

	for (unsigned i = 0; i < plan->phase_count; i++)
		if (is_unknown_to_mdtest(plan->phases[i].kind))
			text_add(&unknown, "%s%s", unknown.length ? ", " : "",
				 phase_name(plan->phases[i].kind));
	text_add(&sentence, "in %s: mdtest has no such phase", text_string(&unknown));
	const struct difference rows[] = {
		{unknown.length > 0, EXCEPT, text_string(&unknown), text_string(&sentence)},
		{has_phase(plan, PHASE_FILE_READ), EXCEPT, "open mode",
		 "in file-read: files are opened for reading only here, which mdtest does not do"},
		{plan->metadata->unique_dir && plan->map.tasks > 1 &&
			 (has_phase(plan, PHASE_TREE_CREATE) || has_phase(plan, PHASE_TREE_REMOVE)),
		 EXCEPT, "trees with -u",
		 "in tree-create and tree-remove: with -u mdtest counts the tree of one task, "
		 "iorx all"},
		{plan->metadata->names == NAMES_RELATIVE, EVERYWHERE, "relative names",
		 "iorx gave relative names, mdtest gives whole paths"},
		{plan->queue_depth > 1, EVERYWHERE, "queue",
		 "iorx queued the operations, mdtest makes one at a time"},
		/* A find alone has no items. */
		{tree->extra || (tree->per_tree && tree->items % tree->per_tree), EVERYWHERE,
		 "uneven items",
		 "mdtest rounds the items down to what all directories share evenly"},
		{plan->metadata->random > 1, EVERYWHERE, "random order",
		 "reads and removals are in random order too"},
	};

	ADD(comparison, rows);
	text_release(&sentence);
	text_release(&unknown);
}

/* Adds the phases that failed or ended early, as their rates are not those of whole phases. */
static void add_incomplete(struct comparison *comparison, const struct test_result *test)
{
	bool named[PHASE_KINDS] = {false};
	struct text names = {0};

	for (size_t i = 0; i < test->phase_count; i++) {
		const struct phase_result *phase = &test->phases[i];

		if (phase->status == PHASE_COMPLETE || named[phase->kind])
			continue;
		named[phase->kind] = true;
		text_add(&names, "%s%s",
			 names.length ? ", " : "in phases that failed or ended early: ",
			 phase_name(phase->kind));
	}
	const struct difference rows[] = {
		{names.length > 0, EXCEPT, "incomplete phases", text_string(&names)},
	};

	ADD(comparison, rows);
	text_release(&names);
}

const char *comparable_program(const struct test_result *test)
{
	return test->plan->metadata ? "mdtest" : "IOR";
}

/*
 * True if some phase has a number. A metadata phase in which single operations failed has a number
 * too.
 */
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

bool comparable_find(const struct test_result *test, struct text *sentences, struct text *keywords)
{
	struct comparison comparison = {0};
	const char *answer;

	if (!has_numbers(test))
		return false;
	add_incomplete(&comparison, test);
	(test->plan->metadata ? add_mdtest : add_ior)(&comparison, test);
	answer = comparison.differs ? "no: " : comparison.keywords.length ? "yes, except " : "yes";
	text_add(sentences, "%s%s", answer, text_string(&comparison.sentences));
	text_add(keywords, "%s%s", answer, text_string(&comparison.keywords));
	text_release(&comparison.sentences);
	text_release(&comparison.keywords);
	return true;
}
