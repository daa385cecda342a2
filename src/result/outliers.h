/* Tasks of a phase that differ from the mean of all by more than outlier_threshold. */
#ifndef RESULT_OUTLIERS_H
#define RESULT_OUTLIERS_H

#include "measure/task_row.h"

enum { OUTLIERS_KEPT = 16 };

struct outlier {
	uint32_t task, node;
	enum task_step step;
	double seconds; /* time of the task for that step */
};

struct outliers {
	double threshold;		    /* s from the mean; 0: outliers are not looked for */
	uint64_t since_ns;		    /* the first begin */
	double mean[STEPS];		    /* s, over all tasks */
	uint64_t count;			    /* tasks */
	struct outlier kept[OUTLIERS_KEPT]; /* the first outliers, each by its most distant step */
	unsigned kept_count;
};

/* Adds one task. Threshold, since_ns and mean must be set before. */
void outliers_add(struct outliers *outliers, const struct task_row *row);

#endif
