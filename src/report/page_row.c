/* The rows of the table: one phase of one repetition. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "report/layout.h"
#include "report/page.h"
#include "report/page_names.h"

/* A cell of a row. */
struct cell {
	char text[NUMBER_SIZE];
};

static const char *number_cell(struct cell *cell, double value, unsigned width)
{
	return layout_number(value, width, cell->text);
}

/* "n<368" where there were too few operations for the percentile. */
static const char *percentile_cell(struct cell *cell, const struct phase_result *phase, uint64_t ns,
				   double q)
{
	uint64_t needed = histogram_needed(q);

	if (ns)
		return layout_ns(ns, cell->text);
	if (phase->operations < needed)
		snprintf(cell->text, sizeof(cell->text), "n<%" PRIu64, needed);
	else
		snprintf(cell->text, sizeof(cell->text), "-");
	return cell->text;
}

/* Seconds; below a millisecond with a unit. */
static const char *time_cell(struct cell *cell, double seconds)
{
	if (!(seconds > 0))
		return strcpy(cell->text, "-");
	if (seconds >= 0.9995e-3)
		return number_cell(cell, seconds, 5);
	snprintf(cell->text, sizeof(cell->text), "%.0fus", seconds * 1e6);
	return cell->text;
}

/* '!' where a verdict says not to believe the number, '?' where one warns. */
static char mark(const struct verdict *verdicts, size_t count)
{
	enum severity worst = SEVERITY_GOOD;

	for (size_t i = 0; i < count; i++)
		if (verdicts[i].severity > worst)
			worst = verdicts[i].severity;
	return worst == SEVERITY_FAIL ? '!' : worst == SEVERITY_WARN ? '?' : ' ';
}

/* 10 columns; the repetition takes the separating blank too when it has four digits. */
static void row_begin(struct text *row, const struct phase_result *phase, char sign)
{
	struct cell repetition;

	const char warmed = phase->warmup ? 'o' : sign;

	if (phase_is_metadata(phase->kind)) {
		text_add(row, "%-11s%c%3" PRIu64, phase_name(phase->kind), warmed, phase->repetition);
		return;
	}
	/* A long name takes a column of the repetition. */
	if (phase->kind == PHASE_VERIFY && phase->repetition < 100) {
		text_add(row, "%-6s%c%2" PRIu64 " ", phase_name(phase->kind), warmed,
			 phase->repetition);
		return;
	}
	text_add(row, "%-5.5s%c", phase_name(phase->kind), warmed);
	if (phase->repetition < 1000)
		text_add(row, "%3" PRIu64 " ", phase->repetition);
	else if (phase->repetition < 10000)
		text_add(row, "%4" PRIu64, phase->repetition);
	else
		text_add(row, "%4s", number_cell(&repetition, (double)phase->repetition, 4));
}

static void row_numbers(struct text *row, const struct phase_result *phase)
{
	struct cell rate[2], operations, latency[3], time[5];
	const struct intervals *seconds = &phase->seconds;
	unsigned first = phase->repetition < 1000 ? 6 : 5; /* its blank may be taken: row_begin() */

	text_add(row, "%6s %6s %5s %6s %6s %6s %5s %5s %5s %5s %5s",
		 number_cell(&rate[0], phase->total_rate / (double)MIB, first),
		 number_cell(&rate[1], phase->total_rate / 1e6, 6),
		 number_cell(&operations, phase->operations_rate, 5),
		 percentile_cell(&latency[0], phase, phase->p50_ns, 0.5),
		 percentile_cell(&latency[1], phase, phase->p99_ns, 0.99),
		 percentile_cell(&latency[2], phase, phase->max_ns, 1e-9),
		 time_cell(&time[0], seconds->open), time_cell(&time[1], seconds->transfer),
		 time_cell(&time[2], seconds->sync), time_cell(&time[3], seconds->close),
		 time_cell(&time[4], seconds->total));
}

const char *page_after_stopped(const struct phase_result *phase)
{
	return phase->stop_text + (strncmp(phase->stop_text, "stopped ", 8) ? 0 : 8);
}

/* A phase that has no number to believe: the word, and why. */
static void row_word(struct text *out, const struct text *row, const struct phase_result *phase)
{
	struct text label = {0}, words = {0};

	text_add(&label, "%s ", text_string(row));
	text_add(&words, "%s",
		 phase->status == PHASE_FAILED	  ? "FAILED"
		 : phase->status == PHASE_SKIPPED ? "SKIPPED"
						  : "STOPPED before it began");
	if (*phase->stop_text)
		text_add(&words, ": %s", page_after_stopped(phase));
	layout_paragraph(out, text_string(&label), PAGE_ROW_INDENT, text_string(&words));
	text_release(&label);
	text_release(&words);
}

void page_row(struct text *out, const struct phase_result *phase, const struct verdict *verdicts,
	      size_t count)
{
	struct text row = {0};

	row_begin(&row, phase, mark(verdicts, count));
	if (phase_has_numbers(phase)) {
		if (phase_is_metadata(phase->kind))
			page_names_row(&row, phase);
		else
			row_numbers(&row, phase);
		layout_line(out, text_string(&row));
	} else {
		row_word(out, &row, phase);
	}
	text_release(&row);
}
