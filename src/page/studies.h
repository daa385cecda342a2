/* The table at the end of a job that compares the tests of its studies, in 80 columns. */
#ifndef PAGE_STUDIES_H
#define PAGE_STUDIES_H

#include "base/text.h"
#include "record/line.h"
#include "result/result.h"

/* One series of one test, or of the copies of a member of a set. */
struct study_row {
	const struct test_spec *spec;
	enum phase_kind kind;
	struct series series;
	uint32_t tasks, nodes;
	uint32_t working;	 /* working tasks; if fewer, rates per task mean nothing */
	struct line_median rate; /* bytes/s or operations/s; NAN: no complete repetition */
	double operations_rate;
	double least;		 /* rate of the slowest copy */
	uint64_t p50_ns, p99_ns; /* the largest of all copies */
};

struct studies {
	struct study_row *rows;
	size_t count;
};

/* Adds a test from the line of its end. Tests that belong to no study are skipped. */
void studies_add(struct studies *studies, const struct test_head *test, const json_t *line);
void studies_page(const struct studies *studies, struct text *out);
void studies_release(struct studies *studies);

#endif
