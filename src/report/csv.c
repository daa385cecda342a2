/* One row per phase and repetition. */
#include "report/csv.h"

#include <string.h>

#include "report/json.h"
#include "report/utf8.h"

enum cell {
	CELL_ANY,   /* null and missing members stay empty */
	CELL_KNOWN, /* as CELL_ANY; 0, which stands for "not known", stays empty too */
};

/*
 * A cell has the value of the first path that leads to one. Paths begin at the members of a row,
 * which make_row() names. Only the row of a whole phase has "measured"; only the row of a part has
 * "part".
 */
static const struct column {
	const char *name;
	enum cell cell;
	const char *paths[3];
} columns[] = {
	{"test", CELL_ANY, {"phase/test"}},
	{"phase", CELL_ANY, {"name"}},
	{"repetition", CELL_ANY, {"phase/repetition"}},
	{"status", CELL_ANY, {"phase/status"}},
	{"api", CELL_ANY, {"test/api"}},
	{"test_file", CELL_ANY, {"test/test_file"}},
	{"tasks", CELL_ANY, {"test/plan/tasks"}},
	{"nodes", CELL_ANY, {"test/plan/nodes"}},
	{"block_size_bytes", CELL_ANY, {"test/plan/block_bytes"}},
	{"transfer_size_bytes", CELL_ANY, {"test/plan/transfer_bytes"}},
	{"segment_count", CELL_ANY, {"test/plan/segments"}},
	{"cold", CELL_ANY, {"phase/cold"}},
	{"failed_tasks", CELL_ANY, {"phase/tasks/failed"}},
	{"bytes", CELL_ANY, {"measured/data/bytes"}},
	{"transfers", CELL_ANY, {"measured/data/transfers"}},
	{"total_bytes_per_s", CELL_ANY, {"measured/rates/total_bytes_per_s"}},
	{"transfer_bytes_per_s", CELL_ANY, {"measured/rates/transfer_bytes_per_s"}},
	{"durable_bytes_per_s", CELL_KNOWN, {"measured/rates/durable_bytes_per_s"}},
	{"operations_per_s",
	 CELL_ANY,
	 {"part/operations_per_s", "measured/rates/operations_per_s",
	  "measured/rates/total_operations_per_s"}},
	{"open_s", CELL_ANY, {"measured/intervals/open_s"}},
	{"transfer_s", CELL_ANY, {"measured/intervals/transfer_s"}},
	{"sync_s", CELL_ANY, {"measured/intervals/sync_s"}},
	{"close_s", CELL_ANY, {"measured/intervals/close_s"}},
	{"total_s", CELL_ANY, {"measured/intervals/total_s"}},
	{"p50_ns", CELL_KNOWN, {"times/percentiles/p50/ns"}},
	{"p99_ns", CELL_KNOWN, {"times/percentiles/p99/ns"}},
	{"p99.9_ns", CELL_KNOWN, {"times/percentiles/p99.9/ns"}},
	{"max_ns", CELL_KNOWN, {"times/max_ns"}},
	{"user_ns", CELL_ANY, {"measured/kernel/user_ns"}},
	{"system_ns", CELL_ANY, {"measured/kernel/system_ns"}},
	{"backend", CELL_ANY, {"test/backend"}},
	{"queue_depth", CELL_ANY, {"phase/queue_depth"}},
	{"mean_depth",
	 CELL_KNOWN,
	 {"measured/queue/mean_depth", "measured/metadata/queue/mean_depth"}},
	{"wrong_transfers", CELL_ANY, {"measured/verification/wrong_transfers"}},
	{"wrong_bytes", CELL_ANY, {"measured/verification/wrong_bytes"}},
	{"stonewall_s",
	 CELL_KNOWN,
	 {"measured/stonewall/time_s", "measured/metadata/stonewall/time_s"}},
	{"stonewall_bytes_per_s", CELL_KNOWN, {"measured/stonewall/bytes_per_s"}},
	{"failed_operations", CELL_ANY, {"measured/metadata/failed_operations", "none_failed"}},
	{"working_tasks", CELL_KNOWN, {"measured/metadata/working_tasks"}},
	{"operations",
	 CELL_ANY,
	 {"part/operations", "found/entries", "measured/metadata/operations"}},
	{"stonewall_operations_per_s",
	 CELL_KNOWN,
	 {"measured/metadata/stonewall/operations_per_s"}},
	{"severity", CELL_ANY, {"phase/severity"}},
	{"limit", CELL_ANY, {"measured/possible/least"}},
	{"limit_share", CELL_ANY, {"measured/possible/share"}},
	{"beside", CELL_ANY, {"phase/load/beside"}},
};

enum { COLUMN_COUNT = sizeof(columns) / sizeof(columns[0]) };

static bool runs_in_spreadsheets(const char *text)
{
	return *text && strchr("=+-@\t\r", *text);
}

void csv_add_text(struct text *out, const char *text)
{
	bool runs = runs_in_spreadsheets(text);

	if (!runs && !strpbrk(text, ",\"\r\n")) {
		text_add(out, "%s", text);
		return;
	}
	text_add(out, runs ? "\"'" : "\"");
	for (; *text; text++)
		text_add(out, *text == '"' ? "\"\"" : "%c", *text);
	text_add(out, "\"");
}

static void add_value(struct text *out, const json_t *value)
{
	if (json_is_string(value))
		csv_add_text(out, json_string_value(value));
	else if (json_is_integer(value))
		text_add(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		text_add(out, "%.17g", json_real_value(value));
	else if (json_is_boolean(value))
		text_add(out, "%d", json_is_true(value));
}

static void add_cell(struct text *out, const struct column *column, const json_t *row)
{
	const json_t *value = NULL;

	for (unsigned i = 0; i < 3 && column->paths[i] && !value; i++)
		value = json_at(row, column->paths[i]);
	if (column->cell == CELL_ANY || json_number_value(value) > 0)
		add_value(out, value);
}

static void add_row(struct text *out, const json_t *row)
{
	for (unsigned i = 0; i < COLUMN_COUNT; i++) {
		if (i)
			text_add(out, ",");
		add_cell(out, &columns[i], row);
	}
	text_add(out, "\n");
}

void csv_head(struct text *out)
{
	for (unsigned i = 0; i < COLUMN_COUNT; i++)
		text_add(out, "%s%s", i ? "," : "", columns[i].name);
	text_add(out, "\n");
}

/* The members that every row has. */
static json_t *make_row(json_t *test, json_t *phase, enum operation operation)
{
	json_t *row = json_object();
	const json_t *times = json_at(phase, "operations");

	json_object_set(row, "test", test);
	json_object_set(row, "phase", phase);
	json_object_set(row, "times", json_object_get(times, operation_name(operation)));
	return row;
}

static void add_phase(struct text *out, enum phase_kind kind, json_t *test, json_t *phase)
{
	json_t *row = make_row(test, phase, phase_operation(kind));

	json_object_set(row, "name", json_object_get(phase, "phase"));
	json_object_set(row, "measured", phase);
	if (phase_counts_entries(kind))
		json_object_set(row, "found", json_object_get(phase, "metadata"));
	if (json_at(phase, "data"))
		put_count(row, "none_failed", 0);
	add_row(out, row);
	json_decref(row);
}

/*
 * Adds the row of a part. Measured values of the phase stand only in the row of the whole phase, so
 * that no sum counts them twice.
 */
static void add_part(struct text *out, const char *whole, const struct series *series, json_t *test,
		     json_t *phase)
{
	json_t *row = make_row(test, phase, series->operation), *part;
	double count = json_number_value(json_at(row, "times/count"));
	double seconds = json_number_value(json_at(phase, "intervals/total_s"));

	json_object_set_new(row, "name", json_sprintf("%s:%s", whole, series->part));
	part = put_object(row, "part");
	put_count(part, "operations", (uint64_t)count);
	if (seconds > 0)
		put_number(part, "operations_per_s", count / seconds);
	add_row(out, row);
	json_decref(row);
}

void csv_rows(struct text *out, const struct plan *plan, unsigned number, json_t *test,
	      json_t *phase)
{
	const enum phase_kind kind = plan->phases[number].kind;
	struct series series[SERIES_MOST];
	unsigned count = plan_series(plan, number, series);

	add_phase(out, kind, test, phase);
	for (unsigned i = 1; i < count && json_at(phase, "intervals"); i++)
		add_part(out, phase_name(kind), &series[i], test, phase);
}
