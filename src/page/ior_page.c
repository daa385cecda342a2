/*
 * The text of a run in IOR's form (--format=ior), for scripts that parse IOR's output. Numbers have
 * decimals at any speed, because existing patterns expect two decimals, six for times, and a
 * complete block.
 */
#include "page/page.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "page/ior_words.h"
#include "record/json.h"
#include "record/line.h"

/* Appends a line for each member, and frees the object. */
static void add_fields(struct text *out, json_t *fields)
{
	const char *name;
	json_t *value;

	json_object_foreach(fields, name, value)
	{
		if (json_is_string(value))
			text_add(out, "%-20s: %s\n", name, json_string_value(value));
		else
			text_add(out, "%-20s: %" JSON_INTEGER_FORMAT "\n", name,
				 json_integer_value(value));
	}
	json_decref(fields);
}

static void ior_page_print_head(const struct page *page, struct text *out, const json_t *run)
{
	json_t *head = ior_head(page, run);

	text_add(out, "IOR-%s: MPI Coordinated Test of Parallel I/O\n", line_text(head, "Version"));
	json_object_del(head, "Version");
	add_fields(out, head);
}

static void print_test(struct page *page, struct text *out, const struct test_result *test,
		       const struct mount_facts *mount, const json_t *line)
{
	text_add(out, "\n");
	add_fields(out, ior_test(test, line));
	foreign_add_space(out, mount);
	text_add(out, "\nOptions: \n");
	add_fields(out, ior_options(test->plan, line, false));
	text_add(out, "\nResults: \n\n");
	text_add(out, "access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)   "
		      " wr/rd(s)   close(s)   total(s)   iter\n");
	text_add(out, "------    ---------  ----       ----------  ---------- ---------  --------  "
		      " --------   --------   --------   ----\n");
}

static void print_phase(struct page *page, struct text *out, const struct test_head *test,
			const json_t *line)
{
	json_t *result = ior_result(test->plan, line);

	foreign_doubts(line);
	if (!result)
		return;
	text_add(out,
		 "%-9s %-10.2f %-10.2f %-11.6f %-10.0f %-10.2f %-10.6f %-10.6f %-10.6f %-10.6f "
		 "%" PRIu64 "\n",
		 line_text(result, "access"), line_number(result, "bwMiB"),
		 line_number(result, "iops"), line_number(result, "latency"),
		 ceil(line_number(result, "blockKiB")), line_number(result, "xferKiB"),
		 line_number(result, "openTime"), line_number(result, "wrRdTime"),
		 line_number(result, "closeTime"), line_number(result, "totalTime"),
		 line_count(line, "repetition") - test->plan->test->warmup);
	json_decref(result);
}

static void print_removal(const struct page *page, struct text *out, const struct test_head *test,
			  const json_t *line)
{
	const uint64_t repetition = line_count(line, "repetition");
	const uint64_t warmups = test->plan->test->warmup;

	if (!page->verbose || repetition < warmups)
		return;
	text_add(out, "%-9s %-10s %-10s %-11s %-10s %-10s %-10s %-10s %-10s %-10.6f %" PRIu64 "\n",
		 "remove", "-", "-", "-", "-", "-", "-", "-", "-", line_number(line, "removal_s"),
		 repetition - warmups);
}

/* Columns of the summary at the end of the job, as wide as their heads. */
static const struct {
	const char *head, *key;
	int decimals;
} columns[] = {
	{"Operation", "operation", 0},
	{"  Max(MiB)", "bwMaxMIB", 2},
	{"  Min(MiB)", "bwMinMIB", 2},
	{" Mean(MiB)", "bwMeanMIB", 2},
	{"    StdDev", "bwStdMIB", 2},
	{"  Max(OPs)", "OPsMax", 2},
	{"  Min(OPs)", "OPsMin", 2},
	{" Mean(OPs)", "OPsMean", 2},
	{"    StdDev", "OPsSD", 2},
	{"   Mean(s)", "MeanTime", 5},
	{"Stonewall(s)", "StoneWallTime", 2},
	{"Stonewall(MiB)", "StoneWallMiB", 2},
	{"Test#", "TestID", 0},
	{"#Tasks", "numTasks", 0},
	{"tPN", "tasksPerNode", 0},
	{"reps", "repetitions", 0},
	{"fPP", "filePerProc", 0},
	{"reord", "reorderTasks", 0},
	{"reordoff", "taskPerNodeOffset", 0},
	{"reordrand", "reorderTasksRandom", 0},
	{"seed", "reorderTasksRandomSeed", 0},
	{"segcnt", "segmentCount", 0},
	{"  blksiz", "blockSize", 0},
	{"   xsize", "transferSize", 0},
	{"aggs(MiB)", "xsizeMiB", 1},
	{"  API", "API", 0},
	{"RefNum", "ReferenceNumber", 0},
};

enum { COLUMN_COUNT = sizeof(columns) / sizeof(columns[0]) };

static void add_summary(struct text *out, const json_t *row)
{
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		const json_t *value = json_object_get(row, columns[i].key);
		const int width = (int)strlen(columns[i].head) * (i ? 1 : -1);

		if (json_is_real(value))
			text_add(out, "%*.*f", width, columns[i].decimals, json_real_value(value));
		else if (json_is_integer(value))
			text_add(out, "%*" JSON_INTEGER_FORMAT, width, json_integer_value(value));
		else
			text_add(out, "%*s", width, value ? json_string_value(value) : "NA");
		text_add(out, i + 1 < COLUMN_COUNT ? " " : "\n");
	}
}

/* Prints "Max Write" now and keeps the row of the summary at the end of the job. */
static void ior_page_sum_up(struct page *page, struct text *out, const struct test_head *test,
			    enum phase_kind kind)
{
	json_t *row = ior_summary_row(test, kind, page->numbers);
	const double most = line_number(row, "bwMaxMIB");

	if (!row)
		return;
	text_add(out, "Max %-6s %.2f MiB/sec (%.2f MB/sec)\n",
		 kind == PHASE_WRITE ? "Write:" : "Read:", most, most * MIB / 1e6);
	/* The text says only whether there is an order by a random seed. */
	put_integer(row, "reorderTasksRandom", test->plan->test->reorder_tasks_random != 0);
	add_summary(&page->rows, row);
	json_decref(row);
}

static void print_test_end(struct page *page, struct text *out, const struct test_head *test,
			   const json_t *line)
{
	text_add(out, "\n");
	for (unsigned i = 0; i < test->plan->phase_count; i++)
		ior_page_sum_up(page, out, test, test->plan->phases[i].kind);
}

static void ior_page_print_end(struct page *page, struct text *out)
{
	text_add(out, "\nSummary of all tests:\n");
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		text_add(out, "%s%s", i ? " " : "", columns[i].head);
	text_add(out, "\n%s", text_string(&page->rows));
	add_fields(out, json_pack("{s:s}", "Finished", ior_now().text));
	text_release(&page->rows);
}

const struct style ior_style = {ior_page_print_head, print_test,	 print_phase,
				print_test_end,	     ior_page_print_end, print_removal};
