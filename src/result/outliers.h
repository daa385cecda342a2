/* Tasks of a phase that are far from the mean of all, by outlier_threshold. */
#ifndef RESULT_OUTLIERS_H
#define RESULT_OUTLIERS_H

#include "measure/task_row.h"

enum { OUTLIERS_KEPT = 16 };

struct outlier {
	uint32_t task, node;
	enum task_step step;
	double seconds; /* of the task; the mean stands in the whole */
};

struct outliers {
	double threshold; /* s from the mean; 0: none are looked for */
	uint64_t since_ns; /* the first begin */
	double mean[STEPS]; /* s, over all tasks */
	uint64_t count;     /* tasks */
	struct outlier kept[OUTLIERS_KEPT]; /* the first ones, each by the step it is farthest in */
	unsigned kept_count;
};

/* One task after the other, once threshold, since_ns and mean are set. */
void outliers_add(struct outliers *outliers, const struct task_row *row);

#endif
