/* Chooses the tasks of the job that take part in a test, and each task's share of the work. */
#ifndef PLAN_TASKS_H
#define PLAN_TASKS_H

#include "plan/plan.h"

/* A task's items: the test's number, or with scaling=strong the task's share of it. */
int plan_share_items(struct plan *plan, uint64_t *items, struct error *err);

/* A task's block and segments: the test's, or with scaling=strong the task's share of them. */
int plan_share_work(const struct plan *plan, uint64_t *block, uint64_t *segments,
		    struct error *err);

#endif
