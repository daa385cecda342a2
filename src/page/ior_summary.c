/* Maps the keys of IOR's JSON and the columns of its CSV to the numbers of iorx. */
#include "page/ior_summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "page/ior_words.h"
#include "record/json.h"
#include "record/line.h"

/* IOR's values are whole seconds and minutes. */
static void put_time_span(json_t *object, const char *key, double value)
{
	if (value == floor(value) && value < 1e15)
		put_integer(object, key, (int64_t)value);
	else
		put_number(object, key, value);
}

void ior_summary_start(struct ior_summary *summary, struct text *out, const struct page *page,
		       const json_t *run)
{
	if (summary->csv) {
		text_add(out, "access,bw(MiB/s),IOPS,Latency,block(KiB),xfer(KiB),open(s),wr/"
			      "rd(s),close(s),total(s),numTasks,iter\n");
		return;
	}
	summary->document = ior_head(page, run);
	put_array(summary->document, "tests");
	put_array(summary->document, "summary");
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

static void put_parameters(json_t *object, const struct run *run, const struct test_result *result,
			   const json_t *line)
{
	const struct plan *plan = result->plan;
	const struct test *test = plan->test;

	put_count(object, "testID", result->number);
	put_integer(object, "refnum", test->ref_num);
	put_text(object, "api", ior_api(plan->backend).text);
	put_text(object, "platform", "Linux");
	put_text(object, "testFileName", line_text(line, "test_file"));
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
	put_count(object, "repetitions", ior_repetitions(test));
	put_how(object, run, test);
	put_count(object, "segmentCount", plan->geometry.segments);
	put_count(object, "transferSize", test->transfer_size);
	put_count(object, "blockSize", plan->geometry.block);
}

static void put_options(json_t *object, const struct plan *plan, const json_t *line)
{
	json_t *options = ior_options(plan, line, true);

	json_object_set_new(object, "Options", options);
	if (!(plan->test->stonewall > 0))
		return;
	put_time_span(options, "stonewallingTime", plan->test->stonewall);
	put_integer(options, "stoneWallingWearOut", plan->test->wear_out);
}

void ior_summary_test(struct ior_summary *summary, const struct test_result *test,
		      const struct mount_facts *mount, const json_t *line)
{
	if (!summary->document)
		return;
	summary->test = ior_test(test, line);
	json_array_append_new(json_object_get(summary->document, "tests"), summary->test);
	foreign_put_space(summary->test, mount);
	put_parameters(put_object(summary->test, "Parameters"), summary->run, test, line);
	put_options(summary->test, test->plan, line);
	put_array(summary->test, "Results");
}

void ior_summary_phase(struct ior_summary *summary, struct text *out, const struct test_head *test,
		       const json_t *line)
{
	const struct plan *plan = test->plan;
	json_t *result = ior_result(plan, line);

	if (summary->csv && result) {
		text_add(out,
			 "%s,%.4f,%.4f,%.6f,%.4f,%.4f,%.6f,%.6f,%.6f,%.6f,%" PRIu32 ",%" PRIu64
			 "\n",
			 line_text(result, "access"), line_number(result, "bwMiB"),
			 line_number(result, "iops"), line_number(result, "latency"),
			 line_number(result, "blockKiB"), line_number(result, "xferKiB"),
			 line_number(result, "openTime"), line_number(result, "wrRdTime"),
			 line_number(result, "closeTime"), line_number(result, "totalTime"),
			 plan->map.tasks, line_count(line, "repetition") - plan->test->warmup);
	}
	if (summary->document)
		json_array_append(json_object_get(summary->test, "Results"), result);
	json_decref(result);
}

static void ior_summary_sum_up(struct ior_summary *summary, const struct test_head *test,
			       enum phase_kind kind, const json_t *kept)
{
	json_t *row = ior_summary_row(test, kind, kept);
	const double most = line_number(row, "bwMaxMIB");
	json_t *max = json_object_get(summary->test, "max");

	if (!row)
		return;
	json_object_del(row, "StoneWallMiB"); /* only the text has it */
	json_array_append_new(json_object_get(summary->document, "summary"), row);
	if (!max)
		max = put_object(summary->test, "max");
	put_number(max, kind == PHASE_WRITE ? "writeMiB" : "readMiB", most);
	put_number(max, kind == PHASE_WRITE ? "writeMB" : "readMB", most * MIB / 1e6);
}

void ior_summary_test_end(struct ior_summary *summary, const struct test_head *test,
			  const json_t *kept)
{
	for (unsigned i = 0; summary->document && i < test->plan->phase_count; i++)
		ior_summary_sum_up(summary, test, test->plan->phases[i].kind, kept);
}

void ior_summary_finish(struct ior_summary *summary, struct text *out)
{
	char *words;

	if (!summary->document)
		return;
	put_text(summary->document, "Finished", ior_now().text);
	words = json_dumps(summary->document, JSON_INDENT(2));
	/* The version stands in the first line, which identifies the file as one of iorx. */
	if (words)
		text_add(out, "{%s\n", words + strlen("{\n  "));
	free(words);
	json_decref(summary->document);
	summary->document = NULL;
}
