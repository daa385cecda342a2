/* Tables of text: behind a label, columns of numbers that have a fixed width. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "statistics/repetitions.h"

enum cell {
	CELL_NUMBER,
	CELL_COUNT,   /* a whole number */
	CELL_TIME,    /* of nanoseconds, with its unit */
	CELL_PERCENT, /* of a share */
};

struct column {
	const char *head;
	unsigned width; /* a blank stands before it */
	enum cell cell;
	double quantile; /* of a percentile that is known from enough operations on */
};

/* Appends the heads of the columns to a line. */
void table_head(struct text *line, const struct column *columns, size_t count);

/*
 * Appends the cells of a row to a line: the value of each column, "-" for NAN. operations: of all that the
 * row shows; where they are too few for a percentile its cell says "n<368".
 */
void table_cells(struct text *line, const struct column *columns, const double *values, size_t count,
		 uint64_t operations);

/* Half of the median's interval, relative to the median; NAN where no interval is possible. */
double table_half_width(const struct spread *rate);

/* A time that is not known is 0 and becomes NAN. */
double table_time(uint64_t ns);

#endif
