/*
 * A curve of load against response time as it runs: a test or a set of tests is a point. The first
 * task of the job keeps the points, and the schedule decides which is next.
 */
#ifndef RUN_LADDER_H
#define RUN_LADDER_H

#include "options/curve.h"
#include "page/curves.h"
#include "plan/schedule.h"

struct runner;

/* The curve whose points run; on task 0. */
struct ladder {
	struct curve_bound bound; /* of stop_response or search */
	struct curve_row *rows;	  /* the points so far */
	size_t count;
	double *reached; /* operations/s of each test of the last point */
};

/* Before a visit from test `first` on: reports the curve before if another one starts. Task 0. */
void ladder_start(struct runner *runner, unsigned first);

/*
 * Keeps the numbers of a point from the lines of the ends of these tests. Other tests are none.
 * Task 0.
 */
void ladder_add(struct runner *runner, unsigned first, unsigned count, json_t *const *lines);

/* Tells the schedules of all tasks of the point that a visit has measured. Collective. */
void ladder_note(struct runner *runner, const struct visit *visit);

/* Reports the curve once its last point has run, or the job ends. Task 0. */
void ladder_finish(struct runner *runner);

#endif
