/* The text of a run in mdtest's form, for scripts that parse mdtest's output. */
#include "report/mdtest_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/version.h"
#include "report/foreign.h"

/*
 * Rows in the order and words of mdtest's summary. Rows of phases that mdtest lacks follow; only
 * tests that request such phases have them. A find's rate counts entries.
 */
static const struct {
	enum phase_kind kind;
	const char *name;
} operations[] = {
	{PHASE_DIR_CREATE, "Directory creation"},
	{PHASE_DIR_STAT, "Directory stat"},
	{PHASE_DIR_RENAME, "Directory rename"},
	{PHASE_DIR_REMOVE, "Directory removal"},
	{PHASE_FILE_CREATE, "File creation"},
	{PHASE_FILE_STAT, "File stat"},
	{PHASE_FILE_READ, "File read"},
	{PHASE_FILE_REMOVE, "File removal"},
	{PHASE_TREE_CREATE, "Tree creation"},
	{PHASE_TREE_REMOVE, "Tree removal"},
	{PHASE_LIST, "Directory listing"},
	{PHASE_FIND, "Find"},
	{PHASE_MIX, "Mixed"},
};

enum { ROWS = sizeof(operations) / sizeof(operations[0]) };

/* "-- started at 11/21/2026 18:44:54 --" */
static void add_time(struct text *out, const char *what)
{
	time_t now = time(NULL);
	char words[64];
	struct tm parts;

	localtime_r(&now, &parts);
	strftime(words, sizeof(words), "%m/%d/%Y %H:%M:%S", &parts);
	text_add(out, "-- %s at %s --\n", what, words);
}

void mdtest_page_head(const struct page *page, struct text *out,
		      const struct environment *environment, int argc, char *const *argv)
{
	struct text words = {0};

	page_command(page, &words, argc, argv);
	add_time(out, "started");
	text_add(out,
		 "\nmdtest-4.1.0+iorx-%s was launched with %" PRIu32 " total task(s) on %" PRIu32
		 " node(s)\nCommand line used: %s\n",
		 version.number, environment->tasks, environment->nodes, text_string(&words));
	text_release(&words);
}

void mdtest_page_test(struct page *page, struct text *out, const struct test_result *test,
		      const struct mount_facts *mount)
{
	const struct plan *plan = test->plan;
	const struct metadata *options = plan->metadata;
	const char *what = options->files_only	       ? "files"
			   : options->directories_only ? "directories"
						       : "files/directories";

	(void)page;
	text_add(out, "Path                : %s\n", options->dir);
	foreign_add_space(out, mount);
	text_add(out, "\n%" PRIu32 " tasks, %" PRIu64 " %s\n", plan->map.tasks, plan->files, what);
}

void mdtest_page_phase(struct page *page, struct text *out, const struct test_result *test,
		       const struct phase_result *phase, const struct verdict *verdicts,
		       size_t count, const json_t *line)
{
	(void)line;
	(void)page;
	(void)out;
	(void)test;
	foreign_doubts(phase, verdicts, count);
}

/* mdtest counts the directories of one tree even where each task has its own tree (-u). */
static double rate_of(const struct plan *plan, const struct phase_result *phase)
{
	bool is_tree = phase->kind == PHASE_TREE_CREATE || phase->kind == PHASE_TREE_REMOVE;

	return is_tree && plan->metadata->unique_dir ? phase->total_rate / plan->map.tasks
						     : phase->total_rate;
}

/* Rates in operations per second, or times in ms per operation. */
static struct figures figures_of(const struct test_result *test, enum phase_kind kind, bool times)
{
	struct figures figures = {0};

	for (size_t i = 0; i < test->phase_count; i++) {
		const struct phase_result *phase = &test->phases[i];
		double rate = rate_of(test->plan, phase);

		if (phase->kind == kind && foreign_has_row(phase))
			figures_add(&figures, !times ? rate : rate > 0 ? 1e3 / rate : 0);
	}
	return figures;
}

/* The largest number of repetitions of any phase. */
static unsigned iterations_of(const struct test_result *test)
{
	unsigned times[PHASE_KINDS] = {0}, most = 0;

	for (size_t i = 0; i < test->phase_count; i++) {
		const struct phase_result *phase = &test->phases[i];

		if (!phase->warmup && ++times[phase->kind] > most)
			most = times[phase->kind];
	}
	return most;
}

static void add_operation(const struct page *page, struct text *out, const struct test_result *test,
			  size_t row, bool times)
{
	const char *name = operations[row].name;
	const struct figures figures = figures_of(test, operations[row].kind, times);

	if (figures.count)
		text_add(out, "   %-22s%s %14.3f %14.3f %14.3f %14.3f\n", name,
			 page->colons ? ":" : " ", figures.most, figures.least,
			 figures.sum / figures.count, figures_sample_deviation(&figures));
}

static void add_table(const struct page *page, struct text *out, const struct test_result *test,
		      bool times)
{
	text_add(out, "\nSUMMARY %s: (of %u iterations)\n",
		 times ? "time (in ms/op)" : "rate (in ops/sec)", iterations_of(test));
	text_add(out, "   %-22s  %14s %14s %14s %14s\n", "Operation", "Max", "Min", "Mean",
		 "Std Dev");
	text_add(out, "   %-22s  %14s %14s %14s %14s\n", "---------", "---", "---", "----",
		 "-------");
	for (size_t row = 0; row < ROWS; row++)
		add_operation(page, out, test, row, times);
	text_add(out, "\n");
}

void mdtest_page_test_end(struct page *page, struct text *out, const struct test_result *test,
			  const json_t *line)
{
	(void)line;
	const struct metadata *options = test->plan->metadata;

	if (options->print_rate || !options->print_time)
		add_table(page, out, test, false);
	if (options->print_rate || options->print_time)
		add_table(page, out, test, true);
}

void mdtest_page_end(struct page *page, struct text *out)
{
	(void)page;
	add_time(out, "finished");
}
