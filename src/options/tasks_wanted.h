/* How many tasks the tests of a job want, and whether the job has them. */
#ifndef OPTIONS_TASKS_WANTED_H
#define OPTIONS_TASKS_WANTED_H

#include <stdint.h>

#include "base/error.h"

struct job;

/*
 * Call these after sets_complete(). tasks_wanted() returns the most tasks that a test, or the
 * members of a set with all copies, want at the same time. A member with a share or with the rest
 * counts as one task.
 */
uint64_t tasks_wanted(const struct job *job);

/*
 * Refuses a test that wants more tasks than the job has, if exact_tasks is set or num_tasks is a
 * list. Members of a set are refused when they are dealt their tasks.
 */
int tasks_wanted_check(const struct job *job, struct error *err);

#endif
