/*
 * How much of a job is done, and how long the rest takes: an estimate from the repetitions that
 * have ended. Pure functions.
 */
#ifndef RUN_JOB_ESTIMATE_H
#define RUN_JOB_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

/* The repetitions of a test, or of all tests of a set. */
struct job_part {
	uint64_t done, wanted; /* repetitions; wanted: all that are expected, also those done */
	double seconds;	       /* of those done */
	double first;	       /* s of the first one, which also prepares the test */
	double planned; /* s of a repetition, by the time limits of its phases; 0: not known */
	double limit;	/* s of all repetitions; 0: none */
};

/* The present moment of the job. */
struct job_now {
	size_t part;	   /* the part that runs */
	double spent;	   /* s in its present repetition */
	double phase_left; /* s of its present phase; negative: not known */
	double deadline;   /* s until it; INFINITY: none */
};

struct job_estimate {
	double share; /* done, 0 to 1 */
	double left;  /* s; negative: neither number is known */
};

/*
 * A repetition takes as long as the earlier ones of its part, else as planned, else the mean of
 * the other parts. Nothing is known before any repetition has ended, unless all are planned.
 */
struct job_estimate job_estimate(const struct job_part *parts, size_t count,
				 const struct job_now *now);

#endif
