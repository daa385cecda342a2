/*
 * Whether the number of a test can be compared with that of IOR or mdtest for the same command
 * line.
 */
#include "record/comparable.h"

#include <string.h>

#include "plan/workload.h"

/* A way in which the same command line of IOR or mdtest measures something else. */
struct difference {
	bool holds;
	bool everywhere; /* on any storage and in any phase */
	const char *keyword, *sentence;
};

enum { EXCEPT = false, EVERYWHERE = true };

/* What the phases of a test are, and what came of them. */
struct seen {
	bool kinds[PHASE_KINDS], reads, writes, cold;
	bool kept_empty;	/* files that were there and empty */
	bool has_numbers;	/* some phase has a number, maybe beside single failed operations */
	struct text unknown;	/* phases that mdtest has not */
	struct text incomplete; /* phases whose rates are not those of whole phases */
};

static void look_at_plan(struct seen *seen, const struct plan *plan)
{
	for (unsigned i = 0; i < plan->phase_count; i++) {
		const struct phase_plan *phase = &plan->phases[i];

		seen->kinds[phase->kind] = true;
		seen->reads |= phase->access == ACCESS_READ;
		seen->writes |= phase->access == ACCESS_WRITE;
		seen->cold |= phase->cold;
		if (phase->kind == PHASE_LIST || phase_counts_entries(phase->kind) ||
		    phase->kind == PHASE_MIX)
			text_add(&seen->unknown, "%s%s", seen->unknown.length ? ", " : "",
				 phase_name(phase->kind));
	}
}

static void look_at_results(struct seen *seen, const struct test_result *test)
{
	bool named[PHASE_KINDS] = {false};

	for (size_t i = 0; i < test->phase_count; i++) {
		const struct past_phase *phase = &test->phases[i];
		const enum phase_kind kind = test->plan->phases[phase->index].kind;
		const bool complete = phase->status == PHASE_COMPLETE;

		seen->kept_empty |= phase->files_used_empty;
		seen->has_numbers |= complete || (plan_traits(test->plan)->has_names &&
						  !phase->failed_tasks && phase->total_rate > 0);
		if (complete || named[kind])
			continue;
		named[kind] = true;
		text_add(&seen->incomplete, "%s%s",
			 seen->incomplete.length ? ", " : "in phases that failed or ended early: ",
			 phase_name(kind));
	}
}

static bool add_rows(const struct difference *rows, size_t count, struct text *sentences,
		     struct text *keywords)
{
	bool differs = false;

	for (size_t i = 0; i < count; i++) {
		if (!rows[i].holds)
			continue;
		text_add(sentences, "%s%s", sentences->length ? "; " : "", rows[i].sentence);
		text_add(keywords, "%s%s", keywords->length ? ", " : "", rows[i].keyword);
		differs |= rows[i].everywhere;
	}
	return differs;
}

/*
 * IOR takes node 0's task count for all nodes and shifts by it. On one node the shift leads back to
 * the task itself.
 */
static bool add_differences_from_ior(const struct seen *seen, const struct plan *plan,
				     struct text *sentences, struct text *keywords)
{
	const struct test *test = plan->test;
	const char *api = plan->backend->name;
	const bool fills = !plan->backend->ignores_buffers;
	const bool unique = test->content == CONTENT_STAMPED || test->content == CONTENT_RANDOM;
	const bool shuffled = test->reorder_tasks_random;
	const bool shifted =
		seen->reads && !shuffled && test->reorder_tasks && test->semantics != SEMANTICS_IOR;
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
		{test->fsync_per_write && seen->writes, EVERYWHERE, "-Y",
		 "in writes: with -Y IOR syncs twice after each write, iorx once"},
		{test->random_offset == 1 && !test->file_per_proc && plan->map.tasks > 1,
		 EVERYWHERE, "shared -z",
		 "with -z in a shared file: iorx moves each transfer once and gives each task "
		 "equally many, which IOR's -z does not promise"},
		{seen->reads && shuffled, EVERYWHERE, "readers",
		 "in reads: with -Z each task's data is read by one task, which IOR's -Z does not "
		 "promise"},
		{shifted && other, EVERYWHERE, "readers",
		 "in reads: on one node IOR's tasks read what they wrote themselves, iorx's what "
		 "the next task wrote"},
		{shifted && !other && plan->readers.order == READERS_BY_NODE, EVERYWHERE, "readers",
		 "in reads: tasks are placed unevenly, so IOR's -C chooses other readers than "
		 "iorx, which goes by the real nodes"},
		{seen->cold, EVERYWHERE, "cold reads",
		 "in reads: caches are dropped before them, IOR leaves them warm"},
		{test->check_read, EVERYWHERE, "compared reads",
		 "in reads: comparing every byte takes a share of their time"},
		{seen->kept_empty, EVERYWHERE, "kept files",
		 "in writes: empty files that were there are kept with their layout, IOR deletes "
		 "them"},
	};

	return add_rows(rows, sizeof(rows) / sizeof(*rows), sentences, keywords);
}

static bool add_differences_from_mdtest(const struct seen *seen, const struct plan *plan,
					struct text *sentences, struct text *keywords)
{
	const struct metadata *options = plan->metadata;
	const struct tree *tree = &plan->tree;
	struct text unknown = {0};
	bool differs;

	text_add(&unknown, "in %s: mdtest has no such phase", text_string(&seen->unknown));
	const struct difference rows[] = {
		{seen->unknown.length, EXCEPT, text_string(&seen->unknown), text_string(&unknown)},
		{seen->kinds[PHASE_FILE_READ], EXCEPT, "open mode",
		 "in file-read: files are opened for reading only here, which mdtest does not do"},
		{options->unique_dir && plan->map.tasks > 1 &&
			 (seen->kinds[PHASE_TREE_CREATE] || seen->kinds[PHASE_TREE_REMOVE]),
		 EXCEPT, "trees with -u",
		 "in tree-create and tree-remove: with -u mdtest counts the tree of one task, "
		 "iorx all"},
		{options->names == NAMES_RELATIVE, EVERYWHERE, "relative names",
		 "iorx gave relative names, mdtest gives whole paths"},
		{plan->queue_depth > 1, EVERYWHERE, "queue",
		 "iorx queued the operations, mdtest makes one at a time"},
		/* A find alone has no items. */
		{tree->extra || (tree->per_tree && tree->items % tree->per_tree), EVERYWHERE,
		 "uneven items",
		 "mdtest rounds the items down to what all directories share evenly"},
		{options->random > 1, EVERYWHERE, "random order",
		 "reads and removals are in random order too"},
	};

	differs = add_rows(rows, sizeof(rows) / sizeof(*rows), sentences, keywords);
	text_release(&unknown);
	return differs;
}

/* Appends the differences. Returns true if one of them is everywhere. */
static bool add_differences(const struct seen *seen, const struct plan *plan,
			    struct text *sentences, struct text *keywords)
{
	const struct difference ended = {seen->incomplete.length, EXCEPT, "incomplete phases",
					 text_string(&seen->incomplete)};

	add_rows(&ended, 1, sentences, keywords);
	return (plan_traits(plan)->has_names
			? add_differences_from_mdtest
			: add_differences_from_ior)(seen, plan, sentences, keywords);
}

bool comparable_find(const struct test_result *test, struct text *sentences, struct text *keywords)
{
	struct text reasons = {0}, words = {0};
	struct seen seen = {0};
	const char *answer;

	look_at_plan(&seen, test->plan);
	look_at_results(&seen, test);
	answer = add_differences(&seen, test->plan, &reasons, &words) ? "no: "
		 : words.length					      ? "yes, except "
								      : "yes";
	if (seen.has_numbers) {
		text_add(sentences, "%s%s", answer, text_string(&reasons));
		text_add(keywords, "%s%s", answer, text_string(&words));
	}
	text_release(&seen.unknown);
	text_release(&seen.incomplete);
	text_release(&reasons);
	text_release(&words);
	return seen.has_numbers;
}
