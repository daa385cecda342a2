/*
 * The order in which the tests of a job run, and how often. A job is a list of visits: unbroken
 * rows of repetitions of a test, or of the tests of a set. Pure functions. Every task holds the
 * same schedule and notes the same outcomes, so all tasks know the next visit without a message.
 */
#ifndef PLAN_SCHEDULE_H
#define PLAN_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options/curve.h"
#include "options/job.h"
#include "options/turns.h"
#include "statistics/curve.h"

struct visit {
	unsigned first, count; /* tests: one, or all members of a set */
	uint64_t until; /* the visit ends once a test has so many repetitions, warm-ups included */
	/*
	 * Operations/s of each test that is a point of a curve; 0: the rate of its plan. NULL for
	 * other tests. Valid until the next call of schedule_next().
	 */
	const double *rates;
};

struct outcome {
	bool wanted; /* the test wants a further repetition, for a test that runs in turns */
	/* of a point of a curve */
	struct curve_point point;
	const double *reached; /* operations/s of each test of the visit */
};

/* What earlier sessions of the job have recorded of a test; all zeros: nothing. */
struct recorded {
	uint64_t repetitions; /* that are done, warm-ups included */
	bool begun;
	bool over; /* it wants no further repetition */
};

/* Points of a study that run in turns. */
struct turns {
	unsigned first, count; /* tests; count 0: none run in turns now */
	uint64_t looked_at;    /* points so far, over all rounds */
	bool wanted[TURNS_MOST];
};

/* The curve whose points run. */
struct curve_course {
	unsigned first, last;	  /* tests; valid if there are points */
	struct curve_bound bound; /* of stop_response or search */
	double maximum;		  /* operations/s of 100 %; 0: not known */
	double *reached;	  /* operations/s of each test of a point at the maximum */
	double *rates;		  /* those of the visit */
	struct curve_point *points;
	size_t count;
	unsigned end; /* the test behind the last point that ran */
	bool over;    /* the last point is above the bound */
};

struct schedule {
	const struct job *job;
	unsigned next; /* the first test that was neither visited nor left out */
	struct turns turns;
	struct curve_course curve;
};

/* The job is kept. schedule_release() frees what the schedule holds. */
void schedule_init(struct schedule *schedule, const struct job *job);
void schedule_release(struct schedule *schedule);

/*
 * Finds the next visit. Leaves points of a curve out whose rate an earlier point would have to tell
 * and does not, or that lie above the bound. Returns false at the end of the job.
 */
bool schedule_next(struct schedule *schedule, struct visit *visit);

/* Notes what came of the last visit. Without a note its test has ended and is no point. */
void schedule_note(struct schedule *schedule, const struct visit *visit,
		   const struct outcome *outcome);

/*
 * True if earlier sessions have made the whole visit. *wanted is then whether the test wants a
 * further repetition after it. recorded: of each test of the job.
 */
bool schedule_was_made(const struct visit *visit, const struct recorded *recorded, bool *wanted);

/* The point of a curve that a visit measures; of no curve the kind is CURVE_POINT_NONE. */
struct curve_point_text schedule_point(const struct schedule *schedule, const struct visit *visit);

#endif
