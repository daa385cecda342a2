/* The rows of the table: one phase of one repetition. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "page/layout.h"
#include "page/page.h"
#include "page/table.h"
#include "record/phase_line.h"

enum { DATA_LABEL = 9, METADATA_LABEL = 15 };

/* The first column is that of the rate, whose unit the job chooses. */
static const struct column data_columns[] = {
	{"op/s", 6, CELL_NUMBER}, {"p50", 6, CELL_TIME},   {"p99", 6, CELL_TIME},
	{"max", 6, CELL_TIME},	  {"open", 6, CELL_TIME},  {"trans", 6, CELL_TIME},
	{"sync", 6, CELL_TIME},	  {"close", 6, CELL_TIME}, {"total", 6, CELL_TIME},
};

static const struct column metadata_columns[] = {
	{"op/s", 8, CELL_NUMBER}, {"p50", 6, CELL_TIME},     {"p99", 6, CELL_TIME},
	{"p99.9", 6, CELL_TIME},  {"max", 6, CELL_TIME},     {"total", 8, CELL_TIME},
	{"done", 8, CELL_COUNT},  {"failed", 6, CELL_COUNT},
};

enum {
	DATA_COLUMNS = sizeof(data_columns) / sizeof(*data_columns),
	METADATA_COLUMNS = sizeof(metadata_columns) / sizeof(*metadata_columns),
};

void page_row_head(const struct page *page, struct text *out, bool metadata)
{
	struct text line = {0};

	if (metadata) {
		text_add(&line, "%-11s %3s", "phase", "rep");
		table_head(&line, metadata_columns, METADATA_COLUMNS);
	} else {
		text_add(&line, "phase rep %7s", rate_units[page->unit].name);
		table_head(&line, data_columns, DATA_COLUMNS);
	}
	layout_line(out, text_string(&line));
	text_release(&line);
}

static const char *mark(const json_t *line)
{
	return line_true(line, "warmup") ? "o" : severity_mark(line_severity(line));
}

/*
 * Starts a row with the phase, its mark and the repetition. The digits may take the end of a long
 * name.
 */
static void row_begin(struct text *row, const json_t *line, bool metadata)
{
	const int least = metadata ? 3 : 2, width = metadata ? METADATA_LABEL : DATA_LABEL;
	char repetition[24];
	int digits = snprintf(repetition, sizeof(repetition), "%*" PRIu64, least,
			      line_count(line, "repetition"));
	int room = width - 1 - digits > 0 ? width - 1 - digits : 0;

	text_add(row, "%-*.*s%-1s%s", room, room, line_text(line, "phase"), mark(line), repetition);
}

static double interval_ns(const json_t *line, const char *path)
{
	return line_number(line, path) * 1e9;
}

static void data_cells(struct text *row, double unit, const json_t *line, const json_t *times)
{
	const double rate = line_number(line, "rates/total_bytes_per_s") / unit;
	const struct column first = {"", 7, CELL_NUMBER};
	const double values[DATA_COLUMNS] = {
		line_number(line, "rates/operations_per_s"),
		phase_line_percentile(times, "p50"),
		phase_line_percentile(times, "p99"),
		line_number(times, "max_ns"),
		interval_ns(line, "intervals/open_s"),
		interval_ns(line, "intervals/transfer_s"),
		interval_ns(line, "intervals/sync_s"),
		interval_ns(line, "intervals/close_s"),
		interval_ns(line, "intervals/total_s"),
	};

	table_cells(row, &first, &rate, 1);
	table_cells(row, data_columns, values, DATA_COLUMNS);
}

static void metadata_cells(struct text *row, const json_t *line, const json_t *times, bool entries)
{
	const uint64_t operations = phase_line_operations(line);
	const double values[METADATA_COLUMNS] = {
		line_number(line, "rates/total_operations_per_s"),
		phase_line_percentile(times, "p50"),
		phase_line_percentile(times, "p99"),
		phase_line_percentile(times, "p99.9"),
		line_number(times, "max_ns"),
		interval_ns(line, "intervals/total_s"),
		(double)(entries ? line_count(line, "metadata/entries") : operations),
		(double)phase_line_failed_operations(line),
	};

	table_cells(row, metadata_columns, values, METADATA_COLUMNS);
}

/*
 * A row of response times has no rate and no count: the operations that were due and not issued
 * are in its percentiles, but nobody did them. Those that a trace recorded were done by others.
 */
static void row_part(struct text *out, const json_t *line, const struct series *series)
{
	const json_t *times = phase_line_times(line, series->operation);
	const bool counts = operation_has_rate(series->operation);
	const uint64_t done = line_count(times, "count");
	const double values[METADATA_COLUMNS] = {
		counts ? phase_line_part_rate(line, series->operation) : NAN,
		phase_line_percentile(times, "p50"),
		phase_line_percentile(times, "p99"),
		phase_line_percentile(times, "p99.9"),
		line_number(times, "max_ns"),
		NAN,
		counts ? (double)done : NAN,
		NAN,
	};
	struct text row = {0};

	text_add(&row, "  %-*s", METADATA_LABEL - 2, series->part);
	table_cells(&row, metadata_columns, values, METADATA_COLUMNS);
	layout_line(out, text_string(&row));
	text_release(&row);
}

void page_row_parts(struct text *out, const struct plan *plan, const json_t *line)
{
	struct series series[SERIES_MOST];
	const unsigned count = plan_series(plan, (unsigned)line_count(line, "phase_index"), series);

	for (unsigned i = plan_series_first_part(series, count); i < count; i++)
		row_part(out, line, &series[i]);
}

const char *page_after_stopped(const json_t *line)
{
	const char *text = line_text(line, "stop");

	return text + (strncmp(text, "stopped ", 8) ? 0 : 8);
}

/* Appends a row with the reason why a phase has no numbers. */
static void row_word(struct text *out, struct text *row, const json_t *line)
{
	struct text words = {0};

	text_add(&words, "%s",
		 phase_line_is(line, "failed")	  ? "FAILED"
		 : phase_line_is(line, "skipped") ? "SKIPPED"
						  : "STOPPED before it began");
	if (line_has(line, "stop"))
		text_add(&words, ": %s", page_after_stopped(line));
	text_add(row, " ");
	layout_words(out, text_string(row), PAGE_ROW_INDENT, &words);
}

void page_row(const struct page *page, struct text *out, const struct plan *plan,
	      const json_t *line)
{
	const enum phase_kind kind = phase_line_kind(plan, line);
	const json_t *times = phase_line_times(line, phase_operation(kind));
	struct text row = {0};

	row_begin(&row, line, !phase_moves_data(kind));
	if (phase_line_has_numbers(line)) {
		if (!phase_moves_data(kind))
			metadata_cells(&row, line, times, phase_counts_entries(kind));
		else
			data_cells(&row, rate_units[page->unit].bytes, line, times);
		layout_line(out, text_string(&row));
	} else {
		row_word(out, &row, line);
	}
	text_release(&row);
}
