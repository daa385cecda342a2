/*
 * The series of the tests that studies and sets compare, and the tables of studies at the end of a
 * job, in 80 columns.
 */
#ifndef PAGE_STUDIES_H
#define PAGE_STUDIES_H

#include "page/page.h"
#include "record/line.h"
#include "result/result.h"

/* One series of one test, or of the copies of a member of a set. */
struct study_row {
	const struct test_spec *spec;
	unsigned test; /* number of the test in the job */
	enum phase_kind kind;
	struct series series;
	struct series timed; /* of the percentiles: in a set at a rate those of responses */
	bool repeats;	     /* has the numbers of its phase, which has no other operation */
	uint32_t tasks, nodes;
	uint32_t working;	 /* working tasks; if fewer, rates per task mean nothing */
	double asked;		 /* operations/s due in the phase; 0: it has no rate */
	const char *beside;	 /* the phases that a load ran beside; "": none */
	uint64_t repetitions;	 /* complete ones */
	enum severity worst;	 /* of the verdicts on phases of the kind */
	struct line_median rate; /* bytes/s or operations/s; NAN: no complete repetition */
	double operations_rate;
	double least;		 /* rate of the slowest copy */
	uint64_t p50_ns, p99_ns; /* of `timed`; the largest of all copies */
	uint64_t served_p99_ns;	 /* of the series itself; 0: too few operations */
	struct line_median response_mean, response_p99; /* ns; not of a part */
	uint64_t missed; /* repetitions that missed their rate; not of a part */
};

struct studies {
	struct study_row *rows;
	size_t count;
};

/*
 * Adds a test from the line of its end, with the verdicts on it. Tests that belong to no study and
 * no set are skipped.
 */
void studies_add(struct studies *studies, const struct test_head *test, const json_t *line,
		 const struct kept_verdicts *kept);
/* job: says how the points were ordered. unit: of rates of data. */
void studies_page(const struct studies *studies, const struct job *job,
		  const struct rate_unit *unit, struct text *out);
void studies_release(struct studies *studies);

/* The option whose values a table compares: num_tasks, or the option that changes fastest. */
const struct varied *study_compared(const struct study *study);

/* True for the same series in two tests of one study. */
bool study_row_same_series(const struct study_row *a, const struct study_row *b);

/* True if the option has the same value in two tests of a study. */
bool study_row_same_value(const struct study_row *a, const struct study_row *b,
			  const struct varied *varied);

/* True for two tests of a study that differ in the compared option only, in the same series. */
bool study_row_beside(const struct study_row *a, const struct study_row *b);

/* Appends the name of the series: "write", "mix: create". */
void study_row_name(const struct study_row *row, struct text *out);

/* Appends how tasks were added: "weak scaling, the first tasks". */
void study_scaling(const struct test *test, struct text *words);

#endif
