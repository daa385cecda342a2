/*
 * The text of a run in IOR's form (--format=ior), for scripts that parse IOR's output. Numbers have
 * decimals at any speed, because existing patterns expect two decimals, six for times, and a
 * complete block.
 */
#include "report/ior_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "base/version.h"
#include "report/foreign.h"
#include "report/ior_words.h"

static void field(struct text *out, const char *name, const char *value)
{
	text_add(out, "%-20s: %s\n", name, value);
}

static void field_now(struct text *out, const char *name)
{
	field(out, name, ior_time(time(NULL)).text);
}

static void field_count(struct text *out, const char *name, uint64_t value)
{
	text_add(out, "%-20s: %" PRIu64 "\n", name, value);
}

void ior_page_head(const struct page *page, struct text *out, const struct environment *environment,
		   int argc, char *const *argv)
{
	struct text words = {0};

	text_add(out, "IOR-" IOR_VERSION "+iorx-%s: MPI Coordinated Test of Parallel I/O\n",
		 version.number);
	field_now(out, "Began");
	page_command(page, &words, argc, argv);
	field(out, "Command line", text_string(&words));
	text_clear(&words);
	ior_machine(&words, environment);
	field(out, "Machine", text_string(&words));
	text_release(&words);
}

static void add_options(struct text *out, const struct plan *plan)
{
	const struct test *test = plan->test;

	text_add(out, "\nOptions: \n");
	field(out, "api", ior_api(plan->backend).text);
	field(out, "apiVersion", "");
	field(out, "test filename", test->test_file);
	field(out, "access", test->file_per_proc ? "file-per-process" : "single-shared-file");
	field(out, "type", test->collective ? "collective" : "independent");
	field_count(out, "segments", plan->geometry.segments);
	field(out, "ordering in a file", test->random_offset ? "random" : "sequential");
	field(out, "ordering inter file", ior_ordering(test));
	if (test->reorder_tasks)
		field_count(out, "task offset", test->task_per_node_offset);
	field_count(out, "nodes", plan->map.nodes);
	field_count(out, "tasks", plan->map.tasks);
	field_count(out, "clients per node", ior_tasks_per_node(plan));
	field_count(out, "repetitions", test_repetitions_most(test) - test->warmup);
	field(out, "xfersize", ior_size(test->transfer_size).text);
	field(out, "blocksize", ior_size(plan->geometry.block).text);
	field(out, "aggregate filesize", ior_size(plan->bytes).text);
}

void ior_page_test(struct page *page, struct text *out, const struct test_result *test,
		   const struct mount_facts *mount)
{
	(void)page;
	text_add(out, "\n");
	field_count(out, "TestID", test->number);
	field_now(out, "StartTime");
	field(out, "Path", test->plan->test->test_file);
	foreign_add_space(out, mount);
	add_options(out, test->plan);
	text_add(out, "\nResults: \n\n");
	text_add(out, "access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)   "
		      " wr/rd(s)   close(s)   total(s)   iter\n");
	text_add(out, "------    ---------  ----       ----------  ---------- ---------  --------  "
		      " --------   --------   --------   ----\n");
}

void ior_page_phase(struct page *page, struct text *out, const struct test_result *test,
		    const struct phase_result *phase, const struct verdict *verdicts, size_t count,
		    const json_t *line)
{
	(void)line;
	const struct test *options = test->plan->test;
	const struct intervals *seconds = &phase->seconds;

	(void)page;
	foreign_doubts(phase, verdicts, count);
	if (!foreign_has_row(phase))
		return;
	text_add(out,
		 "%-9s %-10.2f %-10.2f %-11.6f %-10.0f %-10.2f %-10.6f %-10.6f %-10.6f %-10.6f "
		 "%" PRIu64 "\n",
		 phase_name(phase->kind), phase->total_rate / (double)MIB, ior_iops(phase),
		 ior_latency(phase), ceil((double)test->plan->geometry.block / 1024),
		 (double)options->transfer_size / 1024, seconds->open, ior_access_seconds(phase),
		 seconds->close, seconds->total, phase->repetition - options->warmup);
}

void ior_page_removal(const struct page *page, struct text *out, const struct test_result *test,
		      uint64_t repetition, double seconds)
{
	const uint64_t warmups = test->plan->test->warmup;

	if (!page->verbose || repetition < warmups)
		return;
	text_add(out, "%-9s %-10s %-10s %-11s %-10s %-10s %-10s %-10s %-10s %-10.6f %" PRIu64 "\n",
		 "remove", "-", "-", "-", "-", "-", "-", "-", "-", seconds, repetition - warmups);
}

static void add_figures(struct text *out, const struct figures *figures)
{
	text_add(out, " %10.2f %10.2f %10.2f %10.2f", figures->most, figures->least,
		 figures->sum / figures->count, figures_deviation(figures));
}

static void add_settings(struct text *out, const struct test_result *test, unsigned repetitions)
{
	const struct plan *plan = test->plan;
	const struct test *options = plan->test;

	text_add(out, " %5u %6" PRIu32 " %3" PRIu32 " %4u %3d %5d %8" PRIu64 " %9d %4" PRId64,
		 test->number, plan->map.tasks, ior_tasks_per_node(plan), repetitions,
		 options->file_per_proc, options->reorder_tasks, options->task_per_node_offset,
		 options->reorder_tasks_random != 0, options->reorder_random_seed);
	text_add(out, " %6" PRIu64 " %8" PRIu64 " %8" PRIu64 " %9.1f %5s %6" PRId64 "\n",
		 plan->geometry.segments, plan->geometry.block, options->transfer_size,
		 (double)plan->bytes / (double)MIB, ior_api(plan->backend).text, options->ref_num);
}

/* Prints "Max Write" now and keeps the row of the summary at the end of the job. */
static void sum_up(struct page *page, struct text *out, const struct test_result *test,
		   enum phase_kind kind)
{
	struct ior_figures all = ior_figures_of(test, kind);

	if (!all.rates.count)
		return;
	text_add(out, "Max %-6s %.2f MiB/sec (%.2f MB/sec)\n",
		 kind == PHASE_WRITE ? "Write:" : "Read:", all.rates.most,
		 all.rates.most * MIB / 1e6);
	text_add(&page->rows, "%-9s", phase_name(kind));
	add_figures(&page->rows, &all.rates);
	add_figures(&page->rows, &all.operations);
	text_add(&page->rows, " %10.5f", all.times.sum / all.times.count);
	if (all.walls.count)
		text_add(&page->rows, " %12.2f %14.2f", all.walls.sum / all.walls.count,
			 all.moved.sum / all.moved.count);
	else
		text_add(&page->rows, " %12s %14s", "NA", "NA");
	add_settings(&page->rows, test, all.rates.count);
}

void ior_page_test_end(struct page *page, struct text *out, const struct test_result *test,
		       const json_t *line)
{
	(void)line;
	text_add(out, "\n");
	for (unsigned i = 0; i < test->plan->phase_count; i++)
		sum_up(page, out, test, test->plan->phases[i].kind);
}

void ior_page_end(struct page *page, struct text *out)
{
	text_add(out, "\nSummary of all tests:\n");
	text_add(out, "Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs) "
		      " Mean(OPs)     StdDev    Mean(s) Stonewall(s) Stonewall(MiB) Test# #Tasks "
		      "tPN reps fPP reord reordoff reordrand seed segcnt   blksiz    xsize "
		      "aggs(MiB)   API RefNum\n");
	text_add(out, "%s", text_string(&page->rows));
	field_now(out, "Finished");
}
