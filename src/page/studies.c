/* The tables at the end of a job that compare the tests of its studies. */
#include "page/studies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "options/turns.h"
#include "options/varied.h"
#include "page/layout.h"
#include "page/quotient.h"
#include "page/study_tables.h"
#include "page/table.h"
#include "plan/load.h"

void studies_release(struct studies *studies)
{
	free(studies->rows);
	*studies = (struct studies){0};
}

/* Rows stand in the order of tests, which may end in another one. */
static void studies_add_row(struct studies *studies, const struct study_row *row)
{
	size_t at = studies->count++;

	studies->rows = memory_grow(studies->rows, studies->count * sizeof(*studies->rows));
	for (; at && studies->rows[at - 1].spec > row->spec; at--)
		studies->rows[at] = studies->rows[at - 1];
	studies->rows[at] = *row;
}

/* The series whose percentiles the study of a set shows: at a rate those of response times. */
static unsigned timed_series(const struct series *series, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (series[i].operation == OPERATION_RESPONSE)
			return i;
	return 0;
}

/*
 * Adds a phase and its parts. The response times of a member of a set have no row of their own, and
 * times alone are no rows of a study: those of a trace are the same at each point.
 */
static void studies_add_phase(struct studies *studies, struct study_row row,
			      const struct plan *plan, unsigned phase, const json_t *summary)
{
	const bool is_member = row.spec->set.number;
	struct series series[SERIES_MOST];
	const unsigned count = plan_series(plan, phase, series);

	row.operations_rate = line_number(summary, "operations_per_s");
	row.repetitions = line_count(summary, "complete_repetitions");
	for (unsigned i = 0; i < count; i++) {
		const json_t *numbers = line_numbers(summary, i);
		const unsigned timed = is_member ? timed_series(series, count) : i;
		const json_t *times = line_numbers(summary, timed);

		if (operation_is_time_alone(series[i].operation) ||
		    (is_member && !operation_has_rate(series[i].operation)))
			continue;
		row.series = series[i];
		row.timed = series[timed];
		row.repeats = i && i < plan_series_first_part(series, count);
		row.rate = line_median(line_at(numbers, "total_rate"), line_unit(row.kind));
		row.least = row.rate.value;
		row.p50_ns = line_count(times, "p50_ns");
		row.p99_ns = line_count(times, "p99_ns");
		row.served_p99_ns = line_count(numbers, "p99_ns");
		row.response_mean = line_median(line_at(numbers, "response/mean"), "ns");
		row.response_p99 = line_median(line_at(numbers, "response/p99"), "ns");
		row.missed = line_count(numbers, "response/missed_repetitions");
		studies_add_row(studies, &row);
	}
}

void studies_add(struct studies *studies, const struct test_head *test, const json_t *line,
		 const struct kept_verdicts *kept)
{
	const struct plan *plan = test->plan;
	const bool compared = test->spec->study.made || test->spec->set.number;

	for (unsigned i = 0; i < plan->phase_count && compared; i++) {
		const struct phase_plan *phase = &plan->phases[i];
		const struct study_row row = {
			.spec = test->spec,
			.test = test->number,
			.kind = phase->kind,
			.beside = phase->beside,
			.tasks = plan->map.tasks,
			.nodes = plan->map.nodes,
			.working = plan_working_tasks(plan, phase->kind),
			.asked = plan_due_rate(plan, phase->kind),
			.worst = kept_verdicts_worst(kept, phase->kind),
		};

		if (!plan_is_layout(plan, phase))
			studies_add_phase(studies, row, plan, i, line_summary(line, i));
	}
}

const struct varied *study_compared(const struct study *study)
{
	for (size_t i = 0; i < study->count; i++)
		if (varied_is_tasks(&study->options[i]))
			return &study->options[i];
	return &study->options[study->count - 1];
}

static bool compares_tasks(const struct study_row *row)
{
	return varied_is_tasks(study_compared(&row->spec->study));
}

static bool is_same_study(const struct study_row *a, const struct study_row *b)
{
	return a->spec->study.number == b->spec->study.number;
}

/* The number of a series in the plan may differ: tests may have other phases before it. */
bool study_row_same_series(const struct study_row *a, const struct study_row *b)
{
	return is_same_study(a, b) && a->kind == b->kind && a->series.nth == b->series.nth &&
	       a->series.operation == b->series.operation;
}

bool study_row_same_value(const struct study_row *a, const struct study_row *b,
			  const struct varied *varied)
{
	char left[VARIED_VALUE_SIZE], right[VARIED_VALUE_SIZE];

	return !strcmp(varied_value(a->spec, varied, left), varied_value(b->spec, varied, right));
}

bool study_row_beside(const struct study_row *a, const struct study_row *b)
{
	const struct study *study = &a->spec->study;
	const struct varied *compared = study_compared(study);

	if (!study_row_same_series(a, b))
		return false;
	for (size_t i = 0; i < study->count; i++)
		if (&study->options[i] != compared &&
		    !study_row_same_value(a, b, &study->options[i]))
			return false;
	return true;
}

void study_row_name(const struct study_row *row, struct text *out)
{
	text_add(out, "%s%s%s", phase_name(row->kind), row->series.part ? ": " : "",
		 row->series.part ? row->series.part : "");
}

void study_scaling(const struct test *test, struct text *words)
{
	static const char *const placements[] = {
		[PLACEMENT_FIRST] = "the first tasks",
		[PLACEMENT_PACKED] = "node after node",
		[PLACEMENT_SPREAD] = "spread over the nodes",
	};

	text_add(words, "%s scaling, %s", test->scaling == SCALING_STRONG ? "strong" : "weak",
		 placements[test->placement]);
}

/* True for the same series in two tests, of which the second is a further copy of the first. */
static bool is_copy(const struct study_row *row, const struct study_row *copy)
{
	return copy->spec->set.copy > 1 && row->spec->set.copy == 1 &&
	       row->spec->set.number == copy->spec->set.number && study_row_beside(row, copy);
}

static uint64_t studies_larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Copies of a member are one row: rates add up, and times are the largest. */
static void add_copy(struct study_row *row, const struct study_row *copy)
{
	row->rate.value += copy->rate.value;
	row->operations_rate += copy->operations_rate;
	row->least = fmin(row->least, copy->rate.value);
	row->p50_ns = studies_larger(row->p50_ns, copy->p50_ns);
	row->p99_ns = studies_larger(row->p99_ns, copy->p99_ns);
	row->worst = copy->worst > row->worst ? copy->worst : row->worst;
}

/* The tables of studies have one row for each phase of a set's member, and no number twice. */
static bool has_row(const struct study_row *row)
{
	return row->spec->study.made && !row->repeats &&
	       !(row->spec->set.number && row->series.part);
}

/* Adds further copies to the rows of their members. Returns the rows that are left. */
static struct studies join_copies(const struct studies *studies)
{
	struct studies joined = {.rows = memory_allocate(studies->count, sizeof(*studies->rows))};

	for (size_t i = 0; i < studies->count; i++) {
		struct study_row row = studies->rows[i];
		size_t of = 0;

		if (!has_row(&row))
			continue;
		row.series = row.timed;
		while (of < joined.count && !is_copy(&joined.rows[of], &row))
			of++;
		if (of < joined.count)
			add_copy(&joined.rows[of], &row);
		else
			joined.rows[joined.count++] = row;
	}
	return joined;
}

enum { INDENT = 9 };

/* Appends what was varied and how often: "2 api x 3 num_tasks = 6 points x 8 repetitions". */
static void add_points(struct text *words, const struct test_spec *spec)
{
	const struct study *study = &spec->study;
	const struct test *test = test_of(spec);

	for (size_t i = 0; i < study->count; i++) {
		text_add(words, "%s%zu %s", i ? " x " : "", study->options[i].list.count,
			 study->count == 1 ? "values of " : "");
		varied_name(spec, &study->options[i], false, words);
	}
	if (study->count > 1)
		text_add(words, " = %zu points", study_combinations(study));
	if (test->repetitions == 1)
		return;
	text_add(words, " x %s", test->repetitions ? "" : "up to ");
	page_count(words, test->repetitions ? test->repetitions : test->max_repetitions,
		   "repetition");
}

static void add_settings(struct text *out, const struct study_row *row, const struct job *job)
{
	struct text words = {0};

	add_points(&words, row->spec);
	if (job && turns_matter(job, row->test))
		text_add(&words, ", %s",
			 turns_why_not(job, row->test) ? "one after the other" : "in turn");
	if (compares_tasks(row)) {
		text_add(&words, "; ");
		study_scaling(test_of(row->spec), &words);
	}
	layout_words(out, "study", INDENT, &words);
}

/* Appends the values of a point: "posix, 4MiB, 4 tasks". */
static void add_point(struct text *words, const struct test_spec *spec)
{
	for (size_t i = 0; i < spec->study.count; i++) {
		text_add(words, "%s", i ? ", " : "");
		varied_word(spec, &spec->study.options[i], words);
	}
}

/* Appends how many times faster the best point is than the second best. */
static void add_lead(struct text *words, const struct study_row *best,
		     const struct study_row *second)
{
	const struct quotient lead = quotient_of(&best->rate, &second->rate);

	text_add(words, "; %s times ", table_short(lead.value).text);
	add_point(words, second->spec);
	if (quotient_is_bounded(&lead))
		text_add(words, " (%s-%s)%s", table_short(lead.lower).text,
			 table_short(lead.upper).text,
			 quotient_is_undecided(&lead) ? " undecided" : "");
}

/* Appends the best point of a series, if it has two. */
static void add_best(struct text *out, const struct studies *studies, const struct study_row *first,
		     const struct rate_unit *data)
{
	const struct rate_unit unit = rate_unit_of(first->kind, data);
	const struct study_row *best = NULL, *second = NULL;
	struct text words = {0};

	for (const struct study_row *row = first; row < studies->rows + studies->count; row++) {
		if (!study_row_same_series(first, row) || !isfinite(row->rate.value))
			continue;
		if (!best || row->rate.value > best->rate.value) {
			second = best;
			best = row;
		} else if (!second || row->rate.value > second->rate.value) {
			second = row;
		}
	}
	if (!second)
		return;
	study_row_name(best, &words);
	text_add(&words, " %s%s %s: ", table_short(best->rate.value / unit.bytes).text,
		 severity_mark(best->worst), unit.name);
	add_point(&words, best->spec);
	add_lead(&words, best, second);
	layout_words(out, "best", INDENT, &words);
}

/* True if no earlier row is the same by a comparison. */
static bool is_first(const struct studies *studies, const struct study_row *row,
		     bool (*is_same)(const struct study_row *a, const struct study_row *b))
{
	for (const struct study_row *earlier = studies->rows; earlier < row; earlier++)
		if (is_same(earlier, row))
			return false;
	return true;
}

/* True if several options of a study have several values. */
static bool has_two_lists(const struct study *study)
{
	size_t lists = 0;

	for (size_t i = 0; i < study->count; i++)
		lists += study->options[i].list.count > 1;
	return lists > 1;
}

/* Appends one table of a series, or where it does not fit one for each combination of values. */
static void add_series(struct text *out, const struct studies *studies,
		       const struct study_row *first, const struct rate_unit *unit)
{
	if (has_two_lists(&first->spec->study) && cross_table_page(studies, first, unit, out))
		return;
	for (const struct study_row *row = first; row < studies->rows + studies->count; row++)
		if (study_row_same_series(first, row) && is_first(studies, row, study_row_beside))
			study_table_page(studies, row, unit, out);
}

static void add_study(struct text *out, const struct studies *studies,
		      const struct study_row *first, const struct job *job,
		      const struct rate_unit *unit)
{
	const struct study_row *end = studies->rows + studies->count;

	add_settings(out, first, job);
	for (const struct study_row *row = first; row < end; row++)
		if (is_same_study(first, row) && is_first(studies, row, study_row_same_series))
			add_series(out, studies, row, unit);
	for (const struct study_row *row = first; row < end; row++)
		if (is_same_study(first, row) && is_first(studies, row, study_row_same_series) &&
		    !row->series.part && !(row->asked > 0))
			add_best(out, studies, row, unit);
	text_add(out, "\n");
}

/* The curve of one test has a table of its own; that of a set has the sums. */
static bool is_of_curve(const struct study_row *row)
{
	return !row->spec->set.number &&
	       study_compared(&row->spec->study)->row == option_find(&load_options, "curve");
}

void studies_page(const struct studies *studies, const struct job *job,
		  const struct rate_unit *unit, struct text *out)
{
	struct studies joined = join_copies(studies);

	for (const struct study_row *row = joined.rows; row < joined.rows + joined.count; row++) {
		if (is_of_curve(row))
			continue;
		if (!row->spec->set.number && is_first(&joined, row, is_same_study))
			add_study(out, &joined, row, job, unit);
		else if (row->spec->set.number && is_first(&joined, row, study_row_beside))
			study_table_page(&joined, row, unit, out);
	}
	studies_release(&joined);
}
