/*
 * Heatmap of the bytes moved, by task and time. A row is one task or, above HEATMAP_ROWS tasks,
 * several neighbours; rows are in the order of nodes. A column is four slices of a timeline. The
 * size is the same for any number of tasks and any length of run. Merging is exact and independent
 * of the order.
 */
#ifndef MEASURE_HEATMAP_H
#define MEASURE_HEATMAP_H

#include "measure/timeline.h"

enum {
	HEATMAP_ROWS = 128,
	HEATMAP_JOINED = 2 /* 2^2 slices */,
	HEATMAP_COLUMNS = TIMELINE_SLICES >> HEATMAP_JOINED
};

struct heatmap {
	uint32_t width;				       /* a column is 2^width ns */
	uint32_t first, last;			       /* rows in use: first .. last-1 */
	uint64_t bytes[HEATMAP_ROWS][HEATMAP_COLUMNS]; /* rows not in use are zero */
};

/*
 * The number of positions (node_map_position) that share a row, and the number of rows, for `tasks`
 * tasks.
 */
static inline uint32_t heatmap_joined(uint32_t tasks)
{
	return tasks ? (tasks - 1) / HEATMAP_ROWS + 1 : 1;
}

static inline uint32_t heatmap_rows(uint32_t tasks)
{
	return tasks ? (tasks - 1) / heatmap_joined(tasks) + 1 : 0;
}

void heatmap_reset(struct heatmap *heatmap);
/* Fills the row of one task from its timeline. The heatmap must be empty. */
void heatmap_set(struct heatmap *heatmap, uint32_t row, const struct timeline *timeline);
void heatmap_merge(struct heatmap *into, const struct heatmap *from);
/* Drops the first `count` columns, which must be empty. */
void heatmap_skip(struct heatmap *heatmap, uint32_t count);
/* Joins columns until they are as many as fit a phase of `length_ns`. Returns their number. */
uint32_t heatmap_fit(struct heatmap *heatmap, uint64_t length_ns);

#endif
