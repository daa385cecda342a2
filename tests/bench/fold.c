/*
 * How long joining the measures of all tasks takes after a phase: full timelines, three kinds of
 * operation. Prints the median and the longest of some rounds, ms, from the moment the last task
 * has come to the moment task 0 has it all.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "comm/world.h"
#include "measure/fold.h"

enum { ROUNDS = 21 };

/* Something in every slice, and in so many buckets. */
static void observe(struct measure *measure, uint32_t task, uint32_t tasks)
{
	struct timeline *timeline = measure_timeline(measure);

	measure_reset(measure);
	measure->tasks = 1;
	for (uint64_t i = 0; i < 100000; i++) {
		uint64_t ns = 1000 + i * i % 50000;

		measure_add(&measure->records[1], ns, i, i, task, 0);
		slice_count(timeline_enter(timeline, i * 300000), histogram_index(ns));
	}
	for (uint32_t i = 0; i < timeline->count; i++)
		timeline->slices[i].bytes = 4096 * slice_operations(&timeline->slices[i]);
	heatmap_set(measure_heatmap(measure), task / heatmap_joined(tasks), timeline);
}

static int by_size(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
	static const enum operation operations[] = {OPERATION_OPEN, OPERATION_WRITE,
						    OPERATION_CLOSE};
	struct measure *measure = measure_create(operations, 3);
	double took_ms[ROUNDS];
	struct world world;

	world_start(&argc, &argv, &world);
	for (int round = 0; round < ROUNDS; round++) {
		observe(measure, (uint32_t)world.all.rank, (uint32_t)world.all.size);
		comm_wait_for_all(&world.all, NULL);
		uint64_t begin_ns = clock_monotonic_ns(); /* of one machine */

		measure_fold(&world.all, measure, NULL);
		uint64_t end_ns = clock_monotonic_ns();

		comm_most_of_late(&world.all, &begin_ns, 1, NULL);
		took_ms[round] = (double)(end_ns - begin_ns) / 1e6;
		if (!world.all.rank &&
		    measure->records[1].histogram.count != 100000 * (uint64_t)world.all.size)
			return 1;
	}
	qsort(took_ms, ROUNDS, sizeof(*took_ms), by_size);
	if (!world.all.rank)
		printf("%d tasks, %zu KiB each: median %.1f ms, longest %.1f ms\n", world.all.size,
		       measure->size >> 10, took_ms[ROUNDS / 2], took_ms[ROUNDS - 1]);
	free(measure);
	world_finish(&world);
	return 0;
}
