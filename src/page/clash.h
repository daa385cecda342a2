/* Check that no result file is a file under test. */
#ifndef PAGE_CLASH_H
#define PAGE_CLASH_H

#include "options/job.h"
#include "plan/plan.h"

/*
 * Returns ERROR_INPUT where a result file of the job is a test file of one of its plans, also under
 * another name of the same file. Looks at the file system. Called on task 0 only, before anything
 * is made.
 */
int clash_check(const struct job *job, const struct plan *plans, struct error *err);

#endif
