/* The text of a run in mdtest's form, for scripts that parse mdtest's output. */
#include "page/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/version.h"
#include "page/foreign.h"
#include "record/line.h"

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

/* Numbers that are kept of a phase: operations per second, and milliseconds per operation. */
enum { RATE, TIME };

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

static void mdtest_page_print_head(const struct page *page, struct text *out, const json_t *run)
{
	add_time(out, "started");
	text_add(out,
		 "\nmdtest-4.1.0+iorx-%s was launched with %" PRIu64 " total task(s) on %" PRIu64
		 " node(s)\nCommand line used: %s\n",
		 version.number, line_count(run, "tasks"), line_count(run, "nodes"), page->command);
}

static void print_test(struct page *page, struct text *out, const struct test_result *test,
		       const struct mount_facts *mount, const json_t *line)
{
	const struct plan *plan = test->plan;
	const struct metadata *options = plan->metadata;
	const char *what = options->files_only	       ? "files"
			   : options->directories_only ? "directories"
						       : "files/directories";

	text_add(out, "Path                : %s\n", line_text(line, "test_file"));
	foreign_add_space(out, mount);
	text_add(out, "\n%" PRIu32 " tasks, %" PRIu64 " %s\n", plan->map.tasks, plan->files, what);
}

/* mdtest counts the directories of one tree even where each task has its own tree (-u). */
static double rate_of(const struct plan *plan, const json_t *line)
{
	const enum phase_kind kind = plan->phases[line_count(line, "phase_index")].kind;
	const double rate = line_number(line, "rates/total_operations_per_s");
	bool is_tree = kind == PHASE_TREE_CREATE || kind == PHASE_TREE_REMOVE;

	return is_tree && plan->metadata->unique_dir ? rate / plan->map.tasks : rate;
}

static void print_phase(struct page *page, struct text *out, const struct test_head *test,
			const json_t *line)
{
	const double rate = rate_of(test->plan, line);

	foreign_doubts(line);
	foreign_keep(page->numbers, line,
		     !foreign_has_row(line) ? json_array()
					    : json_pack("[ff]", rate, rate > 0 ? 1e3 / rate : 0));
}

/* The largest number of repetitions of any phase. */
static size_t iterations_of(json_t *phases)
{
	const char *name;
	json_t *list;
	size_t most = 0;

	json_object_foreach(phases, name, list) most =
		json_array_size(list) > most ? json_array_size(list) : most;
	return most;
}

static void add_table(const struct page *page, struct text *out, unsigned number)
{
	text_add(out, "\nSUMMARY %s: (of %zu iterations)\n",
		 number == TIME ? "time (in ms/op)" : "rate (in ops/sec)",
		 iterations_of(page->numbers));
	text_add(out, "   %-22s  %14s %14s %14s %14s\n", "Operation", "Max", "Min", "Mean",
		 "Std Dev");
	text_add(out, "   %-22s  %14s %14s %14s %14s\n", "---------", "---", "---", "----",
		 "-------");
	for (size_t row = 0; row < ROWS; row++) {
		struct figures all = foreign_figures(page->numbers, operations[row].kind, number);
		double count = (double)all.count;

		if (all.count) /* mdtest gives the deviation of a sample */
			text_add(out, "   %-22s%s %14.3f %14.3f %14.3f %14.3f\n",
				 operations[row].name, page->colons ? ":" : " ", all.most,
				 all.least, all.mean,
				 count > 1 ? all.deviation * sqrt(count / (count - 1)) : 0);
	}
	text_add(out, "\n");
}

static void print_test_end(struct page *page, struct text *out, const struct test_head *test,
			   const json_t *line)
{
	const struct metadata *options = test->plan->metadata;

	if (options->print_rate || !options->print_time)
		add_table(page, out, RATE);
	if (options->print_rate || options->print_time)
		add_table(page, out, TIME);
}

static void mdtest_page_print_end(struct page *page, struct text *out)
{
	add_time(out, "finished");
}

const struct style mdtest_style = {mdtest_page_print_head, print_test, print_phase, print_test_end,
				   mdtest_page_print_end,  NULL};
