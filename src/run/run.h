/* Runs a job that was understood: every test, every repetition, every phase, and tells the report. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "assess/environment.h"
#include "base/clock.h"
#include "comm/node.h"
#include "comm/world.h"
#include "options/job.h"

enum exit_code {
	EXIT_GOOD = 0,
	EXIT_IO = 1,       /* I/O or verification failed, or a signal stopped the job */
	EXIT_INPUT = 2,    /* bad job or options: nothing was touched */
	EXIT_UNTRUSTED = 3, /* --strict and a rule failed */
	EXIT_BUG = 4,
};

/*
 * Collective over world. Every task returns the same exit code. On task 0 everything has been
 * written when it returns.
 */
enum exit_code run_job(const struct job *job, struct world *world, struct clock *clock, int argc,
		       char *const *argv);

/* The same up to the point where something would be touched: looks at files and space, and prints. */
enum exit_code run_dry(const struct job *job, struct world *world, struct clock *clock);

/* Plans every test and prints the plans on task 0: no I/O. */
enum exit_code run_show_plan(const struct job *job, struct world *world);

#endif
