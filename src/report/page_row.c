/* The rows of the table: one phase of one repetition. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "report/layout.h"
#include "report/page.h"
#include "report/table.h"

enum { DATA_LABEL = 9, METADATA_LABEL = 15 };

static const struct column data_columns[] = {
	{"MiB/s", 6, CELL_NUMBER, 0}, {"MB/s", 6, CELL_NUMBER, 0}, {"op/s", 5, CELL_NUMBER, 0},
	{"p50", 6, CELL_TIME, 0.5},   {"p99", 6, CELL_TIME, 0.99}, {"max", 6, CELL_TIME, 0},
	{"open", 5, CELL_TIME, 0},    {"trans", 5, CELL_TIME, 0},  {"sync", 5, CELL_TIME, 0},
	{"close", 5, CELL_TIME, 0},   {"total", 5, CELL_TIME, 0},
};

static const struct column metadata_columns[] = {
	{"op/s", 8, CELL_NUMBER, 0},	{"p50", 6, CELL_TIME, 0.5},   {"p99", 6, CELL_TIME, 0.99},
	{"p99.9", 6, CELL_TIME, 0.999}, {"max", 6, CELL_TIME, 0},     {"total", 8, CELL_TIME, 0},
	{"done", 8, CELL_COUNT, 0},	{"failed", 6, CELL_COUNT, 0},
};

enum {
	DATA_COLUMNS = sizeof(data_columns) / sizeof(*data_columns),
	METADATA_COLUMNS = sizeof(metadata_columns) / sizeof(*metadata_columns),
};

void page_row_head(struct text *out, bool metadata)
{
	struct text line = {0};

	if (metadata) {
		text_add(&line, "%-11s %3s", "phase", "rep");
		table_head(&line, metadata_columns, METADATA_COLUMNS);
	} else {
		text_add(&line, "phase rep");
		table_head(&line, data_columns, DATA_COLUMNS);
	}
	layout_line(out, text_string(&line));
	text_release(&line);
}

/* '!' where a verdict says not to believe the number, '?' where a verdict warns. */
static char mark(const struct verdict *verdicts, size_t count)
{
	enum severity worst = SEVERITY_GOOD;

	for (size_t i = 0; i < count; i++)
		if (verdicts[i].severity > worst)
			worst = verdicts[i].severity;
	return worst == SEVERITY_FAIL ? '!' : worst == SEVERITY_WARN ? '?' : ' ';
}

/*
 * Starts a row with the phase, its mark and the repetition. The digits may take the end of a long
 * name.
 */
static void row_begin(struct text *row, const struct phase_result *phase, char sign)
{
	const bool metadata = !phase_moves_data(phase->kind);
	const int least = metadata ? 3 : 2, width = metadata ? METADATA_LABEL : DATA_LABEL;
	char repetition[24];
	int digits =
		snprintf(repetition, sizeof(repetition), "%*" PRIu64, least, phase->repetition);
	int room = width - 1 - digits > 0 ? width - 1 - digits : 0;

	text_add(row, "%-*.*s%c%s", room, room, phase_name(phase->kind), phase->warmup ? 'o' : sign,
		 repetition);
}

/* Converts seconds to ns; NAN for an interval that was not measured. */
static double interval(double seconds)
{
	return seconds > 0 ? seconds * 1e9 : NAN;
}

static void data_cells(struct text *row, const struct phase_result *phase)
{
	const struct intervals *seconds = &phase->seconds;
	const double values[DATA_COLUMNS] = {
		phase->total_rate / (double)MIB, phase->total_rate / 1e6,
		phase->operations_rate,		 table_time(phase->p50_ns),
		table_time(phase->p99_ns),	 table_time(phase->max_ns),
		interval(seconds->open),	 interval(seconds->transfer),
		interval(seconds->sync),	 interval(seconds->close),
		interval(seconds->total),
	};

	table_cells(row, data_columns, values, DATA_COLUMNS, phase->operations);
}

static void metadata_cells(struct text *row, const struct phase_result *phase)
{
	const uint64_t done =
		phase_counts_entries(phase->kind) ? phase->measure->entries : phase->operations;
	const double values[METADATA_COLUMNS] = {
		phase->total_rate,
		table_time(phase->p50_ns),
		table_time(phase->p99_ns),
		table_time(phase->p999_ns),
		table_time(phase->max_ns),
		interval(phase->seconds.total),
		(double)done,
		(double)phase->failed_operations,
	};

	table_cells(row, metadata_columns, values, METADATA_COLUMNS, phase->operations);
}

/*
 * A row of response times has no rate and no count: the operations that were due and not issued
 * are in its percentiles, but nobody did them.
 */
static void row_part(struct text *out, const char *name, const struct histogram *histogram,
		     bool counts, double rate)
{
	const uint64_t done = histogram->count;
	const double values[METADATA_COLUMNS] = {
		counts ? rate : NAN,
		table_time(histogram_known_percentile(histogram, 0.5)),
		table_time(histogram_known_percentile(histogram, 0.99)),
		table_time(histogram_known_percentile(histogram, 0.999)),
		done ? (double)histogram->max_ns : NAN,
		NAN,
		counts ? (double)done : NAN,
		NAN,
	};
	struct text row = {0};

	text_add(&row, "  %-*s", METADATA_LABEL - 2, name);
	table_cells(&row, metadata_columns, values, METADATA_COLUMNS, done);
	layout_line(out, text_string(&row));
	text_release(&row);
}

void page_row_parts(struct text *out, const struct plan *plan, const struct phase_result *phase)
{
	struct series series[SERIES_MOST];

	for (unsigned i = 1, count = plan_series(plan, phase->index, series); i < count; i++) {
		const enum operation operation = series[i].operation;

		row_part(out, series[i].part, &measure_record(phase->measure, operation)->histogram,
			 operation != OPERATION_RESPONSE, phase_part_rate(phase, operation));
	}
}

const char *page_after_stopped(const struct phase_result *phase)
{
	return phase->stop_text + (strncmp(phase->stop_text, "stopped ", 8) ? 0 : 8);
}

/* Appends a row with the reason why a phase has no numbers. */
static void row_word(struct text *out, struct text *row, const struct phase_result *phase)
{
	struct text words = {0};

	text_add(&words, "%s",
		 phase->status == PHASE_FAILED	  ? "FAILED"
		 : phase->status == PHASE_SKIPPED ? "SKIPPED"
						  : "STOPPED before it began");
	if (*phase->stop_text)
		text_add(&words, ": %s", page_after_stopped(phase));
	text_add(row, " ");
	layout_paragraph(out, text_string(row), PAGE_ROW_INDENT, text_string(&words));
	text_release(&words);
}

void page_row(struct text *out, const struct phase_result *phase, const struct verdict *verdicts,
	      size_t count)
{
	struct text row = {0};

	row_begin(&row, phase, mark(verdicts, count));
	if (phase_has_numbers(phase)) {
		if (!phase_moves_data(phase->kind))
			metadata_cells(&row, phase);
		else
			data_cells(&row, phase);
		layout_line(out, text_string(&row));
	} else {
		row_word(out, &row, phase);
	}
	text_release(&row);
}
