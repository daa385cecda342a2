/* Tables of text: a label, then columns of numbers of fixed width. */
#ifndef PAGE_TABLE_H
#define PAGE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/units.h"

enum cell {
	CELL_NUMBER,
	CELL_COUNT,   /* a whole number */
	CELL_TIME,    /* nanoseconds, printed with a unit; 0: not known */
	CELL_PERCENT, /* a share, printed in per cent */
};

struct column {
	const char *head;
	unsigned width; /* without the blank before it */
	enum cell cell;
};

/* Appends the heads of the columns to a line. */
void table_head(struct text *line, const struct column *columns, size_t count);

/* Appends the cells of a row to a line: the value of each column, "-" for NAN. */
void table_cells(struct text *line, const struct column *columns, const double *values,
		 size_t count);

/* Print a whole line: the label, the heads or the cells, and for a row what stands behind them. */
void table_print_head(struct text *out, const char *label, const struct column *columns,
		      size_t count);
void table_print_row(struct text *out, const char *label, const struct column *columns,
		     const double *values, size_t count, const char *behind);

/* A number with few digits: a whole number from 100 on, "36.5", "1.14". */
struct units_text table_short(double value);

#endif
