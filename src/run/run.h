/* Runs a parsed job: every test, repetition and phase. The results go to the report. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "environment/environment.h"
#include "environment/mount.h"
#include "base/clock.h"
#include "comm/node.h"
#include "comm/world.h"
#include "options/job.h"

enum exit_code {
	EXIT_GOOD = 0,
	EXIT_IO = 1,	    /* I/O or verification failed, or a signal stopped the job */
	EXIT_INPUT = 2,	    /* bad job or options: nothing was touched */
	EXIT_UNTRUSTED = 3, /* --strict and a rule failed */
	EXIT_BUG = 4,
};

/*
 * Runs the job. Collective over world. Every task returns the same exit code. Task 0 has written
 * all output before the return.
 */
enum exit_code run_job(const struct job *job, struct world *world, struct clock *clock, int argc,
		       char *const *argv);

/* Checks the job for --dry-run: looks at files and space, prints, and touches no file of a test. */
enum exit_code run_dry(const struct job *job, struct world *world, struct clock *clock);

/* Plans every test and prints the plans on task 0: no I/O. */
enum exit_code run_show_plan(const struct job *job, struct world *world);

#endif
