/*
 * Who moved bytes when: a row for each task, or for neighbours together where there are more than
 * HEAT_ROWS, in the order of nodes; a column is four slices of a timeline. Its size is the same for any
 * number of tasks and any length of run. Merging is exact and in any order.
 */
#ifndef MEASURE_HEAT_H
#define MEASURE_HEAT_H

#include "measure/timeline.h"

enum { HEAT_ROWS = 128, HEAT_JOINED = 2 /* 2^2 slices */, HEAT_COLUMNS = TIMELINE_SLICES >> HEAT_JOINED };

struct heat {
	uint32_t width;       /* of a column: 2^width ns */
	uint32_t first, last; /* rows that are in use: first .. last-1 */
	uint64_t bytes[HEAT_ROWS][HEAT_COLUMNS]; /* all others are zero */
};

/* Positions (node_map_position) that share a row, and the rows of so many tasks. */
static inline uint32_t heat_joined(uint32_t tasks)
{
	return tasks ? (tasks - 1) / HEAT_ROWS + 1 : 1;
}

static inline uint32_t heat_rows(uint32_t tasks)
{
	return tasks ? (tasks - 1) / heat_joined(tasks) + 1 : 0;
}

void heat_reset(struct heat *heat);
/* Of an empty one: one task's row, from its timeline. */
void heat_set(struct heat *heat, uint32_t row, const struct timeline *timeline);
void heat_merge(struct heat *into, const struct heat *from);
/* Drops the first columns, which are empty. */
void heat_skip(struct heat *heat, uint32_t count);
/* Joins columns until they are as many as fit a phase of so many ns; how many these are. */
uint32_t heat_fit(struct heat *heat, uint64_t length_ns);

#endif
