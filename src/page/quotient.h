/* The quotient of two medians with its interval. */
#ifndef PAGE_QUOTIENT_H
#define PAGE_QUOTIENT_H

#include <stdbool.h>

#include "record/line.h"

/* The interval is of at least 90 %. NAN: not known. */
struct quotient {
	double value, lower, upper;
};

struct quotient quotient_of(const struct line_median *over, const struct line_median *under);
/* True if the interval is known. */
bool quotient_is_bounded(const struct quotient *quotient);
/* True if the interval includes 1, so that either median may be the larger one. */
bool quotient_is_undecided(const struct quotient *quotient);

#endif
