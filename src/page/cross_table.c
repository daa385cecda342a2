/* The cross table of a study of several options. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "options/varied.h"
#include "page/layout.h"
#include "page/study_tables.h"
#include "page/table.h"

enum part { PART_RATE, PART_INTERVAL, PART_P99, PARTS };
enum { GAP = 2, FIRST_OPTION = 8, P99_WIDTH = 5 };

struct cross {
	const struct study_row *first, *end; /* rows of studies, from the first of the series on */
	const struct study *study;
	const struct varied *compared;
	struct rate_unit unit;
	const struct study_row **lines, **columns; /* the first row of each */
	size_t line_count, column_count;
	bool marked;	      /* some rate has a mark */
	size_t widths[PARTS]; /* 0: no cell has the part */
	size_t *label_widths; /* of the values of each option */
	size_t labels;	      /* width of the values in a line, with the blanks between them */
	size_t begin, column; /* of the columns: where the first begins, and the width of each */
	unsigned shown;	      /* parts of each cell that are printed */
};

static bool is_same_column(const struct study_row *a, const struct study_row *b)
{
	return study_row_same_value(a, b, study_compared(&a->spec->study));
}

/* Adds a row to the first rows of lines, or of columns, if its line has none yet. */
static void add_once(const struct study_row **list, size_t *count, const struct study_row *row,
		     bool (*is_same)(const struct study_row *a, const struct study_row *b))
{
	for (size_t i = 0; i < *count; i++)
		if (is_same(list[i], row))
			return;
	list[(*count)++] = row;
}

/* The row of a cell; NULL: its test did not run. */
static const struct study_row *find_cell(const struct cross *cross, size_t line, size_t column)
{
	for (const struct study_row *row = cross->first; row < cross->end; row++)
		if (study_row_beside(cross->lines[line], row) &&
		    is_same_column(cross->columns[column], row))
			return row;
	return NULL;
}

static void add_part(const struct cross *cross, const struct study_row *row, enum part part,
		     struct text *out)
{
	const double unit = cross->unit.bytes;

	if (!row || !isfinite(row->rate.value))
		text_add(out, "%s", part == PART_RATE ? "-" : "");
	else if (part == PART_RATE)
		text_add(out, "%s%-*s", table_short(row->rate.value / unit).text, cross->marked,
			 severity_mark(row->worst));
	else if (part == PART_P99 && row->p99_ns)
		text_add(out, "%s", units_fit_ns(row->p99_ns, P99_WIDTH).text);
	else if (part == PART_INTERVAL && isfinite(row->rate.lower) && isfinite(row->rate.upper))
		text_add(out, "(%s-%s)", table_short(row->rate.lower / unit).text,
			 table_short(row->rate.upper / unit).text);
}

static size_t cross_table_larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Finds the lines and columns of the series, and the widths of the parts of their cells. */
static void list_lines(struct cross *cross)
{
	struct text words = {0};

	for (const struct study_row *row = cross->first; row < cross->end; row++) {
		if (!study_row_same_series(cross->first, row))
			continue;
		add_once(cross->lines, &cross->line_count, row, study_row_beside);
		add_once(cross->columns, &cross->column_count, row, is_same_column);
		cross->marked |= *severity_mark(row->worst) != '\0';
	}
	for (const struct study_row *row = cross->first; row < cross->end; row++)
		for (enum part part = 0; part < PARTS; part++) {
			text_clear(&words);
			if (study_row_same_series(cross->first, row))
				add_part(cross, row, part, &words);
			cross->widths[part] = cross_table_larger(cross->widths[part], words.length);
		}
	text_release(&words);
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

/* Sets the widths of the values of all options but the compared one. */
static void measure_labels(struct cross *cross)
{
	struct text word = {0};

	for (size_t i = 0; i < cross->study->count; i++) {
		const struct varied *varied = &cross->study->options[i];
		size_t *width = &cross->label_widths[i];

		if (varied == cross->compared)
			continue;
		*width = cross->labels ? 0 : FIRST_OPTION;
		for (size_t line = 0; line < cross->line_count; line++) {
			text_clear(&word);
			varied_word(cross->lines[line]->spec, varied, &word);
			*width = cross_table_larger(*width, word.length);
		}
		cross->labels += *width + (cross->labels > 0);
	}
	text_release(&word);
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

/*
 * Sets the widths for the parts that are shown, and returns whether 80 columns hold them. The first
 * head may begin before its column.
 */
static bool fits(struct cross *cross)
{
	struct text title = {0};

	cross->column = 0;
	for (enum part part = 0; part < cross->shown; part++)
		if (cross->widths[part])
			cross->column += cross->widths[part] + (part > 0);
	for (size_t i = 1; i < cross->column_count; i++)
		cross->column = cross_table_larger(cross->column, head_width(cross, i));
	add_title(cross, &title);
	cross->begin = cross_table_larger(cross->labels + cross->column,
					  title.length + head_width(cross, 0)) -
		       cross->column;
	text_release(&title);
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
	const struct study_row *row = cross->lines[number];
	struct text word = {0};

	for (size_t i = 0; i < cross->study->count; i++) {
		const struct varied *varied = &cross->study->options[i];
		const int width = (int)cross->label_widths[i];

		if (varied == cross->compared)
			continue;
		text_clear(&word);
		if (!number || !study_row_same_value(row, cross->lines[number - 1], varied))
			varied_word(row->spec, varied, &word);
		if (line->length)
			text_add(line, " %*s", width, text_string(&word));
		else
			text_add(line, "%-*s", width, text_string(&word));
	}
	text_add(line, "%*s", (int)(cross->begin - line->length), "");
	text_release(&word);
}

static void cross_table_add_cell(const struct cross *cross, const struct study_row *row,
				 struct text *line)
{
	struct text cell = {0}, words = {0};

	for (enum part part = 0; part < cross->shown; part++) {
		const int width = (int)cross->widths[part];

		text_clear(&words);
		add_part(cross, row, part, &words);
		if (width)
			text_add(&cell, "%s%*s", part ? " " : "",
				 part == PART_INTERVAL ? -width : width, text_string(&words));
	}
	text_add(line, "%*s", (int)(GAP + cross->column), text_string(&cell));
	text_release(&words);
	text_release(&cell);
}

static void print_line(const struct cross *cross, size_t number, struct text *out)
{
	struct text line = {0};

	add_label(cross, number, &line);
	for (size_t i = 0; i < cross->column_count; i++)
		cross_table_add_cell(cross, find_cell(cross, number, i), &line);
	layout_line(out, text_string(&line));
	text_release(&line);
}

bool cross_table_page(const struct studies *studies, const struct study_row *first,
		      const struct rate_unit *unit, struct text *out)
{
	struct cross cross = {
		.first = first,
		.end = studies->rows + studies->count,
		.study = &first->spec->study,
		.compared = study_compared(&first->spec->study),
		.unit = rate_unit_of(first->kind, unit),
		.lines = memory_allocate(studies->count, sizeof(*cross.lines)),
		.columns = memory_allocate(studies->count, sizeof(*cross.columns)),
		.label_widths = memory_allocate(first->spec->study.count, sizeof(size_t)),
		.shown = PARTS,
	};

	list_lines(&cross);
	measure_labels(&cross);
	while (cross.shown && !fits(&cross))
		cross.shown--;
	if (cross.shown)
		print_heads(&cross, out);
	for (size_t i = 0; i < cross.line_count && cross.shown; i++)
		print_line(&cross, i, out);
	free(cross.lines);
	free(cross.columns);
	free(cross.label_widths);
	return cross.shown > 0;
}
