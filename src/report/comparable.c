/*
 * Whether the number of a test can be compared with that of IOR or mdtest for the same command
 * line.
 */
#include "report/comparable.h"

#include <string.h>

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

/*
 * IOR takes node 0's task count for all nodes and shifts by it. On one node the shift leads back to
 * the task itself.
 */
static const char *reader_difference(const struct plan *plan)
{
	const struct reader_map *readers = &plan->readers;

	if (has_access(plan, ACCESS_READ) && plan->test->reorder_tasks_random)
		return "in reads: with -Z each task's data is read by one task, which IOR's -Z "
		       "does not promise";
	if (!has_access(plan, ACCESS_READ) || !plan->test->reorder_tasks ||
	    plan->test->semantics == SEMANTICS_IOR)
		return NULL;
	if (plan->map.nodes == 1 && readers->order != READERS_SELF)
		return "in reads: on one node IOR's tasks read what they wrote themselves, iorx's "
		       "what the next task wrote";
	if (readers->order == READERS_BY_NODE)
		return "in reads: tasks are placed unevenly, so IOR's -C chooses other readers "
		       "than iorx, which goes by the real nodes";
	return NULL;
}

/* Differences of the data written, where the storage compresses or deduplicates. */
static const char *content_difference(const struct test *test)
{
	static const char *const differences[] = {
		[CONTENT_STAMPED] =
			"on storage that compresses or deduplicates: content is unique here",
		[CONTENT_RANDOM] =
			"on storage that compresses or deduplicates: content is unique here",
		[CONTENT_ZEROS] =
			"on storage that compresses or deduplicates: content is zeros here",
		[CONTENT_FILE] =
			"on storage that compresses or deduplicates: content is a file's here",
		[CONTENT_IOR] = NULL,
		[CONTENT_IOR_OFFSET] = NULL,
	};

	return differences[test->content];
}

/* Difference for an interface that IOR lacks. */
static const char *interface_difference(const struct plan *plan)
{
	if (strcmp(plan->backend->name, "uring"))
		return NULL;
	return "IOR has no io_uring: compare with posix or libaio instead";
}

/* The differences: whole sentences for the JSON, keywords for the page. */
struct comparison {
	struct text sentences, keywords;
	bool differs; /* differs on any storage and in any phase */
};

/* sentence: NULL where nothing differs. */
static void add_exception(struct comparison *comparison, const char *keyword, const char *sentence)
{
	struct text *sentences = &comparison->sentences, *keywords = &comparison->keywords;

	if (!sentence)
		return;
	text_add(sentences, "%s%s", sentences->length ? "; " : "", sentence);
	text_add(keywords, "%s%s", keywords->length ? ", " : "", keyword);
}

static void add_difference(struct comparison *comparison, bool applies, const char *keyword,
			   const char *sentence)
{
	if (!applies || !sentence)
		return;
	add_exception(comparison, keyword, sentence);
	comparison->differs = true;
}

static bool kept_empty_files(const struct test_result *test)
{
	for (size_t i = 0; i < test->phase_count; i++)
		if (test->phases[i].files_used_empty)
			return true;
	return false;
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
	add_exception(comparison, "incomplete phases", names.length ? text_string(&names) : NULL);
	text_release(&names);
}

/* Adds interfaces and flags that behave otherwise than in IOR. */
static void add_ways(struct comparison *comparison, const struct plan *plan)
{
	const struct test *test = plan->test;
	const char *api = plan->backend->name;

	if (!strcmp(api, "hdf5"))
		add_exception(comparison, "HDF5 layout",
			      "in HDF5 files: datasets have other names and elements than IOR's");
	add_difference(
		comparison, !strcmp(api, "mmap") && test->file_per_proc, "mmap with -F",
		"with mmap and a file for each task: IOR sizes and maps the files in another way");
	add_difference(comparison, test->fsync_per_write && has_access(plan, ACCESS_WRITE), "-Y",
		       "in writes: with -Y IOR syncs twice after each write, iorx once");
	add_difference(
		comparison, test->random_offset == 1 && !test->file_per_proc && plan->map.tasks > 1,
		"shared -z",
		"with -z in a shared file: iorx moves each transfer once and gives each task "
		"equally many, which IOR's -z does not promise");
}

static void add_ior(struct comparison *comparison, const struct test_result *test)
{
	const struct plan *plan = test->plan;

	if (!plan->backend->ignores_buffers)
		add_exception(comparison, "content", content_difference(plan->test));
	add_difference(comparison, true, "io_uring", interface_difference(plan));
	add_ways(comparison, plan);
	add_difference(comparison, true, "readers", reader_difference(plan));
	add_difference(comparison, reads_cold(plan), "cold reads",
		       "in reads: caches are dropped before them, IOR leaves them warm");
	add_difference(comparison, plan->test->check_read, "compared reads",
		       "in reads: comparing every byte takes a share of their time");
	add_difference(comparison, kept_empty_files(test), "kept files",
		       "in writes: empty files that were there are kept with their layout, "
		       "IOR deletes them");
}

/* Adds phases that mdtest does not have. */
static void add_unknown(struct comparison *comparison, const struct plan *plan)
{
	struct text names = {0}, sentence = {0};

	for (unsigned i = 0; i < plan->phase_count; i++) {
		enum phase_kind kind = plan->phases[i].kind;

		if (kind == PHASE_LIST || phase_counts_entries(kind) || kind == PHASE_MIX)
			text_add(&names, "%s%s", names.length ? ", " : "", phase_name(kind));
	}
	text_add(&sentence, "in %s: mdtest has no such phase", text_string(&names));
	add_exception(comparison, text_string(&names),
		      names.length ? text_string(&sentence) : NULL);
	text_release(&sentence);
	text_release(&names);
}

/* True if the directories or trees have different numbers of items. A find alone has no items. */
static bool is_uneven(const struct tree *tree)
{
	return tree->extra || (tree->per_tree && tree->items % tree->per_tree);
}

static void add_mdtest(struct comparison *comparison, const struct test_result *test)
{
	const struct plan *plan = test->plan;

	add_unknown(comparison, plan);
	if (has_phase(plan, PHASE_FILE_READ))
		add_exception(comparison, "open mode",
			      "in file-read: files are opened for reading only here, which mdtest "
			      "does not do");
	if (plan->metadata->unique_dir && plan->map.tasks > 1 &&
	    (has_phase(plan, PHASE_TREE_CREATE) || has_phase(plan, PHASE_TREE_REMOVE)))
		add_exception(comparison, "trees with -u",
			      "in tree-create and tree-remove: with -u mdtest counts the tree of "
			      "one task, iorx all");
	add_difference(comparison, plan->metadata->names == NAMES_RELATIVE, "relative names",
		       "iorx gave relative names, mdtest gives whole paths");
	add_difference(comparison, plan->queue_depth > 1, "queue",
		       "iorx queued the operations, mdtest makes one at a time");
	add_difference(comparison, is_uneven(&plan->tree), "uneven items",
		       "mdtest rounds the items down to what all directories share evenly");
	add_difference(comparison, plan->metadata->random > 1, "random order",
		       "reads and removals are in random order too");
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

const char *comparable_program(const struct test_result *test)
{
	return test->plan->metadata ? "mdtest" : "IOR";
}

static struct comparison compare(const struct test_result *test)
{
	struct comparison comparison = {0};

	add_incomplete(&comparison, test);
	(test->plan->metadata ? add_mdtest : add_ior)(&comparison, test);
	return comparison;
}

static void release(struct comparison *comparison)
{
	text_release(&comparison->sentences);
	text_release(&comparison->keywords);
}

/* The answer that precedes the differences. */
static const char *answer(const struct comparison *comparison)
{
	return comparison->differs ? "no: " : comparison->keywords.length ? "yes, except " : "yes";
}

bool comparable_words(const struct test_result *test, struct text *out)
{
	if (!has_numbers(test))
		return false;
	struct comparison comparison = compare(test);

	text_add(out, "%s%s", answer(&comparison), text_string(&comparison.sentences));
	release(&comparison);
	return true;
}

bool comparable_keywords(const struct test_result *test, struct text *out)
{
	if (!has_numbers(test))
		return false;
	struct comparison comparison = compare(test);

	text_add(out, "%s%s", answer(&comparison), text_string(&comparison.keywords));
	release(&comparison);
	return true;
}
