/*
 * Deals the tasks of a job to the members of its sets, which run at the same time. Pure functions
 * of the job and of its node map.
 */
#ifndef PLAN_DEAL_H
#define PLAN_DEAL_H

#include "options/job.h"
#include "plan/seats.h"

/* Where a member of a set runs. map has no tasks for a test that runs alone. */
struct seating {
	struct seats seats;
	struct node_map map;
};

/*
 * Gives each member its tasks, each task to one member of a set at most. Members with `nodes` come
 * first, as only they need tasks of certain nodes; the others share what is left in their order. A
 * member that repeats another one alone gets the same tasks. seatings: zeroed, one of each test;
 * the caller releases each by seating_release(), also after an error, whose text begins with a
 * location.
 */
int deal_tasks(const struct job *job, const struct node_map *map, struct seating *seatings,
	       struct error *err);
void seating_release(struct seating *seating);

#endif
