/* Tasks that are far from the mean. */
#include "result/outliers.h"

#include <math.h>

void outliers_add(struct outliers *outliers, const struct task_row *row)
{
	struct outlier farthest = {.task = row->task, .node = row->node};
	double most = outliers->threshold;

	if (outliers->threshold <= 0)
		return;
	for (enum task_step step = 0; step < STEPS; step++) {
		double seconds = task_row_seconds(row, step, outliers->since_ns);
		double distance = fabs(seconds - outliers->mean[step]);

		if (distance <= most)
			continue;
		most = distance;
		farthest.step = step;
		farthest.seconds = seconds;
	}
	if (most <= outliers->threshold)
		return;
	if (outliers->kept_count < OUTLIERS_KEPT)
		outliers->kept[outliers->kept_count++] = farthest;
	outliers->count++;
}
