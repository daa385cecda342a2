/* Maps the keys of IOR's JSON and the columns of its CSV to the numbers of iorx. */
#include "report/ior_summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/version.h"
#include "report/ior_words.h"
#include "report/json.h"

static void put_now(json_t *object, const char *key)
{
	put_text(object, key, ior_time(time(NULL)).text);
}

/* IOR's values are whole seconds and minutes. */
static void put_time_span(json_t *object, const char *key, double value)
{
	if (value == floor(value) && value < 1e15)
		put_integer(object, key, (int64_t)value);
	else
		put_number(object, key, value);
}

void ior_summary_start(struct ior_summary *summary, struct text *out, const struct page *page,
		       const struct environment *environment, int argc, char *const *argv)
{
	struct text words = {0};

	if (summary->csv) {
		text_add(out, "access,bw(MiB/s),IOPS,Latency,block(KiB),xfer(KiB),open(s),wr/"
			      "rd(s),close(s),total(s),numTasks,iter\n");
		return;
	}
	summary->document = json_object();
	text_add(&words, IOR_VERSION "+iorx-%s", version.number);
	put_text(summary->document, "Version", text_string(&words));
	put_now(summary->document, "Began");
	text_clear(&words);
	page_command(page, &words, argc, argv);
	put_text(summary->document, "Command line", text_string(&words));
	text_clear(&words);
	ior_machine(&words, environment);
	put_text(summary->document, "Machine", text_string(&words));
	text_release(&words);
	put_array(summary->document, "tests");
	put_array(summary->document, "summary");
}

static void put_space(json_t *object, const struct mount_facts *mount)
{
	struct space_words words;

	if (!mount || !foreign_space(mount, &words))
		return;
	put_text(object, "Capacity", words.size);
	put_text(object, "Used Capacity", words.used);
	put_text(object, "Inodes", words.inodes);
	put_text(object, "Used Inodes", words.used_inodes);
}

static const char *packet_type(const struct test *test)
{
	static const char *const types[] = {
		[CONTENT_STAMPED] = "i", [CONTENT_RANDOM] = "i", [CONTENT_ZEROS] = "g",
		[CONTENT_FILE] = "g",	 [CONTENT_IOR] = "t",	 [CONTENT_IOR_OFFSET] = "o",
	};

	return types[test->content];
}

static void put_how(json_t *object, const struct run *run, const struct test *test)
{
	put_integer(object, "multiFile", test->multi_file);
	put_time_span(object, "interTestDelay", test->inter_test_delay);
	put_integer(object, "fsync", test->fsync);
	put_integer(object, "fsyncperwrite", test->fsync_per_write);
	put_integer(object, "useExistingTestFile", test->use_existing_test_file);
	put_integer(object, "uniqueDir", test->unique_dir);
	put_integer(object, "singleXferAttempt", test->single_xfer_attempt);
	put_integer(object, "readFile", test->read_file);
	put_integer(object, "writeFile", test->write_file);
	put_integer(object, "filePerProc", test->file_per_proc);
	put_integer(object, "reorderTasks", test->reorder_tasks);
	put_count(object, "reorderTasksRandom", test->reorder_tasks_random);
	put_integer(object, "reorderTasksRandomSeed", test->reorder_random_seed);
	put_count(object, "randomOffset", test->random_offset);
	put_integer(object, "checkWrite", test->check_write);
	put_integer(object, "checkRead", test->check_read);
	put_integer(object, "dataPacketType", 0); /* "data packet type" has the letter */
	put_integer(object, "keepFile", test->keep_file);
	put_integer(object, "keepFileWithError", test->keep_file_with_error);
	put_integer(object, "warningAsErrors", run->warning_as_errors);
	put_count(object, "verbose", run->verbose);
	put_text(object, "data packet type", packet_type(test));
	put_integer(object, "setTimeStampSignature/incompressibleSeed", test->content_seed);
	put_integer(object, "collective", test->collective);
}

static uint64_t repetitions_of(const struct test *test)
{
	return test_repetitions_most(test) - test->warmup;
}

static void put_parameters(json_t *object, const struct run *run, const struct test_result *result)
{
	const struct plan *plan = result->plan;
	const struct test *test = plan->test;

	put_count(object, "testID", result->number);
	put_integer(object, "refnum", test->ref_num);
	put_text(object, "api", ior_api(plan->backend).text);
	put_text(object, "platform", "Linux");
	put_text(object, "testFileName", test->test_file);
	put_time_span(object, "deadlineForStonewall", test->stonewall);
	put_integer(object, "stoneWallingWearOut", test->wear_out);
	put_time_span(object, "maxTimeDuration", test->max_time_duration);
	put_time_span(object, "outlierThreshold", test->outlier_threshold);
	put_text(object, "options", "(null)");
	put_integer(object, "dryRun", 0);
	put_count(object, "nodes", plan->map.nodes);
	put_count(object, "memoryPerTask", test->memory_per_task);
	put_count(object, "memoryPerNode", plan->memory_hog_per_node);
	put_count(object, "tasksPerNode", ior_tasks_per_node(plan));
	put_count(object, "repetitions", repetitions_of(test));
	put_how(object, run, test);
	put_count(object, "segmentCount", plan->geometry.segments);
	put_count(object, "transferSize", test->transfer_size);
	put_count(object, "blockSize", plan->geometry.block);
}

static void put_options(json_t *object, const struct plan *plan)
{
	const struct test *test = plan->test;

	put_text(object, "api", ior_api(plan->backend).text);
	put_text(object, "apiVersion", "");
	put_text(object, "test filename", test->test_file);
	put_text(object, "access", test->file_per_proc ? "file-per-process" : "single-shared-file");
	put_text(object, "type", test->collective ? "collective" : "independent");
	put_count(object, "segments", plan->geometry.segments);
	put_text(object, "ordering in a file", test->random_offset ? "random" : "sequential");
	put_text(object, "ordering inter file", ior_ordering(test));
	if (test->reorder_tasks)
		put_count(object, "task offset", test->task_per_node_offset);
	put_count(object, "nodes", plan->map.nodes);
	put_count(object, "tasks", plan->map.tasks);
	put_count(object, "clients per node", ior_tasks_per_node(plan));
	put_text(object, "memoryBuffer", "CPU");
	put_text(object, "dataAccess", "CPU");
	put_text(object, "GPUDirect", "0");
	put_count(object, "repetitions", repetitions_of(test));
	put_text(object, "xfersize", ior_size(test->transfer_size).text);
	put_text(object, "blocksize", ior_size(plan->geometry.block).text);
	put_text(object, "aggregate filesize", ior_size(plan->bytes).text);
	if (!(test->stonewall > 0))
		return;
	put_time_span(object, "stonewallingTime", test->stonewall);
	put_integer(object, "stoneWallingWearOut", test->wear_out);
}

void ior_summary_test(struct ior_summary *summary, const struct test_result *test,
		      const struct mount_facts *mount)
{
	if (!summary->document)
		return;
	summary->test = json_object();
	json_array_append_new(json_object_get(summary->document, "tests"), summary->test);
	put_count(summary->test, "TestID", test->number);
	put_now(summary->test, "StartTime");
	put_text(summary->test, "Path", test->plan->test->test_file);
	put_space(summary->test, mount);
	put_parameters(put_object(summary->test, "Parameters"), summary->run, test);
	put_options(put_object(summary->test, "Options"), test->plan);
	put_array(summary->test, "Results");
}

static void add_row(struct text *out, const struct plan *plan, const struct phase_result *phase)
{
	const struct intervals *seconds = &phase->seconds;

	text_add(out, "%s,%.4f,%.4f,%.6f,%.4f,%.4f,%.6f,%.6f,%.6f,%.6f,%" PRIu32 ",%" PRIu64 "\n",
		 phase_name(phase->kind), phase->total_rate / (double)MIB, ior_iops(phase),
		 ior_latency(phase), (double)plan->geometry.block / 1024,
		 (double)plan->test->transfer_size / 1024, seconds->open, ior_access_seconds(phase),
		 seconds->close, seconds->total, plan->map.tasks,
		 phase->repetition - plan->test->warmup);
}

void ior_summary_phase(struct ior_summary *summary, struct text *out,
		       const struct test_result *test, const struct phase_result *phase,
		       const json_t *line)
{
	(void)line;
	const struct plan *plan = test->plan;
	json_t *result;

	if (!foreign_has_row(phase))
		return;
	if (summary->csv) {
		add_row(out, plan, phase);
		return;
	}
	result = json_object();
	json_array_append_new(json_object_get(summary->test, "Results"), result);
	put_text(result, "access", phase_name(phase->kind));
	put_number(result, "bwMiB", phase->total_rate / (double)MIB);
	put_number(result, "blockKiB", (double)plan->geometry.block / 1024);
	put_number(result, "xferKiB", (double)plan->test->transfer_size / 1024);
	put_number(result, "iops", ior_iops(phase));
	put_number(result, "latency", ior_latency(phase));
	put_number(result, "openTime", phase->seconds.open);
	put_number(result, "wrRdTime", ior_access_seconds(phase));
	put_number(result, "closeTime", phase->seconds.close);
	put_number(result, "totalTime", phase->seconds.total);
}

static double mean(const struct figures *figures)
{
	return figures->sum / figures->count;
}

static void put_settings(json_t *object, const struct test_result *result, uint64_t repetitions)
{
	const struct plan *plan = result->plan;
	const struct test *test = plan->test;

	put_text(object, "API", ior_api(plan->backend).text);
	put_count(object, "TestID", result->number);
	put_integer(object, "ReferenceNumber", test->ref_num);
	put_count(object, "segmentCount", plan->geometry.segments);
	put_count(object, "blockSize", plan->geometry.block);
	put_count(object, "transferSize", test->transfer_size);
	put_count(object, "numTasks", plan->map.tasks);
	put_count(object, "tasksPerNode", ior_tasks_per_node(plan));
	put_count(object, "repetitions", repetitions);
	put_integer(object, "filePerProc", test->file_per_proc);
	put_integer(object, "reorderTasks", test->reorder_tasks);
	put_count(object, "taskPerNodeOffset", test->task_per_node_offset);
	put_count(object, "reorderTasksRandom", test->reorder_tasks_random);
	put_integer(object, "reorderTasksRandomSeed", test->reorder_random_seed);
}

static void put_summary(json_t *object, const struct test_result *test, enum phase_kind kind,
			const struct ior_figures *all)
{
	put_text(object, "operation", phase_name(kind));
	put_settings(object, test, all->rates.count);
	put_number(object, "bwMaxMIB", all->rates.most);
	put_number(object, "bwMinMIB", all->rates.least);
	put_number(object, "bwMeanMIB", mean(&all->rates));
	put_number(object, "bwStdMIB", figures_deviation(&all->rates));
	put_number(object, "OPsMax", all->operations.most);
	put_number(object, "OPsMin", all->operations.least);
	put_number(object, "OPsMean", mean(&all->operations));
	put_number(object, "OPsSD", figures_deviation(&all->operations));
	put_number(object, "MeanTime", mean(&all->times));
	if (all->walls.count) {
		put_number(object, "StoneWallTime", mean(&all->walls));
		put_number(object, "StoneWallbwMeanMIB", mean(&all->moved) / mean(&all->walls));
	}
	put_number(object, "xsizeMiB", (double)test->plan->bytes / (double)MIB);
}

static void sum_up(struct ior_summary *summary, const struct test_result *test,
		   enum phase_kind kind)
{
	struct ior_figures all = ior_figures_of(test, kind);
	json_t *row, *max = json_object_get(summary->test, "max");

	if (!all.rates.count)
		return;
	row = json_object();
	json_array_append_new(json_object_get(summary->document, "summary"), row);
	put_summary(row, test, kind, &all);
	if (!max)
		max = put_object(summary->test, "max");
	put_number(max, kind == PHASE_WRITE ? "writeMiB" : "readMiB", all.rates.most);
	put_number(max, kind == PHASE_WRITE ? "writeMB" : "readMB", all.rates.most * MIB / 1e6);
}

void ior_summary_test_end(struct ior_summary *summary, const struct test_result *test)
{
	for (unsigned i = 0; summary->document && i < test->plan->phase_count; i++)
		sum_up(summary, test, test->plan->phases[i].kind);
}

void ior_summary_finish(struct ior_summary *summary, struct text *out)
{
	char *words;

	if (!summary->document)
		return;
	put_now(summary->document, "Finished");
	words = json_dumps(summary->document, JSON_INDENT(2));
	/* The version stands in the first line, which identifies the file as one of iorx. */
	if (words)
		text_add(out, "{%s\n", words + strlen("{\n  "));
	free(words);
	json_decref(summary->document);
	summary->document = NULL;
}
