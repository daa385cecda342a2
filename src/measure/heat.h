/*
 * Heat map of the bytes moved, by task and time. A row is one task or, above HEAT_ROWS tasks,
 * several neighbours; rows are in the order of nodes. A column is four slices of a timeline. The
 * size is the same for any number of tasks and any length of run. Merging is exact and independent
 * of the order.
 */
#ifndef MEASURE_HEAT_H
#define MEASURE_HEAT_H

#include "measure/timeline.h"

enum { HEAT_ROWS = 128, HEAT_JOINED = 2 /* 2^2 slices */, HEAT_COLUMNS = TIMELINE_SLICES >> HEAT_JOINED };

struct heat {
	uint32_t width;       /* a column is 2^width ns */
	uint32_t first, last; /* rows in use: first .. last-1 */
	uint64_t bytes[HEAT_ROWS][HEAT_COLUMNS]; /* rows not in use are zero */
};

/*
 * The number of positions (node_map_position) that share a row, and the number of rows, for `tasks`
 * tasks.
 */
static inline uint32_t heat_joined(uint32_t tasks)
{
	return tasks ? (tasks - 1) / HEAT_ROWS + 1 : 1;
}

static inline uint32_t heat_rows(uint32_t tasks)
{
	return tasks ? (tasks - 1) / heat_joined(tasks) + 1 : 0;
}

void heat_reset(struct heat *heat);
/* Fills the row of one task from its timeline. The heat map must be empty. */
void heat_set(struct heat *heat, uint32_t row, const struct timeline *timeline);
void heat_merge(struct heat *into, const struct heat *from);
/* Drops the first `count` columns, which must be empty. */
void heat_skip(struct heat *heat, uint32_t count);
/* Joins columns until they are as many as fit a phase of `length_ns`. Returns their number. */
uint32_t heat_fit(struct heat *heat, uint64_t length_ns);

#endif
