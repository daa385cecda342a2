/* Which of the job's tasks take part in a test, and how much of its work each of them has. */
#ifndef PLAN_TASKS_H
#define PLAN_TASKS_H

#include "plan/plan.h"

/* A task's items: those of the test, or its share of them with scaling=strong. */
int plan_share_items(struct plan *plan, uint64_t *items, struct error *err);

/* A task's block and segments: those of the test, or its share of them with scaling=strong. */
int plan_share_work(const struct plan *plan, uint64_t *block, uint64_t *segments, struct error *err);

#endif
