/* IOR's words for a test and its phases, and the figures over repetitions. */
#include "page/ior_words.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/units.h"
#include "base/version.h"
#include "record/json.h"
#include "record/line.h"

struct ior_word ior_now(void)
{
	const time_t now = time(NULL);
	struct ior_word word;
	struct tm parts;

	localtime_r(&now, &parts);
	strftime(word.text, sizeof(word.text), "%a %b %e %H:%M:%S %Y", &parts);
	return word;
}

/* "1 MiB", "1.50 GiB", "512 bytes" */
static struct ior_word size_word(uint64_t bytes)
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
	double value = (double)bytes;
	struct ior_word word;
	unsigned unit = 0;

	for (; value >= 1024 && unit < 4; unit++)
		value /= 1024;
	snprintf(word.text, sizeof(word.text), "%.*f %s", value == floor(value) ? 0 : 2, value,
		 units[unit]);
	return word;
}

struct ior_word ior_api(const struct backend *backend)
{
	const char *name = backend->aliases ? backend->aliases : backend->name;
	struct ior_word word;

	snprintf(word.text, sizeof(word.text), "%.*s", (int)strcspn(name, " "), name);
	for (char *at = word.text; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	return word;
}

uint32_t ior_tasks_per_node(const struct plan *plan)
{
	return node_map_tasks_on(&plan->map, node_map_node(&plan->map, 0));
}

uint64_t ior_repetitions(const struct test *test)
{
	return test_repetitions_most(test) - test->warmup;
}

json_t *ior_head(const struct page *page, const json_t *run)
{
	json_t *head = json_object();
	struct text words = {0};
	struct utsname system;

	text_add(&words, IOR_VERSION "+iorx-%s", version.number);
	put_text(head, "Version", text_string(&words));
	put_text(head, "Began", ior_now().text);
	put_text(head, "Command line", page->command);
	text_clear(&words);
	text_add(&words, "%s %s", uname(&system) ? "unknown" : system.sysname,
		 line_text(run, "environment/host"));
	put_text(head, "Machine", text_string(&words));
	text_release(&words);
	return head;
}

json_t *ior_test(const struct test_result *test, const json_t *line)
{
	json_t *object = json_object();

	put_count(object, "TestID", test->number);
	put_text(object, "StartTime", ior_now().text);
	put_text(object, "Path", line_text(line, "test_file"));
	return object;
}

json_t *ior_options(const struct plan *plan, const json_t *line, bool all)
{
	const struct test *test = plan->test;
	json_t *options = json_object();

	put_text(options, "api", ior_api(plan->backend).text);
	put_text(options, "apiVersion", "");
	put_text(options, "test filename", line_text(line, "test_file"));
	put_text(options, "access",
		 test->file_per_proc ? "file-per-process" : "single-shared-file");
	put_text(options, "type", test->collective ? "collective" : "independent");
	put_count(options, "segments", plan->geometry.segments);
	put_text(options, "ordering in a file", test->random_offset ? "random" : "sequential");
	put_text(options, "ordering inter file",
		 test->reorder_tasks_random ? "random task offset"
		 : test->reorder_tasks	    ? "constant task offset"
					    : "no tasks offsets");
	if (test->reorder_tasks)
		put_count(options, "task offset", test->task_per_node_offset);
	put_count(options, "nodes", plan->map.nodes);
	put_count(options, "tasks", plan->map.tasks);
	put_count(options, "clients per node", ior_tasks_per_node(plan));
	if (all) {
		put_text(options, "memoryBuffer", "CPU");
		put_text(options, "dataAccess", "CPU");
		put_text(options, "GPUDirect", "0");
	}
	put_count(options, "repetitions", ior_repetitions(test));
	put_text(options, "xfersize", size_word(test->transfer_size).text);
	put_text(options, "blocksize", size_word(plan->geometry.block).text);
	put_text(options, "aggregate filesize", size_word(plan->bytes).text);
	return options;
}

static double ior_words_divide(double amount, double by)
{
	return by > 0 ? amount / by : 0;
}

/* IOR's wr/rd(s): from the first issue to the last completion, with the syncs behind it. */
static double access_seconds(const json_t *line)
{
	const double durable = line_number(line, "intervals/durable_s");

	return durable > 0 ? durable : line_number(line, "intervals/transfer_s");
}

json_t *ior_result(const struct plan *plan, const json_t *line)
{
	const char *name = line_text(line, "phase");
	const json_t *times = json_object_get(line_at(line, "operations"), name);
	const double seconds = access_seconds(line);
	json_t *result;

	if (!foreign_has_row(line))
		return NULL;
	result = json_object();
	put_text(result, "access", name);
	put_number(result, "bwMiB", line_number(line, "rates/total_bytes_per_s") / (double)MIB);
	put_number(result, "blockKiB", (double)plan->geometry.block / 1024);
	put_number(result, "xferKiB", (double)plan->test->transfer_size / 1024);
	put_number(result, "iops", ior_words_divide(line_number(line, "data/transfers"), seconds));
	put_number(result, "latency",
		   ior_words_divide(line_number(times, "sum_ns") / 1e9,
				    line_number(times, "count")));
	put_number(result, "openTime", line_number(line, "intervals/open_s"));
	put_number(result, "wrRdTime", seconds);
	put_number(result, "closeTime", line_number(line, "intervals/close_s"));
	put_number(result, "totalTime", line_number(line, "intervals/total_s"));
	return result;
}

/* The last two are only kept of repetitions with a stonewall. */
enum { RATE, OPERATIONS_RATE, TIME, WALL, MOVED }; /* MiB/s, 1/s, s, s, MiB */

void ior_keep(json_t *kept, const json_t *line)
{
	const double rate = line_number(line, "rates/total_bytes_per_s") / (double)MIB;
	const double seconds = line_number(line, "intervals/total_s");
	const double operations = ior_words_divide(line_number(line, "data/transfers"), seconds);
	const double wall = line_number(line, "stonewall/time_s");
	const double moved = line_number(line, "stonewall/bytes_per_s") * wall / (double)MIB;
	json_t *numbers = !foreign_has_row(line) ? json_array()
			  : wall > 0 ? json_pack("[fffff]", rate, operations, seconds, wall, moved)
				     : json_pack("[fff]", rate, operations, seconds);

	foreign_keep(kept, line, numbers);
}

static void put_settings(json_t *row, const struct test_head *head, uint64_t repetitions)
{
	const struct plan *plan = head->plan;
	const struct test *test = plan->test;

	put_text(row, "API", ior_api(plan->backend).text);
	put_count(row, "TestID", head->number);
	put_integer(row, "ReferenceNumber", test->ref_num);
	put_count(row, "segmentCount", plan->geometry.segments);
	put_count(row, "blockSize", plan->geometry.block);
	put_count(row, "transferSize", test->transfer_size);
	put_count(row, "numTasks", plan->map.tasks);
	put_count(row, "tasksPerNode", ior_tasks_per_node(plan));
	put_count(row, "repetitions", repetitions);
	put_integer(row, "filePerProc", test->file_per_proc);
	put_integer(row, "reorderTasks", test->reorder_tasks);
	put_count(row, "taskPerNodeOffset", test->task_per_node_offset);
	put_count(row, "reorderTasksRandom", test->reorder_tasks_random);
	put_integer(row, "reorderTasksRandomSeed", test->reorder_random_seed);
}

json_t *ior_summary_row(const struct test_head *test, enum phase_kind kind, const json_t *kept)
{
	const struct figures rates = foreign_figures(kept, kind, RATE);
	const struct figures operations = foreign_figures(kept, kind, OPERATIONS_RATE);
	const struct figures times = foreign_figures(kept, kind, TIME);
	const struct figures walls = foreign_figures(kept, kind, WALL);
	const struct figures moved = foreign_figures(kept, kind, MOVED);
	json_t *row;

	if (!rates.count)
		return NULL;
	row = json_object();
	put_text(row, "operation", phase_name(kind));
	put_settings(row, test, rates.count);
	put_number(row, "bwMaxMIB", rates.most);
	put_number(row, "bwMinMIB", rates.least);
	put_number(row, "bwMeanMIB", rates.mean);
	put_number(row, "bwStdMIB", rates.deviation);
	put_number(row, "OPsMax", operations.most);
	put_number(row, "OPsMin", operations.least);
	put_number(row, "OPsMean", operations.mean);
	put_number(row, "OPsSD", operations.deviation);
	put_number(row, "MeanTime", times.mean);
	if (walls.count) {
		put_number(row, "StoneWallTime", walls.mean);
		put_number(row, "StoneWallMiB", moved.mean);
		put_number(row, "StoneWallbwMeanMIB", moved.mean / walls.mean);
	}
	put_number(row, "xsizeMiB", (double)test->plan->bytes / (double)MIB);
	return row;
}
