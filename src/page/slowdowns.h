/*
 * How much slower the tests of a set were than alone: a table at the end of a job, in 80 columns,
 * and its JSON.
 */
#ifndef PAGE_SLOWDOWNS_H
#define PAGE_SLOWDOWNS_H

#include <jansson.h>

#include "base/text.h"
#include "record/line.h"
#include "result/rate_unit.h"
#include "result/result.h"

/* One series of one test of a set. */
struct slowdown_row {
	const struct test_spec *spec;
	unsigned test;
	enum phase_kind kind;
	const char *beside; /* the phases that a load ran beside; "": none */
	struct series series;
	uint64_t repetitions; /* complete ones */
	struct line_median rate;
	uint64_t p99_ns; /* 0: too few operations */
	double asked;	 /* operations/s due in the phase; 0: it has no rate */
	struct line_median response_mean, response_p99; /* ns; not of a part */
	uint64_t missed; /* repetitions that missed their rate; not of a part */
};

struct slowdowns {
	struct slowdown_row *rows;
	size_t count;
};

/* Adds a test from the line of its end. Tests that belong to no set are skipped. */
void slowdowns_add(struct slowdowns *slowdowns, const struct test_head *test, const json_t *line);
/* Appends nothing if no member of a set has run alone too. */
void slowdowns_page(const struct slowdowns *slowdowns, const struct rate_unit *unit,
		    struct text *out);
/* An array; the caller owns it. */
json_t *slowdowns_record(const struct slowdowns *slowdowns);
void slowdowns_release(struct slowdowns *slowdowns);

#endif
