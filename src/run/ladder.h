/*
 * A curve of load against response time as it runs: a test or a set of tests is a point. The first
 * task of the job keeps the points and decides which rate is next.
 */
#ifndef RUN_LADDER_H
#define RUN_LADDER_H

#include "options/curve.h"
#include "page/curves.h"

struct runner;

/* The curve whose points run. A point is one test, or all tests of a set. */
struct ladder {
	unsigned first, last;	  /* tests of the curve; valid if there are points */
	struct curve_bound bound; /* of stop_response or search */
	double maximum;		  /* operations/s of 100 %; 0: not known */
	double *reached;	  /* operations/s of each test of a point at the maximum */
	struct curve_row *rows;	  /* the points so far */
	size_t count;
	bool over; /* the last point is above the bound */
};

/*
 * Before the `count` tests from number `first` on, which are one test or a set: decides whether
 * they run, and sets the rates of a point of a curve in their plans. Collective over the job.
 */
bool ladder_wants(struct runner *runner, unsigned first, unsigned count);

/* Keeps the numbers of a point from the lines of the ends of these tests. Task 0. */
void ladder_add(struct runner *runner, unsigned first, unsigned count, json_t *const *lines);

/* Reports the curve once its last point has run, or the job ends. Task 0. */
void ladder_finish(struct runner *runner);

#endif
