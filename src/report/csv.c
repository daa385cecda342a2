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
TEXT_CELL(phase, phase_name(row->phase->kind))
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
MEASURED(transfers, add_count, row->phase->kind == PHASE_FIND ? row->measure->entries
								: row->phase->operations)
KNOWN(depth, add_number, row->phase->depth)
MOVED(total_rate, add_number, row->phase->total_rate)
MOVED(transfer_rate, add_number, row->phase->transfer_rate)
KNOWN(durable_rate, add_number, row->phase->durable_rate)
MEASURED(operations_rate, add_number,
	 of_names(row) ? row->phase->total_rate : row->phase->operations_rate)
MEASURED(open, add_number, row->phase->seconds.open)
MEASURED(transfer, add_number, row->phase->seconds.transfer)
MEASURED(sync, add_number, row->phase->seconds.sync)
MEASURED(close, add_number, row->phase->seconds.close)
MEASURED(total, add_number, row->phase->seconds.total)
KNOWN(wall_time, add_number, row->phase->stonewall.seconds)
KNOWN(wall_rate, add_number, row->phase->stonewall.rate)
KNOWN(p50, add_count, row->phase->p50_ns)
KNOWN(p99, add_count, row->phase->p99_ns)
KNOWN(p999, add_count, row->phase->p999_ns)
KNOWN(max, add_count, row->phase->max_ns)
COMPARED(wrong_transfers, row->phase->wrong_transfers)
COMPARED(wrong_bytes, row->phase->wrong_bytes)
MEASURED(failed, add_count, row->phase->failed_operations)
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
};

void csv_head(struct text *out)
{
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		text_add(out, "%s%s", i ? "," : "", columns[i].name);
	text_add(out, "\n");
}

void csv_row(struct text *out, const struct test_result *test, const struct phase_result *phase)
{
	struct row row = {
		.test = test,
		.phase = phase,
		.measure = phase_began(phase) ? phase->measure : NULL,
	};

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		if (i)
			text_add(out, ",");
		columns[i].add(out, &row);
	}
	text_add(out, "\n");
}
