/* The words that a job is made of: the command line, IORX_OPTIONS, the job file and the program's
 * name. */
#ifndef RUN_INPUT_H
#define RUN_INPUT_H

#include "comm/world.h"
#include "options/job.h"

/* The workload of "iorx mdtest …" and of a link named mdtest is metadata. */
enum workload input_workload(int argc, char **argv);

/*
 * Fills a job that job_init() made. Task 0 reads the job file and IORX_OPTIONS and shares the
 * bytes, so every task makes the same job or gets the same error. Collective over world.
 */
int input_read(const struct world *world, int argc, char **argv, struct job *job,
	       struct error *err);

#endif
