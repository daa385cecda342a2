/* One row per phase and repetition. */
#include "report/csv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/utf8.h"

/* What a column is made from. */
struct row {
	const struct test_result *test;
	const struct phase_result *phase;
	const struct measure *measure; /* NULL: the cells of what was measured stay empty */
	const char *part;              /* of the phase, NULL: all of it */
	const struct histogram *part_times;
};

static void add_number(struct text *out, double value)
{
	if (isfinite(value))
		text_add(out, "%.17g", value);
}

static void add_count(struct text *out, uint64_t value)
{
	text_add(out, "%" PRIu64, value);
}

static void add_text(struct text *out, const char *text)
{
	struct text repaired = {0};

	utf8_repair(&repaired, text);
	text = text_string(&repaired);
	if (!strpbrk(text, ",\"\r\n")) {
		text_add(out, "%s", text);
	} else {
		text_add(out, "\"");
		for (; *text; text++)
			text_add(out, *text == '"' ? "\"\"" : "%c", *text);
		text_add(out, "\"");
	}
	text_release(&repaired);
}

#define TEXT_CELL(name, value)                                                                     \
	static void cell_##name(struct text *out, const struct row *row)                           \
	{                                                                                          \
		add_text(out, value);                                                              \
	}
#define COUNT_CELL(name, value)                                                                    \
	static void cell_##name(struct text *out, const struct row *row)                           \
	{                                                                                          \
		add_count(out, value);                                                             \
	}
#define MEASURED(name, add, value)                                                                 \
	static void cell_##name(struct text *out, const struct row *row)                           \
	{                                                                                          \
		if (row->measure)                                                                  \
			add(out, value);                                                           \
	}
/* 0 stands for "not known" in these. */
#define KNOWN(name, add, value)                                                                    \
	static void cell_##name(struct text *out, const struct row *row)                           \
	{                                                                                          \
		if (row->measure && (value) > 0)                                                   \
			add(out, value);                                                           \
	}

/* A service time of a part of the phase, or of all of it. */
#define TIME(name, of_part, of_phase)                                                              \
	static void cell_##name(struct text *out, const struct row *row)                           \
	{                                                                                          \
		uint64_t ns = row->part ? (row->part_times->count ? (of_part) : 0)                 \
					: row->measure ? (of_phase) : 0;                           \
                                                                                                   \
		if (ns)                                                                            \
			add_count(out, ns);                                                        \
	}

static bool of_names(const struct row *row)
{
	return phase_is_metadata(row->phase->kind);
}

/* Empty where no data is moved. */
#define MOVED(name, add, value)                                                                    \
	static void cell_##name(struct text *out, const struct row *row)                           \
	{                                                                                          \
		if (row->measure && !of_names(row))                                                \
			add(out, value);                                                           \
	}

/* Empty where nothing was compared. */
#define COMPARED(name, value)                                                                      \
	static void cell_##name(struct text *out, const struct row *row)                           \
	{                                                                                          \
		if (row->measure && row->phase->checks)                                            \
			add_count(out, value);                                                     \
	}

/* Of tests that move data. */
#define SHAPE(name, value)                                                                         \
	static void cell_##name(struct text *out, const struct row *row)                           \
	{                                                                                          \
		if (!row->test->plan->metadata)                                                    \
			add_count(out, value);                                                     \
	}

COUNT_CELL(test, row->phase->test)
static void cell_phase(struct text *out, const struct row *row)
{
	text_add(out, "%s%s%s", phase_name(row->phase->kind), row->part ? ":" : "",
		 row->part ? row->part : "");
}

COUNT_CELL(repetition, row->phase->repetition)
TEXT_CELL(status, phase_status_name(row->phase->status))
TEXT_CELL(api, row->test->plan->test->api)
TEXT_CELL(backend, row->test->plan->backend->name)
TEXT_CELL(test_file, row->test->plan->metadata ? row->test->plan->metadata->dir
						: row->test->plan->test->test_file)
COUNT_CELL(tasks, row->test->plan->map.tasks)
COUNT_CELL(nodes, row->test->plan->map.nodes)
SHAPE(block_size, row->test->plan->geometry.block)
SHAPE(transfer_size, row->test->plan->geometry.transfer)
SHAPE(segment_count, row->test->plan->geometry.segments)
COUNT_CELL(queue_depth, row->phase->queue_depth)
COUNT_CELL(cold, row->phase->cold)
COUNT_CELL(failed_tasks, row->phase->failed_tasks)
MOVED(bytes, add_count, row->measure->bytes)
MOVED(transfers, add_count, row->phase->operations)
/* Of names: what the rate counts. */
static void cell_operations(struct text *out, const struct row *row)
{
	if (!of_names(row))
		return;
	if (row->part)
		add_count(out, row->part_times->count);
	else if (row->measure)
		add_count(out, row->phase->kind == PHASE_FIND ? row->measure->entries
							      : row->phase->operations);
}

KNOWN(depth, add_number, row->phase->depth)
MOVED(total_rate, add_number, row->phase->total_rate)
MOVED(transfer_rate, add_number, row->phase->transfer_rate)
KNOWN(durable_rate, add_number, row->phase->durable_rate)
static void cell_operations_rate(struct text *out, const struct row *row)
{
	if (row->part && row->phase->seconds.total > 0)
		add_number(out, (double)row->part_times->count / row->phase->seconds.total);
	else if (row->measure)
		add_number(out, of_names(row) ? row->phase->total_rate : row->phase->operations_rate);
}

MEASURED(open, add_number, row->phase->seconds.open)
MEASURED(transfer, add_number, row->phase->seconds.transfer)
MEASURED(sync, add_number, row->phase->seconds.sync)
MEASURED(close, add_number, row->phase->seconds.close)
MEASURED(total, add_number, row->phase->seconds.total)
KNOWN(wall_time, add_number, row->phase->stonewall.seconds)
KNOWN(wall_rate, add_number, row->phase->stonewall.rate)
TIME(p50, histogram_known_percentile(row->part_times, 0.5), row->phase->p50_ns)
TIME(p99, histogram_known_percentile(row->part_times, 0.99), row->phase->p99_ns)
TIME(p999, histogram_known_percentile(row->part_times, 0.999), row->phase->p999_ns)
TIME(max, row->part_times->max_ns, row->phase->max_ns)
COMPARED(wrong_transfers, row->phase->wrong_transfers)
COMPARED(wrong_bytes, row->phase->wrong_bytes)
MEASURED(failed, add_count, row->phase->failed_operations)
KNOWN(working, add_count, of_names(row) ? plan_working_tasks(row->test->plan, row->phase->kind) : 0)
MEASURED(user, add_count, row->measure->user_ns)
MEASURED(system, add_count, row->measure->system_ns)

static const struct {
	const char *name;
	void (*add)(struct text *out, const struct row *row);
} columns[] = {
	{"test", cell_test},
	{"phase", cell_phase},
	{"repetition", cell_repetition},
	{"status", cell_status},
	{"api", cell_api},
	{"test_file", cell_test_file},
	{"tasks", cell_tasks},
	{"nodes", cell_nodes},
	{"block_size_bytes", cell_block_size},
	{"transfer_size_bytes", cell_transfer_size},
	{"segment_count", cell_segment_count},
	{"cold", cell_cold},
	{"failed_tasks", cell_failed_tasks},
	{"bytes", cell_bytes},
	{"transfers", cell_transfers},
	{"total_bytes_per_s", cell_total_rate},
	{"transfer_bytes_per_s", cell_transfer_rate},
	{"durable_bytes_per_s", cell_durable_rate},
	{"operations_per_s", cell_operations_rate},
	{"open_s", cell_open},
	{"transfer_s", cell_transfer},
	{"sync_s", cell_sync},
	{"close_s", cell_close},
	{"total_s", cell_total},
	{"p50_ns", cell_p50},
	{"p99_ns", cell_p99},
	{"p99.9_ns", cell_p999},
	{"max_ns", cell_max},
	{"user_ns", cell_user},
	{"system_ns", cell_system},
	{"backend", cell_backend},
	{"queue_depth", cell_queue_depth},
	{"mean_depth", cell_depth},
	{"wrong_transfers", cell_wrong_transfers},
	{"wrong_bytes", cell_wrong_bytes},
	{"stonewall_s", cell_wall_time},
	{"stonewall_bytes_per_s", cell_wall_rate},
	{"failed_operations", cell_failed},
	{"working_tasks", cell_working},
	{"operations", cell_operations},
};

void csv_head(struct text *out)
{
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		text_add(out, "%s%s", i ? "," : "", columns[i].name);
	text_add(out, "\n");
}

static void add_row(struct text *out, const struct row *row)
{
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		if (i)
			text_add(out, ",");
		columns[i].add(out, row);
	}
	text_add(out, "\n");
}

/* What was measured of the phase only stands in its own row, so that no sum counts it twice. */
static void add_parts(struct text *out, struct row row)
{
	const struct measure *measure = row.measure;

	row.measure = NULL;
	for (unsigned part = 0; part < MIX_PARTS; part++) {
		if (!mix_part_is_meant(&row.test->plan->mix, part))
			continue;
		row.part = mix_part_name(part);
		row.part_times = &measure_record(measure, mix_part_operation(part))->histogram;
		add_row(out, &row);
	}
}

void csv_row(struct text *out, const struct test_result *test, const struct phase_result *phase)
{
	struct row row = {
		.test = test,
		.phase = phase,
		.measure = phase_began(phase) ? phase->measure : NULL,
	};

	add_row(out, &row);
	if (row.measure && phase->kind == PHASE_MIX)
		add_parts(out, row);
}
