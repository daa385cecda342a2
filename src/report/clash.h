/* Results must not go into the files that are measured. */
#ifndef REPORT_CLASH_H
#define REPORT_CLASH_H

#include "options/job.h"
#include "plan/plan.h"

/*
 * ERROR_INPUT where a result file of the job is a test file of one of its plans, also by another name
 * for the same file. Looks at the file system; on task 0 only, before anything is made.
 */
int clash_check(const struct job *job, const struct plan *plans, struct error *err);

#endif
