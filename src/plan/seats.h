/*
 * Where the tasks of a crew run. A crew is a group of the job's tasks, with consecutive slots on
 * each of its nodes. A job's nodes and slots count all of its tasks. A crew counts its own tasks
 * and nodes from 0, nodes in the order of their first task. Pure functions.
 */
#ifndef PLAN_SEATS_H
#define PLAN_SEATS_H

#include <stdbool.h>

#include "plan/node_map.h"

enum { SEATS_NONE = -1 };

struct seats {
	const struct node_map *map; /* of the crew's tasks */
	/* the job's number of each node of the crew; NULL: the same number */
	const uint32_t *node_of;
	/* the job's slot of the crew's first task on each node; NULL: 0 */
	const uint32_t *slot_of;
	uint32_t first_task; /* the job's number of the crew's first task */
};

/* The crew's number of a node of the job, or SEATS_NONE. O(nodes) where node_of is given. */
int64_t seats_node(const struct seats *seats, uint32_t job_node);

/* How many tasks of the crew a node of the job has. */
uint32_t seats_count(const struct seats *seats, uint32_t job_node);

/* The job's slot of the crew's first task on a node of the job; the crew must have tasks there. */
uint32_t seats_first_slot(const struct seats *seats, uint32_t job_node);

/* The crew's task in a slot of the job, or SEATS_NONE. */
int64_t seats_task(const struct seats *seats, uint32_t job_node, uint32_t job_slot);

#endif
