/* The table at the end of a job that compares the tests of its studies. */
#include "page/studies.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "options/varied.h"
#include "page/layout.h"
#include "page/table.h"

void studies_release(struct studies *studies)
{
	free(studies->rows);
	*studies = (struct studies){0};
}

/* Rows stand in the order of tests, which may end in another one. */
static void add_row(struct studies *studies, const struct study_row *row)
{
	size_t at = studies->count++;

	studies->rows = memory_grow(studies->rows, studies->count * sizeof(*studies->rows));
	for (; at && studies->rows[at - 1].spec > row->spec; at--)
		studies->rows[at] = studies->rows[at - 1];
	studies->rows[at] = *row;
}

/*
 * Adds a phase and its parts. A set may have many tests: its members have one row, which at a rate
 * has response times.
 */
static void add_phase(struct studies *studies, struct study_row row, const struct plan *plan,
		      unsigned phase, const json_t *summary)
{
	const bool is_member = row.spec->set.number;
	struct series series[SERIES_MOST];
	const unsigned count = plan_series(plan, phase, series);

	row.operations_rate = line_number(summary, "operations_per_s");
	for (unsigned i = 0; i < count; i++) {
		const json_t *numbers = line_numbers(summary, i);

		if (is_member && i && series[i].operation != OPERATION_RESPONSE)
			continue;
		row.series = series[i];
		row.p50_ns = line_count(numbers, "p50_ns");
		row.p99_ns = line_count(numbers, "p99_ns");
		if (!is_member || !i)
			row.rate = line_median(line_at(numbers, "total_rate"), line_unit(row.kind));
		row.least = row.rate.value;
		if (!is_member)
			add_row(studies, &row);
	}
	if (is_member)
		add_row(studies, &row);
}

void studies_add(struct studies *studies, const struct test_head *test, const json_t *line)
{
	const struct plan *plan = test->plan;

	for (unsigned i = 0; i < plan->phase_count && test->spec->study.made; i++) {
		const enum phase_kind kind = plan->phases[i].kind;
		const struct study_row row = {
			.spec = test->spec,
			.kind = kind,
			.tasks = plan->map.tasks,
			.nodes = plan->map.nodes,
			.working = plan_working_tasks(plan, kind),
		};

		if (!plan_is_layout(plan, &plan->phases[i]))
			add_phase(studies, row, plan, i, line_summary(line, i));
	}
}

/*
 * The option whose values make the rows of a table: num_tasks, or the option that changes fastest.
 */
static const struct varied *row_option(const struct study *study)
{
	for (size_t i = 0; i < study->count; i++)
		if (study->options[i].row == option_find(&test_options, "num_tasks") &&
		    !study->options[i].owner)
			return &study->options[i];
	return &study->options[study->count - 1];
}

static bool varies_tasks(const struct study_row *row)
{
	const struct varied *rows = row_option(&row->spec->study);

	return !rows->owner && rows->row == option_find(&test_options, "num_tasks");
}

/*
 * True for the same series in two tests. Its number in the plan may differ, as tests of a study may
 * have other phases before it.
 */
static bool is_same_series(const struct study_row *a, const struct study_row *b)
{
	return a->kind == b->kind && a->series.nth == b->series.nth &&
	       a->series.operation == b->series.operation;
}

/* True if two rows belong into one table: all varied options but that of the rows are equal. */
static bool belong_together(const struct study_row *a, const struct study_row *b)
{
	const struct study *study = &a->spec->study;
	const struct varied *rows = row_option(study);
	char left[VARIED_VALUE_SIZE], right[VARIED_VALUE_SIZE];

	if (!is_same_series(a, b) || study->number != b->spec->study.number)
		return false;
	for (size_t i = 0; i < study->count; i++)
		if (&study->options[i] != rows &&
		    strcmp(varied_value(a->spec, &study->options[i], left),
			   varied_value(b->spec, &study->options[i], right)))
			return false;
	return true;
}

/* True for the same series in two tests, of which the second is a further copy of the first. */
static bool is_copy(const struct study_row *row, const struct study_row *copy)
{
	return copy->spec->set.copy > 1 && row->spec->set.copy == 1 &&
	       row->spec->set.number == copy->spec->set.number && belong_together(row, copy);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Copies of a member are one row: rates add up, and times are the largest. */
static void add_copy(struct study_row *row, const struct study_row *copy)
{
	row->rate.value += copy->rate.value;
	row->operations_rate += copy->operations_rate;
	row->least = fmin(row->least, copy->rate.value);
	row->p50_ns = larger(row->p50_ns, copy->p50_ns);
	row->p99_ns = larger(row->p99_ns, copy->p99_ns);
}

/* Adds further copies to the rows of their members. Returns the rows that are left. */
static struct studies join_copies(const struct studies *studies)
{
	struct studies joined = {.rows = memory_allocate(studies->count, sizeof(*studies->rows))};

	for (size_t i = 0; i < studies->count; i++) {
		size_t of = 0;

		while (of < joined.count && !is_copy(&joined.rows[of], &studies->rows[i]))
			of++;
		if (of < joined.count)
			add_copy(&joined.rows[of], &studies->rows[i]);
		else
			joined.rows[joined.count++] = studies->rows[i];
	}
	return joined;
}

/* What the rows of one table have in common. */
struct study_table {
	const struct study_row *first;
	bool tasks;  /* the rows have different numbers of tasks */
	bool copies; /* some test has several copies */
	/* The most tasks that work in a phase that not all tasks do; 0: all tasks do it. */
	uint32_t working;
	/* The rate that is 100 %: that per task with the fewest tasks, or the highest; 0: none. */
	double whole;
};

static struct study_table table_of(const struct studies *studies, const struct study_row *first)
{
	struct study_table table = {.first = first, .tasks = varies_tasks(first)};
	uint32_t fewest = UINT32_MAX;
	bool few = false;

	for (const struct study_row *row = first; row < studies->rows + studies->count; row++) {
		if (!belong_together(first, row))
			continue;
		table.copies |= test_of(row->spec)->copies > 1;
		few |= row->working < row->tasks;
		table.working = row->working > table.working ? row->working : table.working;
		if (!isfinite(row->rate.value) || (table.tasks && row->tasks >= fewest))
			continue;
		fewest = row->tasks;
		table.whole = table.tasks ? row->rate.value / row->tasks
					  : fmax(table.whole, row->rate.value);
	}
	if (!table.tasks || !few)
		table.working = 0;
	if (table.working)
		table.whole = 0;
	return table;
}

enum { DATA_COLUMNS = 7, METADATA_COLUMNS = 5 };

static void print_row(struct text *out, const struct study_table *table,
		      const struct column *columns, const struct study_row *row)
{
	const bool data = phase_moves_data(row->kind);
	const struct line_median *rate = &row->rate;
	const double own = rate->value / (table->tasks ? row->tasks : 1);
	const double share = table->whole > 0 ? own / table->whole : NAN;
	const double third =
		table->copies ? row->least / (data ? (double)MIB : 1) : table_half_width(rate);
	const double p50 = table_time(row->p50_ns), p99 = table_time(row->p99_ns);
	const double of_metadata[METADATA_COLUMNS] = {rate->value, third, share, p50, p99};
	const double of_data[DATA_COLUMNS] = {rate->value / (double)MIB,
					      rate->value / 1e6,
					      third,
					      row->operations_rate,
					      share,
					      p50,
					      p99};
	char label[VARIED_VALUE_SIZE], value[VARIED_VALUE_SIZE];

	if (table->tasks)
		snprintf(label, sizeof(label), "%12" PRIu32 " %9" PRIu32, row->tasks, row->nodes);
	else
		snprintf(label, sizeof(label), "%22.22s",
			 varied_value(row->spec, row_option(&row->spec->study), value));
	if (!isfinite(rate->value))
		table_print_row(out, label, columns, NULL, 0, " no complete repetition");
	else if (data)
		table_print_row(out, label, columns, of_data, DATA_COLUMNS, "");
	else
		table_print_row(out, label, columns, of_metadata, METADATA_COLUMNS, "");
}

/* Appends how many tasks do the phase, where not all do. */
static void add_working(struct text *words, enum phase_kind kind, uint32_t working)
{
	const char *verb = phase_traits[kind].makes_entries	? "made"
			   : phase_traits[kind].removes_entries ? "removed"
								: "listed";

	if (working == 1)
		text_add(words, ", %s by one task: no efficiency", verb);
	else if (working)
		text_add(words, ", %s by %" PRIu32 " tasks at most: no efficiency", verb, working);
}

static void add_title(struct text *out, const struct study_table *table)
{
	const struct study_row *row = table->first;
	const struct test *test = test_of(row->spec);
	static const char *const placements[] = {
		[PLACEMENT_FIRST] = "the first tasks",
		[PLACEMENT_PACKED] = "node after node",
		[PLACEMENT_SPREAD] = "spread over the nodes",
	};
	struct text words = {0}, others = {0};
	char label[32];

	snprintf(label, sizeof(label), "study %u", row->spec->study.number);
	if (row->spec->set.number && test->name)
		text_add(&words, "%s: ", test->name);
	text_add(&words, "%s%s%s", phase_name(row->kind), row->series.part ? ": " : "",
		 row->series.part ? row->series.part : "");
	if (table->tasks)
		text_add(&words, ", %s scaling, %s",
			 test->scaling == SCALING_STRONG ? "strong" : "weak",
			 placements[test->placement]);
	if (table->copies)
		text_add(&words, ", sum of copies; least%s, p50, p99: worst copy",
			 phase_moves_data(row->kind) ? " MiB/s" : "");
	add_working(&words, row->kind, table->working);
	varied_values(row->spec, row_option(&row->spec->study), &others);
	if (others.length)
		text_add(&words, "; %s", text_string(&others));
	layout_paragraph(out, label, 11, text_string(&words));
	text_release(&others);
	text_release(&words);
}

static void add_table(struct text *out, const struct studies *studies,
		      const struct study_row *first)
{
	const bool data = phase_moves_data(first->kind);
	const struct study_table table = table_of(studies, first);
	const char *share = table.tasks ? "effic." : "of best";
	const struct column third = table.copies ? (struct column){"least", 6, CELL_NUMBER}
						 : (struct column){"+-", 6, CELL_PERCENT};
	const struct column data_columns[DATA_COLUMNS] = {
		{"MiB/s", 8, CELL_NUMBER}, {"MB/s", 8, CELL_NUMBER}, third,
		{"op/s", 6, CELL_NUMBER},  {share, 7, CELL_PERCENT}, {"p50", 7, CELL_TIME},
		{"p99", 7, CELL_TIME}};
	const struct column metadata_columns[METADATA_COLUMNS] = {{"op/s", 10, CELL_NUMBER},
								  third,
								  {share, 7, CELL_PERCENT},
								  {"p50", 7, CELL_TIME},
								  {"p99", 7, CELL_TIME}};
	const struct column *columns = data ? data_columns : metadata_columns;
	char label[32];

	add_title(out, &table);
	if (table.tasks)
		snprintf(label, sizeof(label), "%12s %9s", "tasks", "nodes");
	else
		snprintf(label, sizeof(label), "%22.22s",
			 row_option(&first->spec->study)->row->name);
	table_print_head(out, label, columns, data ? DATA_COLUMNS : METADATA_COLUMNS);
	for (const struct study_row *row = first; row < studies->rows + studies->count; row++)
		if (belong_together(first, row))
			print_row(out, &table, columns, row);
	text_add(out, "\n");
}

static bool is_first(const struct studies *studies, const struct study_row *row)
{
	for (const struct study_row *earlier = studies->rows; earlier < row; earlier++)
		if (belong_together(earlier, row))
			return false;
	return true;
}

/* The curve of one test has a table of its own; that of a set has the sums. */
static bool is_of_curve(const struct study_row *row)
{
	return !row->spec->set.number &&
	       row_option(&row->spec->study)->row == option_find(&load_options, "curve");
}

void studies_page(const struct studies *studies, struct text *out)
{
	struct studies joined = join_copies(studies);

	for (const struct study_row *row = joined.rows; row < joined.rows + joined.count; row++)
		if (is_first(&joined, row) && !is_of_curve(row))
			add_table(out, &joined, row);
	studies_release(&joined);
}
