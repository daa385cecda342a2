/* Curves of load against response time, as text and as JSON. */
#include "page/curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/units.h"
#include "options/varied.h"
#include "page/layout.h"
#include "page/table.h"
#include "record/json.h"
#include "result/goals.h"

struct curve_point *curve_rows_points(const struct curve_row *rows, size_t count)
{
	struct curve_point *points = memory_allocate(count + 1, sizeof(*points));

	for (size_t i = 0; i < count; i++)
		points[i] = rows[i].point;
	return points;
}

static struct curve curves_conclude(const struct curve_report *report)
{
	struct curve_point *points = curve_rows_points(report->rows, report->count);
	const struct curve curve = curve_of(points, report->count, (double)report->bound.ns);

	free(points);
	return curve;
}

/* Names the statistic that the bound is on: "p99", "mean", "max". */
static struct units_text statistic_name(const struct curve_bound *bound)
{
	struct units_text name;

	if (!(bound->quantile > 0))
		snprintf(name.text, sizeof(name.text), "mean");
	else if (bound->quantile >= 1)
		snprintf(name.text, sizeof(name.text), "max");
	else
		snprintf(name.text, sizeof(name.text), "p%g", 100 * bound->quantile);
	return name;
}

/* Appends the values of the other options that lists vary; points change fastest. */
static void add_varied(const struct test_spec *spec, struct text *words)
{
	varied_values(spec, &spec->study.options[spec->study.count - 1], words);
}

enum { CURVE_COLUMNS = 7 };

static const struct column columns[CURVE_COLUMNS] = {
	{"asked", 10, CELL_NUMBER}, {"of max", 7, CELL_PERCENT}, {"op/s", 10, CELL_NUMBER},
	{"mean", 7, CELL_TIME},	    {"p50", 7, CELL_TIME},	 {"p99", 7, CELL_TIME},
	{"p99.9", 7, CELL_TIME}};

static void curves_add_row(struct text *out, const struct curve_row *row)
{
	const struct curve_point *point = &row->point;
	const bool paced = point->asked > 0;
	const double values[CURVE_COLUMNS] = {
		paced ? point->asked : NAN,
		row->maximum > 0 ? (paced ? point->asked : row->maximum) / row->maximum : NAN,
		point->rate,
		point->mean_ns,
		(double)row->p50_ns,
		(double)row->p99_ns,
		(double)row->p999_ns};
	char tests[24], label[24], behind[24];

	if (row->tests > 1)
		snprintf(tests, sizeof(tests), "%u-%u", row->test, row->test + row->tests - 1);
	else
		snprintf(tests, sizeof(tests), "%u", row->test);
	snprintf(label, sizeof(label), "%8s", tests);
	snprintf(behind, sizeof(behind), "%s%s%s", paced && !point->reached ? "  missed" : "",
		 row->percentile_seconds > 0 ? "  few" : "",
		 row->overload_seconds > 0 ? "  short" : "");
	table_print_row(out, label, columns, values, CURVE_COLUMNS, behind);
}

/* Names the measured time that would tell more than that of the points did. */
static void add_needed(struct text *words, const struct curve_report *report)
{
	double overload = 0, percentile = 0;
	bool is_timed = true;

	for (size_t i = 0; i < report->count; i++) {
		overload = fmax(overload, report->rows[i].overload_seconds);
		percentile = fmax(percentile, report->rows[i].percentile_seconds);
		if (report->rows[i].overload_seconds > 0 || report->rows[i].percentile_seconds > 0)
			is_timed &= report->rows[i].is_timed;
	}
	if (percentile > 0)
		text_add(words, "; few: too few operations for %s",
			 statistic_name(&report->bound).text);
	if (percentile > 0 && is_timed)
		text_add(words, ", which duration=%.0f would give", ceil(percentile));
	if (overload > 0)
		text_add(words,
			 "; short: the operations in flight, which count as issued, are more than "
			 "%d %% of those due, so that an overload does not show",
			 KEPT_MISSED_PERCENT);
	if (overload > 0 && is_timed)
		text_add(words, "; duration=%.0f would show it", ceil(overload));
}

static void add_caution(struct text *words, const struct curve *curve)
{
	if (curve->odd_rate > 0)
		text_add(words,
			 "; caution: %s op/s missed and a higher rate did not, so one of them was "
			 "disturbed",
			 table_short(curve->odd_rate).text);
}

static void add_bracket(struct text *words, const struct curve_report *report,
			const struct curve *curve)
{
	text_add(words, "; %s within %s: ", statistic_name(&report->bound).text,
		 units_show_ns(report->bound.ns).text);
	if (curve->met_rate > 0)
		text_add(words, "%s op/s", table_short(curve->met_rate).text);
	else
		text_add(words, "at no rate that was tried");
	if (curve->miss_rate > 0)
		text_add(words, ", no longer at %s", table_short(curve->miss_rate).text);
	if (curve->agrees)
		text_add(words, " (known to 5 %%: each was measured twice)");
}

static void add_conclusions(struct text *out, const struct curve_report *report)
{
	const struct curve curve = curves_conclude(report);
	struct text words = {0};

	if (!curve.points) {
		text_add(&words, "no point reached %d %% of its rate", 100 - KEPT_MISSED_PERCENT);
	} else {
		text_add(&words, "overall response %s, highest %s op/s",
			 units_show_ns((uint64_t)curve.ort_ns).text, table_short(curve.peak).text);
		if (curve.has_knee)
			text_add(&words, ", knee at %s op/s",
				 table_short(report->rows[curve.knee].point.rate).text);
		if (curve.falls)
			text_add(&words, ", no knee: response times fall up to there");
	}
	if (report->bound.ns)
		add_bracket(&words, report, &curve);
	add_caution(&words, &curve);
	add_needed(&words, report);
	layout_words(out, "", 11, &words);
}

void curve_page(const struct curve_report *report, struct text *out)
{
	struct text words = {0};
	char label[32];

	snprintf(label, sizeof(label), "curve %u", report->study);
	text_add(&words, "response times of operations at a rate; of max: of the closed loop");
	if (report->rows->tests > 1)
		text_add(&words, "; sums over the loads of a set");
	add_varied(report->spec, &words);
	layout_paragraph(out, label, 11, text_string(&words));
	snprintf(label, sizeof(label), "%8s", "test");
	table_print_head(out, label, columns, CURVE_COLUMNS);
	for (size_t i = 0; i < report->count; i++)
		curves_add_row(out, &report->rows[i]);
	add_conclusions(out, report);
	text_release(&words);
}

static json_t *record_row(const struct curve_row *row)
{
	const bool paced = row->point.asked > 0;
	json_t *object = json_object();

	put_count(object, "test", row->test);
	put_count(object, "tests", row->tests);
	put_number_if(object, "asked_operations_per_s", paced, row->point.asked);
	put_number(object, "operations_per_s", row->point.rate);
	put_bool(object, "reached", row->point.reached);
	put_number_if(object, "overload_needs_s", row->overload_seconds > 0, row->overload_seconds);
	put_number_if(object, "bound_needs_s", row->percentile_seconds > 0,
		      row->percentile_seconds);
	put_number_if(object, "mean_ns", row->point.mean_ns > 0, row->point.mean_ns);
	put_count_if(object, "p50_ns", row->p50_ns, row->p50_ns);
	put_count_if(object, "p99_ns", row->p99_ns, row->p99_ns);
	put_count_if(object, "p999_ns", row->p999_ns, row->p999_ns);
	return object;
}

json_t *curve_record(const struct curve_report *report)
{
	const struct curve curve = curves_conclude(report);
	json_t *object = json_object(), *points, *bound;
	struct text varied = {0};

	add_varied(report->spec, &varied);
	put_count(object, "study", report->study);
	put_text(object, "varied", text_string(&varied));
	text_release(&varied);
	points = put_array(object, "points");
	for (size_t i = 0; i < report->count; i++)
		json_array_append_new(points, record_row(&report->rows[i]));
	put_number_if(object, "peak_operations_per_s", curve.points, curve.peak);
	put_number_if(object, "overall_response_ns", curve.points, curve.ort_ns);
	put_number_if(object, "knee_operations_per_s", curve.has_knee,
		      curve.has_knee ? report->rows[curve.knee].point.rate : 0);
	put_bool(object, "falls", curve.falls);
	put_number_if(object, "odd_operations_per_s", curve.odd_rate > 0, curve.odd_rate);
	bound = put_object_if(object, "bound", report->bound.ns);
	if (!bound)
		return object;
	put_text(bound, "statistic", statistic_name(&report->bound).text);
	put_count(bound, "limit_ns", report->bound.ns);
	put_number_if(bound, "met_operations_per_s", curve.met_rate > 0, curve.met_rate);
	put_number_if(bound, "missed_operations_per_s", curve.miss_rate > 0, curve.miss_rate);
	put_bool(bound, "agrees", curve.agrees);
	return object;
}
