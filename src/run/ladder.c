/* Curves of load against response time. */
#include "run/ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plan/load.h"
#include "record/line.h"
#include "result/goals.h"
#include "run/state.h"

static bool is_percentile(const struct curve_bound *bound)
{
	return bound->quantile > 0 && bound->quantile < 1;
}

/* The statistic that the bound is on; 0 if there are too few operations for it. */
static double bounded_of(const struct histogram *times, const struct curve_bound *bound)
{
	if (is_percentile(bound))
		return (double)histogram_known_percentile(times, bound->quantile);
	return bound->quantile > 0 ? (double)times->max_ns
				   : (double)times->sum_ns / (double)times->count;
}

/* The sums over the loads of a point. */
struct sums {
	struct histogram times; /* response times; service times of a closed loop */
	double rate, asked;
	bool missed;		 /* one load missed its rate, or had nothing due */
	double overload_seconds; /* the most that an overload of a load needs to show */
	uint64_t repetitions;
	bool is_random; /* the arrivals of a load */
	bool is_timed;	/* a duration ends each load */
};

/* Adds a load from the line of its test's end. *reached: its operations/s. */
static void add_load(struct sums *sums, const struct plan *plan, const json_t *line,
		     double *reached)
{
	const unsigned phase = plan->phase_count - 1;
	const json_t *summary = line_summary(line, phase);
	const struct line_median rate =
		line_median(line_at(summary, "total_rate"), line_unit(plan->phases[phase].kind));

	*reached = isfinite(rate.value) ? rate.value : 0;
	sums->rate += *reached;
	line_add_times(&sums->times, line_at(summary, "curve_point/times"));
	if (!plan_load_is_paced(&plan->pattern))
		return;
	sums->asked += plan->pattern.arrival.rate;
	sums->missed |= !line_true(summary, "curve_point/reached");
	sums->overload_seconds =
		fmax(sums->overload_seconds, line_number(summary, "curve_point/overload_needs_s"));
	sums->repetitions = line_count(summary, "complete_repetitions");
	sums->is_random |= plan->pattern.arrival.kind > ARRIVAL_EVEN;
	sums->is_timed &= plan->load_seconds > 0;
}

static void fill_times(struct curve_row *row, const struct histogram *times,
		       const struct curve_bound *bound)
{
	if (!times->count)
		return;
	row->point.mean_ns = (double)times->sum_ns / (double)times->count;
	row->point.bounded_ns = bounded_of(times, bound);
	row->p50_ns = histogram_known_percentile(times, 0.5);
	row->p99_ns = histogram_known_percentile(times, 0.99);
	row->p999_ns = histogram_known_percentile(times, 0.999);
}

/* The measured time in which the operations of a point would be enough for the bound. */
static double percentile_seconds(const struct sums *sums, const struct curve_bound *bound)
{
	if (!is_percentile(bound) || histogram_known_percentile(&sums->times, bound->quantile) ||
	    !sums->repetitions)
		return 0;
	return kept_seconds_of((double)histogram_needed(bound->quantile), sums->asked,
			       sums->is_random) /
	       (double)sums->repetitions;
}

static void ladder_add_row(struct ladder *ladder, const struct curve_row *row)
{
	ladder->rows = memory_grow(ladder->rows, (ladder->count + 1) * sizeof(*ladder->rows));
	ladder->rows[ladder->count++] = *row;
}

void ladder_add(struct runner *runner, unsigned first, unsigned count, json_t *const *lines)
{
	const struct visit visit = {.first = first, .count = count};
	const enum curve_point_kind kind = schedule_point(&runner->schedule, &visit).kind;
	struct ladder *ladder = &runner->ladder;
	struct curve_row row = {.test = first, .tests = count};
	struct sums *sums;

	if (kind == CURVE_POINT_NONE)
		return;
	sums = memory_allocate(1, sizeof(*sums));
	sums->is_timed = true;
	histogram_init(&sums->times);
	ladder->bound = runner->schedule.curve.bound;
	ladder->reached = memory_grow(ladder->reached, count * sizeof(*ladder->reached));
	for (unsigned i = 0; i < count; i++) {
		ladder->reached[i] = 0;
		if (runner->plans[first + i].load)
			add_load(sums, &runner->plans[first + i], lines[i], &ladder->reached[i]);
	}
	row.point.rate = sums->rate;
	row.point.asked = kind == CURVE_POINT_MAX ? 0 : sums->asked;
	row.point.reached = kind != CURVE_POINT_MAX && !sums->missed;
	if (row.point.reached) {
		row.is_timed = sums->is_timed;
		row.overload_seconds = sums->overload_seconds;
		row.percentile_seconds = percentile_seconds(sums, &ladder->bound);
	}
	fill_times(&row, &sums->times, &ladder->bound);
	free(sums);
	ladder_add_row(ladder, &row);
}

void ladder_start(struct runner *runner, unsigned first)
{
	const struct ladder *ladder = &runner->ladder;

	if (ladder->count && runner->schedule.curve.first == first)
		ladder_finish(runner);
}

/* Sends the last point and the rates of its tests from task 0 to all tasks. Collective. */
static void share_point(struct runner *runner, unsigned count, struct curve_point *point,
			double *reached)
{
	const struct ladder *ladder = &runner->ladder;
	const struct comm *all = &runner->world->all;

	if (leads(runner)) {
		*point = ladder->rows[ladder->count - 1].point;
		memcpy(reached, ladder->reached, count * sizeof(*reached));
	}
	comm_share_fixed(all, point, sizeof(*point), NULL);
	comm_share_fixed(all, reached, count * sizeof(*reached), NULL);
}

void ladder_note(struct runner *runner, const struct visit *visit)
{
	struct ladder *ladder = &runner->ladder;
	struct outcome outcome = {0};
	double *reached = memory_allocate(visit->count, sizeof(*reached));

	share_point(runner, visit->count, &outcome.point, reached);
	outcome.reached = reached;
	schedule_note(&runner->schedule, visit, &outcome);
	free(reached);
	if (leads(runner))
		ladder->rows[ladder->count - 1].maximum = runner->schedule.curve.maximum;
}

void ladder_finish(struct runner *runner)
{
	struct ladder *ladder = &runner->ladder;
	const struct test_spec *spec;

	if (ladder->count) {
		spec = &runner->job->tests[ladder->rows->test];
		report_curve(runner->report, &(struct curve_report){
						     .study = spec->study.number,
						     .spec = spec,
						     .rows = ladder->rows,
						     .count = ladder->count,
						     .bound = ladder->bound,
					     });
	}
	free(ladder->rows);
	free(ladder->reached);
	*ladder = (struct ladder){0};
}
