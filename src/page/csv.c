/* One row per phase and repetition. */
#include "page/csv.h"

#include <string.h>

#include "base/utf8.h"
#include "record/json.h"
#include "record/phase_line.h"

enum cell {
	CELL_ANY,   /* null and missing members stay empty */
	CELL_KNOWN, /* as CELL_ANY; 0, which stands for "not known", stays empty too */
};

/*
 * A cell has the value of the first path that leads to one. Paths begin at the members of a row,
 * which csv_rows() names. Only the row of a whole phase has "measured" and "metadata"; only the row
 * of a part has "part".
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
	{"mean_depth", CELL_KNOWN, {"measured/queue/mean_depth", "metadata/queue/mean_depth"}},
	{"wrong_transfers", CELL_ANY, {"measured/verification/wrong_transfers"}},
	{"wrong_bytes", CELL_ANY, {"measured/verification/wrong_bytes"}},
	{"stonewall_s", CELL_KNOWN, {"measured/stonewall/time_s", "metadata/stonewall/time_s"}},
	{"stonewall_bytes_per_s", CELL_KNOWN, {"measured/stonewall/bytes_per_s"}},
	{"failed_operations", CELL_ANY, {"metadata/failed_operations", "none_failed"}},
	{"working_tasks", CELL_KNOWN, {"metadata/working_tasks"}},
	{"operations", CELL_ANY, {"part/operations", "found/entries", "metadata/operations"}},
	{"stonewall_operations_per_s", CELL_KNOWN, {"metadata/stonewall/operations_per_s"}},
	{"severity", CELL_ANY, {"phase/severity"}},
	{"limit", CELL_ANY, {"measured/possible/least"}},
	{"limit_share", CELL_ANY, {"measured/possible/share"}},
	{"beside", CELL_ANY, {"phase/load/beside"}},
	{"name", CELL_ANY, {"test/name"}},
	{"host", CELL_ANY, {"host"}},
	{"began", CELL_ANY, {"phase/began"}},
	{"asked_operations_per_s",
	 CELL_KNOWN,
	 {"measured/load/asked_operations_per_s", "asked_of_mix"}},
	{"varied", CELL_ANY, {"varied"}},
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

static void csv_add_cell(struct text *out, const struct column *column, const json_t *row)
{
	const json_t *value = NULL;

	for (unsigned i = 0; i < 3 && column->paths[i] && !value; i++)
		value = line_at(row, column->paths[i]);
	if (column->cell == CELL_ANY || json_number_value(value) > 0)
		add_value(out, value);
}

static void csv_add_row(struct text *out, const json_t *row)
{
	for (unsigned i = 0; i < COLUMN_COUNT; i++) {
		if (i)
			text_add(out, ",");
		csv_add_cell(out, &columns[i], row);
	}
	text_add(out, "\n");
}

void csv_head(struct text *out)
{
	for (unsigned i = 0; i < COLUMN_COUNT; i++)
		text_add(out, "%s%s", i ? "," : "", columns[i].name);
	text_add(out, "\n");
}

/* Adds the options with lists of values and their values, "tasks=4;transfer_size=4096". */
static void put_varied(json_t *row, json_t *test)
{
	struct text words = {0};
	const char *name;
	json_t *value;

	json_object_foreach(line_at(test, "study/varied"), name, value)
	{
		text_add(&words, "%s%s=", words.length ? ";" : "", name);
		if (json_is_string(value))
			text_add(&words, "%s", json_string_value(value));
		else
			add_value(&words, value);
	}
	if (words.length)
		put_text(row, "varied", text_string(&words));
	text_release(&words);
}

/* The members that only the row of a whole phase has. */
static void put_phase(json_t *row, const struct plan *plan, enum phase_kind kind)
{
	json_t *phase = json_object_get(row, "phase"),
	       *metadata = json_object_get(phase, "metadata");

	json_object_set(row, "name", json_object_get(phase, "phase"));
	json_object_set(row, "measured", phase);
	json_object_set(row, "metadata", metadata);
	if (phase_counts_entries(kind))
		json_object_set(row, "found", metadata);
	if (kind == PHASE_MIX)
		put_number(row, "asked_of_mix", plan->mix.task_rate * plan->map.tasks);
	if (line_at(phase, "data"))
		put_count(row, "none_failed", 0);
}

/*
 * The members of the row of a part. Measured values of the phase stand only in the row of the whole
 * phase, so that no sum counts them twice. Response times have no rate of their own.
 */
static void put_part(json_t *row, const struct series *series)
{
	const json_t *phase = json_object_get(row, "phase");
	/* A load may rate other operations than those of the percentiles. */
	const uint64_t rated =
		line_count(row, line_has(row, "times/rated") ? "times/rated" : "times/count");
	json_t *part = put_object(row, "part");

	json_object_set_new(row, "name",
			    json_sprintf("%s:%s", line_text(phase, "phase"), series->part));
	put_count(part, "operations", rated);
	if (operation_has_rate(series->operation))
		put_number(part, "operations_per_s",
			   phase_line_part_rate(phase, series->operation));
}

void csv_rows(struct text *out, const struct plan *plan, const char *host, json_t *test,
	      json_t *line)
{
	const unsigned phase = (unsigned)line_count(line, "phase_index");
	const json_t *times = line_at(line, "operations");
	struct series series[SERIES_MOST];
	const unsigned count = plan_series(plan, phase, series);

	/* Parts have no rows where nothing was measured. */
	for (unsigned i = 0; i < (times ? count : 1); i++) {
		json_t *row = json_object();

		json_object_set(row, "test", test);
		json_object_set(row, "phase", line);
		json_object_set(row, "times",
				json_object_get(times, operation_name(series[i].operation)));
		put_text(row, "host", host);
		put_varied(row, test);
		if (i)
			put_part(row, &series[i]);
		else
			put_phase(row, plan, plan->phases[phase].kind);
		csv_add_row(out, row);
		json_decref(row);
	}
}
