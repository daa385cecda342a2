/* How the lateness of operations at a rate goes with time. */
#include "result/result.h"

#include <math.h>

/* The mean lateness of fewer operations is noise, and a shorter phase shows no drift. */
enum { OPERATIONS_LEAST = 15, SECONDS_LEAST = 1 };

/* Lateness by the time at which operations were due, in joined slices. */
struct course {
	size_t count;
	double at_s[TIMELINE_SLICES], mean_ns[TIMELINE_SLICES];
};

static uint32_t slices_to_join(const struct timeline *timeline)
{
	uint64_t due = 0;

	for (uint32_t i = 0; i < timeline->count; i++)
		due += timeline->slices[i].due;
	return due ? (uint32_t)ceil((double)OPERATIONS_LEAST * timeline->count / (double)due) : 0;
}

/* Joined slices in which nothing was due are left out. */
static void fill_course(struct course *course, const struct timeline *timeline)
{
	const uint32_t join = slices_to_join(timeline);
	const double seconds = width_seconds(timeline->width);

	for (uint32_t first = 0; join && first + join <= timeline->count; first += join) {
		uint64_t due = 0, late_ns = 0;

		for (uint32_t i = first; i < first + join; i++) {
			due += timeline->slices[i].due;
			late_ns += timeline->slices[i].late_ns;
		}
		if (!due)
			continue;
		course->at_s[course->count] = seconds * (first + join / 2.);
		course->mean_ns[course->count++] = (double)late_ns / (double)due;
	}
}

void lateness_fill(struct phase_result *result)
{
	const struct operation_record *record = measure_record(result->measure, OPERATION_LATENESS);
	const struct timeline *timeline = measure_timeline(result->measure);
	struct lateness *lateness = &result->lateness;
	struct course course = {0};

	if (!record || !record->histogram.count)
		return;
	fill_course(&course, timeline);
	if (course.count < RUN_MEAN_LEAST ||
	    width_seconds(timeline->width) * timeline->count < SECONDS_LEAST)
		return;
	lateness->known = true;
	lateness->seconds = course.at_s[course.count - 1] - course.at_s[0];
	lateness->drift_ns_per_s = median_slope(course.at_s, course.mean_ns, course.count);
	lateness->drifts = run_mean_of(course.mean_ns, course.count).kind == RUN_MEAN_TREND;
}
