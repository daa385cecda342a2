/* Tables of text: a label, then columns of numbers of fixed width. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "statistics/repetitions.h"

enum cell {
	CELL_NUMBER,
	CELL_COUNT,   /* a whole number */
	CELL_TIME,    /* nanoseconds, printed with a unit */
	CELL_PERCENT, /* a share, printed in per cent */
};

struct column {
	const char *head;
	unsigned width; /* without the blank before it */
	enum cell cell;
	double quantile; /* percentile that needs enough operations */
};

/* Appends the heads of the columns to a line. */
void table_head(struct text *line, const struct column *columns, size_t count);

/*
 * Appends the cells of a row to a line: the value of each column, "-" for NAN. operations: number
 * of operations that the row covers. A percentile that needs more has the cell "n<368".
 */
void table_cells(struct text *line, const struct column *columns, const double *values,
		 size_t count, uint64_t operations);

/*
 * Half-width of the median's interval, relative to the median; NAN where no interval is possible.
 */
double table_half_width(const struct spread *rate);

/* Converts a time to double; 0, which means not known, becomes NAN. */
double table_time(uint64_t ns);

#endif
