/* Tables of text. */
#include "page/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "page/layout.h"

void table_head(struct text *line, const struct column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		text_add(line, " %*s", (int)columns[i].width, columns[i].head);
}

static struct units_text show_count(double value, unsigned width)
{
	struct units_text shown;

	if (snprintf(shown.text, sizeof(shown.text), "%.0f", value) > (int)width)
		return units_fit_number(value, width);
	return shown;
}

/* Five digits, or all digits before the decimal point. */
static struct units_text show_number(double value, unsigned width)
{
	return value >= 1e5 ? show_count(value, width)
			    : units_fit_number(value, width < 6 ? width : 6);
}

static struct units_text show_percent(double share, unsigned width)
{
	struct units_text shown = units_fit_number(100 * share, width > 6 ? 5 : 4);

	strcat(shown.text, "%");
	return shown;
}

static struct units_text show_cell(const struct column *column, double value)
{
	if (!isfinite(value) || (column->cell == CELL_TIME && !(value > 0)))
		return (struct units_text){"-"};
	switch (column->cell) {
	case CELL_COUNT:
		return show_count(value, column->width);
	case CELL_TIME:
		return units_fit_ns((uint64_t)llround(value), column->width);
	case CELL_PERCENT:
		return show_percent(value, column->width);
	case CELL_NUMBER:
		break;
	}
	return show_number(value, column->width);
}

void table_cells(struct text *line, const struct column *columns, const double *values,
		 size_t count)
{
	for (size_t i = 0; i < count; i++)
		text_add(line, " %*s", (int)columns[i].width,
			 show_cell(&columns[i], values[i]).text);
}

void table_print_head(struct text *out, const char *label, const struct column *columns,
		      size_t count)
{
	struct text line = {0};

	text_add(&line, "%s", label);
	table_head(&line, columns, count);
	layout_line(out, text_string(&line));
	text_release(&line);
}

void table_print_row(struct text *out, const char *label, const struct column *columns,
		     const double *values, size_t count, const char *behind)
{
	struct text line = {0};

	text_add(&line, "%s", label);
	table_cells(&line, columns, values, count);
	text_add(&line, "%s", behind);
	layout_line(out, text_string(&line));
	text_release(&line);
}

struct units_text table_short(double value)
{
	return value >= 99.95 ? show_count(value, 6) : units_fit_number(value, 4);
}
