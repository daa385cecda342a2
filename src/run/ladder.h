/*
 * A curve of load against response time as it runs: one test a point. The first task of the job
 * keeps the points and decides which rate is next.
 */
#ifndef RUN_LADDER_H
#define RUN_LADDER_H

#include "options/curve.h"
#include "report/curves.h"

struct runner;
struct test_run;

/* The curve whose points run. */
struct ladder {
	unsigned first, last;	  /* tests of the curve; valid if there are points */
	struct curve_bound bound; /* of stop_response or search */
	double maximum;		  /* operations/s that the point max reached; 0: not known */
	struct curve_row *rows;	  /* the points so far */
	size_t count;
	bool over; /* the bound ended it */
};

/*
 * Before a test: decides whether it runs, and sets the rate of a point of a curve in its plan.
 * Collective over the job.
 */
bool ladder_wants(struct runner *runner, unsigned number);

/* After the phases of a test: keeps the numbers of a point. Task 0. */
void ladder_add(struct test_run *run);

/* Reports the curve once its last point has run, or the job ends. Task 0. */
void ladder_finish(struct runner *runner);

#endif
