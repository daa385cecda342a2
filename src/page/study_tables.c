/* The table of a study that compares the values of one option. */
#include "page/study_tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "options/varied.h"
#include "page/layout.h"
#include "page/table.h"

/* The facts that the rows of one table share. */
struct study_table {
	const struct study_row *first;
	const struct rate_unit *unit; /* of data */
	bool tasks;		      /* the rows have different numbers of tasks */
	bool copies;		      /* some test has several copies */
	/* The most tasks that work in a phase that not all tasks do; 0: all tasks do it. */
	uint32_t working;
	/* The rate that is 100 %: that per task with the fewest tasks, or the highest; 0: none. */
	double whole;
};

static struct study_table table_of(const struct studies *studies, const struct study_row *first,
				   const struct rate_unit *unit)
{
	struct study_table table = {first, unit,
				    .tasks = varied_is_tasks(study_compared(&first->spec->study))};
	uint32_t fewest = UINT32_MAX;
	bool few = false;

	for (const struct study_row *row = first; row < studies->rows + studies->count; row++) {
		if (!study_row_beside(first, row))
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

enum { CELLS = 7, LABEL = 23 };

/* The columns of a table and the values of one of its rows. */
struct cells {
	struct column columns[CELLS];
	double values[CELLS];
	size_t count;
};

static void study_tables_add_cell(struct cells *cells, const char *head, unsigned width,
				  enum cell cell, double value)
{
	cells->columns[cells->count] = (struct column){head, width, cell};
	cells->values[cells->count++] = value;
}

static struct cells cells_of(const struct study_table *table, const struct study_row *row)
{
	const struct rate_unit unit = rate_unit_of(row->kind, table->unit);
	const struct line_median *rate = &row->rate;
	const double own = rate->value / (table->tasks ? row->tasks : 1);
	struct cells cells = {.count = 0};

	study_tables_add_cell(&cells, unit.name, 8, CELL_NUMBER, rate->value / unit.bytes);
	if (table->copies) {
		study_tables_add_cell(&cells, "least", 7, CELL_NUMBER, row->least / unit.bytes);
	} else {
		study_tables_add_cell(&cells, "from", 7, CELL_NUMBER, rate->lower / unit.bytes);
		study_tables_add_cell(&cells, "to", 7, CELL_NUMBER, rate->upper / unit.bytes);
	}
	if (phase_moves_data(row->kind))
		study_tables_add_cell(&cells, "op/s", 6, CELL_NUMBER, row->operations_rate);
	study_tables_add_cell(&cells, table->tasks ? "effic." : "of best", 7, CELL_PERCENT,
			      table->whole > 0 ? own / table->whole : NAN);
	study_tables_add_cell(&cells, "p50", 7, CELL_TIME, (double)row->p50_ns);
	study_tables_add_cell(&cells, "p99", 7, CELL_TIME, (double)row->p99_ns);
	return cells;
}

static void study_tables_print_row(struct text *out, const struct study_table *table,
				   const struct study_row *row)
{
	const struct cells cells = cells_of(table, row);
	char value[VARIED_VALUE_SIZE];
	struct text line = {0};

	if (table->tasks)
		text_add(&line, "%*" PRIu32 " %5" PRIu32, LABEL - 6, row->tasks, row->nodes);
	else
		text_add(&line, "%*.*s", LABEL, LABEL,
			 varied_value(row->spec, study_compared(&row->spec->study), value));
	if (isfinite(row->rate.value)) {
		table_cells(&line, cells.columns, cells.values, 1);
		text_add(&line, "%-1s", severity_mark(row->worst));
		table_cells(&line, cells.columns + 1, cells.values + 1, cells.count - 1);
	} else {
		text_add(&line, " no complete repetition");
	}
	layout_line(out, text_string(&line));
	text_release(&line);
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

static void add_title(struct text *words, const struct study_table *table)
{
	const struct study_row *row = table->first;
	const struct test *test = test_of(row->spec);
	struct text others = {0};

	if (row->spec->set.number && test->name)
		text_add(words, "%s: ", test->name);
	study_row_name(row, words);
	if (row->spec->set.number && table->tasks) {
		text_add(words, ", ");
		study_scaling(test, words);
	}
	if (table->copies)
		text_add(words, ", sum of copies; least, p50, p99: worst copy");
	add_working(words, row->kind, table->working);
	varied_values(row->spec, study_compared(&row->spec->study), &others);
	if (others.length)
		text_add(words, "; %s", text_string(&others));
	text_release(&others);
}

/* The title stands before the heads if it is short, else on lines of its own. */
static void study_tables_print_head(struct text *out, const struct study_table *table)
{
	const struct study_row *row = table->first;
	const char *option =
		table->tasks ? "tasks nodes" : study_compared(&row->spec->study)->row->name;
	const struct cells cells = cells_of(table, row);
	struct text words = {0}, line = {0};
	char label[32] = "";

	add_title(&words, table);
	if (row->spec->set.number)
		snprintf(label, sizeof(label), "study %u", row->spec->study.number);
	if (*label || words.length + 1 + strlen(option) > LABEL) {
		layout_paragraph(out, label, *label ? PAGE_INDENT : 0, text_string(&words));
		text_clear(&words);
	}
	text_add(&line, "%s%*s", text_string(&words), LABEL - (int)words.length, option);
	table_head(&line, cells.columns, 1);
	text_add(&line, " ");
	table_head(&line, cells.columns + 1, cells.count - 1);
	layout_line(out, text_string(&line));
	text_release(&line);
	text_release(&words);
}

void study_table_page(const struct studies *studies, const struct study_row *first,
		      const struct rate_unit *unit, struct text *out)
{
	const struct study_table table = table_of(studies, first, unit);

	study_tables_print_head(out, &table);
	for (const struct study_row *row = first; row < studies->rows + studies->count; row++)
		if (study_row_beside(first, row))
			study_tables_print_row(out, &table, row);
	if (first->spec->set.number)
		text_add(out, "\n");
}
