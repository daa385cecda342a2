/*
 * The scalar members of struct measure, one row each: a row says how the values of two measures
 * become one. measure_merge() and measure_reset() walk the rows, and a unit test finds a scalar
 * member that has none.
 */
#ifndef MEASURE_FIELDS_H
#define MEASURE_FIELDS_H

#include "measure/measure.h"

enum field_type { FIELD_COUNT, FIELD_NUMBER, FIELD_EXTENT }; /* uint64_t, double, struct extent */

enum field_merge {
	MERGE_SUM,   /* 0 when reset */
	MERGE_MOST,  /* 0 when reset */
	MERGE_LEAST, /* UINT64_MAX when reset */
	MERGE_FIRST, /* The value of the first measure that is not 0. */
	MERGE_SPAN,  /* The earliest and the latest stamp; empty when reset. */
};

struct measure_field {
	const char *name;
	size_t offset, size; /* bytes; an array has one row */
	enum field_type type;
	enum field_merge merge;
};

extern const struct measure_field measure_fields[];
extern const size_t measure_field_count;

/* All bytes of the measure must be 0. */
void measure_fields_reset(struct measure *measure);
void measure_fields_merge(struct measure *into, const struct measure *from);

#endif
