/*
 * The text of a run in the form that scripts for IOR take apart (--format=ior). The numbers are ours, with
 * decimals at any speed: patterns in use ask for two, or six for times, and for a whole block.
 */
#include "report/ior_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/units.h"
#include "base/version.h"
#include "report/foreign.h"

static void field(struct text *out, const char *name, const char *value)
{
	text_add(out, "%-20s: %s\n", name, value);
}

static void field_count(struct text *out, const char *name, uint64_t value)
{
	text_add(out, "%-20s: %" PRIu64 "\n", name, value);
}

/* "Tue Nov  7 10:19:36 2023" */
static void field_time(struct text *out, const char *name, time_t at)
{
	char words[64];
	struct tm parts;

	localtime_r(&at, &parts);
	strftime(words, sizeof(words), "%a %b %e %H:%M:%S %Y", &parts);
	field(out, name, words);
}

/* "1 MiB", "1.50 GiB", "512 bytes" */
static void field_size(struct text *out, const char *name, uint64_t bytes)
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
	double value = (double)bytes;
	unsigned unit = 0;
	char words[64];

	for (; value >= 1024 && unit < 4; unit++)
		value /= 1024;
	snprintf(words, sizeof(words), "%.*f %s", value == floor(value) ? 0 : 2, value, units[unit]);
	field(out, name, words);
}

void ior_page_head(const struct page *page, struct text *out, const struct environment *environment,
		   int argc, char *const *argv)
{
	struct text words = {0};
	struct utsname system;

	text_add(out, "IOR-4.1.0+iorx-%s: MPI Coordinated Test of Parallel I/O\n", version.number);
	field_time(out, "Began", time(NULL));
	page_command(page, &words, argc, argv);
	field(out, "Command line", text_string(&words));
	text_clear(&words);
	text_add(&words, "%s %s", uname(&system) ? "unknown" : system.sysname, environment->host);
	field(out, "Machine", text_string(&words));
	text_release(&words);
}

static void add_space(struct text *out, const struct mount_facts *mount)
{
	struct text words = {0};

	foreign_space(&words, mount);
	if (words.length)
		field(out, "FS", text_string(&words));
	text_release(&words);
}

/* As IOR names the interface: "POSIX", "DUMMY". */
static const char *api_name(const struct backend *backend, char *name, size_t size)
{
	size_t length = 0;

	snprintf(name, size, "%s", backend->name);
	if (backend->aliases)
		snprintf(name, size, "%.*s", (int)strcspn(backend->aliases, " "), backend->aliases);
	for (; name[length]; length++)
		if (name[length] >= 'a' && name[length] <= 'z')
			name[length] = (char)(name[length] - 'a' + 'A');
	return name;
}

static uint32_t tasks_per_node(const struct plan *plan)
{
	return node_map_tasks_on(&plan->map, node_map_node(&plan->map, 0));
}

static const char *ordering_inter_file(const struct test *test)
{
	if (test->reorder_tasks_random)
		return "random task offset";
	return test->reorder_tasks ? "constant task offset" : "no tasks offsets";
}

static void add_options(struct text *out, const struct plan *plan)
{
	const struct test *test = plan->test;
	char name[64];

	text_add(out, "\nOptions: \n");
	field(out, "api", api_name(plan->backend, name, sizeof(name)));
	field(out, "apiVersion", "");
	field(out, "test filename", test->test_file);
	field(out, "access", test->file_per_proc ? "file-per-process" : "single-shared-file");
	field(out, "type", test->collective ? "collective" : "independent");
	field_count(out, "segments", plan->geometry.segments);
	field(out, "ordering in a file", test->random_offset ? "random" : "sequential");
	field(out, "ordering inter file", ordering_inter_file(test));
	if (test->reorder_tasks)
		field_count(out, "task offset", test->task_per_node_offset);
	field_count(out, "nodes", plan->map.nodes);
	field_count(out, "tasks", plan->map.tasks);
	field_count(out, "clients per node", tasks_per_node(plan));
	field_count(out, "repetitions", test_repetitions_most(test) - test->warmup);
	field_size(out, "xfersize", test->transfer_size);
	field_size(out, "blocksize", plan->geometry.block);
	field_size(out, "aggregate filesize", plan->bytes);
}

void ior_page_test(struct page *page, struct text *out, const struct test_result *test,
		   const struct mount_facts *mount)
{
	(void)page;
	text_add(out, "\n");
	field_count(out, "TestID", test->number);
	field_time(out, "StartTime", time(NULL));
	field(out, "Path", test->plan->test->test_file);
	if (mount)
		add_space(out, mount);
	add_options(out, test->plan);
	text_add(out, "\nResults: \n\n");
	text_add(out, "access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    "
		      "wr/rd(s)   close(s)   total(s)   iter\n");
	text_add(out, "------    ---------  ----       ----------  ---------- ---------  --------   "
		      "--------   --------   --------   ----\n");
}

void ior_page_phase(struct page *page, struct text *out, const struct test_result *test,
		    const struct phase_result *phase, const struct verdict *verdicts, size_t count)
{
	const struct operation_record *transfers = phase_transfers(phase);
	const struct test *options = test->plan->test;
	const struct intervals *seconds = &phase->seconds;
	double latency = 0;

	(void)page;
	foreign_doubts(phase, verdicts, count);
	if (!foreign_has_row(phase))
		return;
	if (transfers && transfers->histogram.count)
		latency = (double)transfers->histogram.sum_ns / 1e9 /
			  (double)transfers->histogram.count;
	text_add(out, "%-9s %-10.2f %-10.2f %-11.6f %-10.0f %-10.2f %-10.6f %-10.6f %-10.6f %-10.6f "
		      "%" PRIu64 "\n",
		 phase_name(phase->kind), phase->total_rate / (double)MIB, phase->operations_rate,
		 latency, ceil((double)test->plan->geometry.block / 1024),
		 (double)options->transfer_size / 1024, seconds->open, seconds->transfer,
		 seconds->close, seconds->total, phase->repetition - options->warmup);
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
	char api[64];

	text_add(out, " %5u %6" PRIu32 " %3" PRIu32 " %4u %3d %5d %8" PRIu64 " %9d %4" PRId64,
		 test->number, plan->map.tasks, tasks_per_node(plan), repetitions,
		 options->file_per_proc, options->reorder_tasks, options->task_per_node_offset,
		 options->reorder_tasks_random != 0, options->reorder_random_seed);
	text_add(out, " %6" PRIu64 " %8" PRIu64 " %8" PRIu64 " %9.1f %5s %6" PRId64 "\n",
		 plan->geometry.segments, plan->geometry.block, options->transfer_size,
		 (double)plan->bytes / (double)MIB, api_name(plan->backend, api, sizeof(api)),
		 options->ref_num);
}

/* "Max Write" now, its row of the summary at the end of the job. */
static void sum_up(struct page *page, struct text *out, const struct test_result *test,
		   enum phase_kind kind)
{
	struct figures rates = {0}, operations = {0}, times = {0}, walls = {0}, moved = {0};

	for (size_t i = 0; i < test->phase_count; i++) {
		const struct phase_result *phase = &test->phases[i];

		if (phase->kind != kind || !foreign_has_row(phase))
			continue;
		figures_add(&rates, phase->total_rate / (double)MIB);
		figures_add(&operations,
			   phase->seconds.total > 0 ?
				   (double)phase->operations / phase->seconds.total : 0);
		figures_add(&times, phase->seconds.total);
		if (!(phase->stonewall.seconds > 0))
			continue;
		figures_add(&walls, phase->stonewall.seconds);
		figures_add(&moved, phase->stonewall.rate * phase->stonewall.seconds / (double)MIB);
	}
	if (!rates.count)
		return;
	text_add(out, "Max %-6s %.2f MiB/sec (%.2f MB/sec)\n",
		 kind == PHASE_WRITE ? "Write:" : "Read:", rates.most, rates.most * MIB / 1e6);
	text_add(&page->rows, "%-9s", phase_name(kind));
	add_figures(&page->rows, &rates);
	add_figures(&page->rows, &operations);
	text_add(&page->rows, " %10.5f", times.sum / times.count);
	if (walls.count)
		text_add(&page->rows, " %12.2f %14.2f", walls.sum / walls.count,
			 moved.sum / moved.count);
	else
		text_add(&page->rows, " %12s %14s", "NA", "NA");
	add_settings(&page->rows, test, rates.count);
}

void ior_page_test_end(struct page *page, struct text *out, const struct test_result *test,
		       const struct assessed_summary *assessed)
{
	(void)assessed; /* IOR has no intervals */
	text_add(out, "\n");
	for (unsigned i = 0; i < test->plan->phase_count; i++)
		sum_up(page, out, test, test->plan->phases[i].kind);
}

void ior_page_end(struct page *page, struct text *out)
{
	text_add(out, "\nSummary of all tests:\n");
	text_add(out, "Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs)  "
		      "Mean(OPs)     StdDev    Mean(s) Stonewall(s) Stonewall(MiB) Test# #Tasks tPN "
		      "reps fPP reord reordoff reordrand seed segcnt   blksiz    xsize aggs(MiB)   API "
		      "RefNum\n");
	text_add(out, "%s", text_string(&page->rows));
	field_time(out, "Finished", time(NULL));
}
