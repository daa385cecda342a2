/* The text and the JSON of a curve of load against response time. */
#ifndef PAGE_CURVES_H
#define PAGE_CURVES_H

#include <jansson.h>

#include "base/text.h"
#include "options/curve.h"
#include "options/job.h"
#include "statistics/curve.h"

/*
 * One point: the tests that measured it, one or those of a set, from number `test` on. Percentiles
 * of their response times, ns; 0: too few.
 */
struct curve_row {
	unsigned test, tests;
	struct curve_point point;
	double maximum; /* operations/s of 100 %; 0: not known */
	uint64_t p50_ns, p99_ns, p999_ns;
	/* Measured time that would show an overload, and support the bound; 0: the point does. */
	double overload_seconds, percentile_seconds;
	bool is_timed; /* a duration ends its loads */
};

struct curve_report {
	unsigned study;
	const struct test_spec *spec; /* of the first point */
	const struct curve_row *rows;
	size_t count;
	struct curve_bound bound; /* ns 0: none */
};

/* The points of the rows; the caller frees them. */
struct curve_point *curve_rows_points(const struct curve_row *rows, size_t count);

void curve_page(const struct curve_report *report, struct text *out);
json_t *curve_record(const struct curve_report *report);

#endif
