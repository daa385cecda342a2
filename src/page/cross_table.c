/* The cross table of a study of several options. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "options/varied.h"
#include "page/layout.h"
#include "page/study_tables.h"
#include "page/table.h"

enum part { PART_RATE, PART_INTERVAL, PART_P99, PARTS };
enum { PART_SIZE = 72, GAP = 2, FIRST_OPTION = 8, P99_WIDTH = 5 };

struct cross_cell {
	char parts[PARTS][PART_SIZE];
};

struct cross {
	const struct studies *studies;
	const struct study *study;
	const struct varied *compared;
	struct rate_unit unit;
	const struct study_row **lines, **columns; /* the first row of each */
	size_t line_count, column_count;
	struct cross_cell *cells; /* line by line */
	bool marked;		  /* some rate has a mark */
	size_t widths[PARTS];	  /* 0: no cell has the part */
	size_t *label_widths;	  /* of the values of each option */
	size_t labels;		  /* width of the values in a line, with the blanks between them */
	size_t begin, column; /* of the columns: where the first begins, and the width of each */
	unsigned shown;	      /* parts of each cell that are printed */
};

/* The number of the line that has the row's values, which is added if there is none yet. */
static size_t line_of(struct cross *cross, const struct study_row *row)
{
	size_t i = 0;

	while (i < cross->line_count && !study_row_beside(cross->lines[i], row))
		i++;
	if (i == cross->line_count)
		cross->lines[cross->line_count++] = row;
	return i;
}

/* The number of the column that has the row's value, which is added if there is none yet. */
static size_t column_of(struct cross *cross, const struct study_row *row)
{
	size_t i = 0;

	while (i < cross->column_count &&
	       !study_row_same_value(cross->columns[i], row, cross->compared))
		i++;
	if (i == cross->column_count)
		cross->columns[cross->column_count++] = row;
	return i;
}

static struct cross_cell show_cell(const struct cross *cross, const struct study_row *row)
{
	const double unit = cross->unit.bytes;
	struct cross_cell cell = {{"-"}};

	if (!isfinite(row->rate.value))
		return cell;
	snprintf(cell.parts[PART_RATE], PART_SIZE, "%s%-*s",
		 table_short(row->rate.value / unit).text, cross->marked, study_row_mark(row));
	if (isfinite(row->rate.lower) && isfinite(row->rate.upper))
		snprintf(cell.parts[PART_INTERVAL], PART_SIZE, "(%s-%s)",
			 table_short(row->rate.lower / unit).text,
			 table_short(row->rate.upper / unit).text);
	if (row->p99_ns)
		snprintf(cell.parts[PART_P99], PART_SIZE, "%s",
			 units_fit_ns(row->p99_ns, P99_WIDTH).text);
	return cell;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Finds the lines and columns of the series that begins with row `first`. */
static void list_lines(struct cross *cross, const struct study_row *first)
{
	const struct study_row *end = cross->studies->rows + cross->studies->count;

	for (const struct study_row *row = first; row < end; row++) {
		if (!study_row_same_series(first, row))
			continue;
		line_of(cross, row);
		column_of(cross, row);
		cross->marked |= *study_row_mark(row) != '\0';
	}
}

/* The cell of a test that did not run stays a dash. */
static void fill_cells(struct cross *cross, const struct study_row *first)
{
	const struct study_row *end = cross->studies->rows + cross->studies->count;
	const size_t count = cross->line_count * cross->column_count;

	cross->cells = memory_allocate(count, sizeof(*cross->cells));
	for (size_t i = 0; i < count; i++)
		cross->cells[i] = (struct cross_cell){{"-"}};
	for (const struct study_row *row = first; row < end; row++)
		if (study_row_same_series(first, row))
			cross->cells[line_of(cross, row) * cross->column_count +
				     column_of(cross, row)] = show_cell(cross, row);
	for (size_t i = 0; i < count; i++)
		for (unsigned part = 0; part < PARTS; part++)
			cross->widths[part] =
				larger(cross->widths[part], strlen(cross->cells[i].parts[part]));
}

/*
 * Appends the value that heads a column, the first one with the name of the option. Numbers of
 * tasks need no name, unless their word would be wider than the medians below.
 */
static void add_head(const struct cross *cross, size_t column, struct text *out)
{
	const struct test_spec *spec = cross->columns[column]->spec;
	char value[VARIED_VALUE_SIZE];

	if (varied_is_tasks(cross->compared) && cross->shown > PART_INTERVAL) {
		varied_word(spec, cross->compared, out);
		return;
	}
	if (!column) {
		varied_name(spec, cross->compared, false, out);
		text_add(out, "=");
	}
	text_add(out, "%s", varied_value(spec, cross->compared, value));
}

static size_t head_width(const struct cross *cross, size_t column)
{
	struct text head = {0};
	size_t width;

	add_head(cross, column, &head);
	width = head.length;
	text_release(&head);
	return width;
}

static size_t word_width(const struct cross *cross, size_t line, const struct varied *varied)
{
	struct text word = {0};
	size_t width;

	varied_word(cross->lines[line]->spec, varied, &word);
	width = word.length;
	text_release(&word);
	return width;
}

/* Sets the widths of the values of all options but the compared one. */
static void measure_labels(struct cross *cross)
{
	for (size_t i = 0; i < cross->study->count; i++) {
		const struct varied *varied = &cross->study->options[i];
		size_t *width = &cross->label_widths[i];

		if (varied == cross->compared)
			continue;
		*width = cross->labels ? 0 : FIRST_OPTION;
		for (size_t line = 0; line < cross->line_count; line++)
			*width = larger(*width, word_width(cross, line, varied));
		cross->labels += *width + (cross->labels > 0);
	}
}

/* Appends the name of the series and what the cells hold: "write    MiB/s, p99". */
static void add_title(const struct cross *cross, struct text *out)
{
	const bool has_p99 = cross->shown > PART_P99 && cross->widths[PART_P99];
	struct text name = {0};

	study_row_name(cross->lines[0], &name);
	text_add(out, "%-*s %s%s", FIRST_OPTION, text_string(&name), cross->unit.name,
		 has_p99 ? ", p99" : "");
	text_release(&name);
}

/* Sets the widths for the parts that are shown. The first head may begin before its column. */
static void measure_columns(struct cross *cross)
{
	struct text title = {0};

	cross->column = 0;
	for (unsigned part = 0; part < cross->shown; part++)
		if (cross->widths[part])
			cross->column += cross->widths[part] + (part > 0);
	for (size_t i = 1; i < cross->column_count; i++)
		cross->column = larger(cross->column, head_width(cross, i));
	add_title(cross, &title);
	cross->begin = larger(cross->labels + cross->column, title.length + head_width(cross, 0)) -
		       cross->column;
	text_release(&title);
}

static bool fits(const struct cross *cross)
{
	return cross->begin + cross->column_count * (GAP + cross->column) <= COLUMNS;
}

static void print_heads(const struct cross *cross, struct text *out)
{
	struct text line = {0};

	add_title(cross, &line);
	for (size_t i = 0; i < cross->column_count; i++) {
		const size_t end = cross->begin + (i + 1) * (GAP + cross->column);

		text_add(&line, "%*s", (int)(end - line.length - head_width(cross, i)), "");
		add_head(cross, i, &line);
	}
	layout_line(out, text_string(&line));
	text_release(&line);
}

/* Appends the values of the other options. A value that equals that of the line above is blank. */
static void add_label(const struct cross *cross, size_t number, struct text *line)
{
	for (size_t i = 0; i < cross->study->count; i++) {
		const struct varied *varied = &cross->study->options[i];
		const struct study_row *row = cross->lines[number];
		const int width = (int)cross->label_widths[i];
		struct text word = {0};

		if (varied == cross->compared)
			continue;
		if (!number || !study_row_same_value(row, cross->lines[number - 1], varied))
			varied_word(row->spec, varied, &word);
		if (line->length)
			text_add(line, " %*s", width, text_string(&word));
		else
			text_add(line, "%-*s", width, text_string(&word));
		text_release(&word);
	}
	text_add(line, "%*s", (int)(cross->begin - line->length), "");
}

static void print_line(const struct cross *cross, size_t number, struct text *out)
{
	struct text line = {0};

	add_label(cross, number, &line);
	for (size_t i = 0; i < cross->column_count; i++) {
		const struct cross_cell *cell = &cross->cells[number * cross->column_count + i];
		struct text parts = {0};

		for (unsigned part = 0; part < cross->shown; part++) {
			const int width = (int)cross->widths[part];

			if (width)
				text_add(&parts, "%s%*s", part ? " " : "",
					 part == PART_INTERVAL ? -width : width, cell->parts[part]);
		}
		text_add(&line, "%*s", (int)(GAP + cross->column), text_string(&parts));
		text_release(&parts);
	}
	layout_line(out, text_string(&line));
	text_release(&line);
}

bool cross_table_page(const struct studies *studies, const struct study_row *first,
		      const struct rate_unit *unit, struct text *out)
{
	struct cross cross = {
		.studies = studies,
		.study = &first->spec->study,
		.compared = study_compared(&first->spec->study),
		.unit = rate_unit_of(first->kind, unit),
		.lines = memory_allocate(studies->count, sizeof(*cross.lines)),
		.columns = memory_allocate(studies->count, sizeof(*cross.columns)),
		.label_widths = memory_allocate(first->spec->study.count, sizeof(size_t)),
	};

	list_lines(&cross, first);
	fill_cells(&cross, first);
	measure_labels(&cross);
	for (cross.shown = PARTS; cross.shown; cross.shown--) {
		measure_columns(&cross);
		if (fits(&cross))
			break;
	}
	if (cross.shown) {
		print_heads(&cross, out);
		for (size_t i = 0; i < cross.line_count; i++)
			print_line(&cross, i, out);
	}
	free(cross.lines);
	free(cross.columns);
	free(cross.label_widths);
	free(cross.cells);
	return cross.shown > 0;
}
