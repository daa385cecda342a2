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

/* The decisions of task 0 before a point. */
struct decision {
	bool wanted;
	double share; /* of what each test reached at the maximum */
};

static struct curve_point_text point_of(const struct runner *runner, unsigned number)
{
	const struct load *load = runner->job->tests[number].load.values;

	return curve_point_of(load->curve);
}

/* True if the test belongs to the curve whose points are kept. */
static bool goes_on(const struct runner *runner, unsigned number)
{
	const struct ladder *ladder = &runner->ladder;

	return ladder->count && number > ladder->first && number <= ladder->last;
}

/* The last test of the curve that begins at `first`: its points change fastest. */
static unsigned last_of(const struct job *job, unsigned first, unsigned count)
{
	const struct study *study = &job->tests[first].study;

	return first + (unsigned)study->options[study->count - 1].list.count * count - 1;
}

/* The load of a point that has the options of the curve. */
static const struct load *load_of_point(const struct job *job, unsigned first)
{
	while (!load_of(&job->tests[first]))
		first++;
	return load_of(&job->tests[first]);
}

static void start(struct runner *runner, unsigned first, unsigned count)
{
	const struct load *load = load_of_point(runner->job, first);
	struct ladder *ladder = &runner->ladder;
	struct error ignored = {0};

	ladder_finish(runner);
	*ladder = (struct ladder){
		.first = first,
		.last = last_of(runner->job, first, count),
		.reached = memory_allocate(count, sizeof(*ladder->reached)),
	};
	/* job_complete() has checked the texts. */
	if (load->search)
		curve_parse_bound(load->search, '<', "search", &ladder->bound, &ignored);
	else if (load->stop_response)
		curve_parse_bound(load->stop_response, ':', "stop_response", &ladder->bound,
				  &ignored);
}

static double search_next(const struct ladder *ladder)
{
	struct curve_point *points = curve_rows_points(ladder->rows, ladder->count);
	const double rate =
		curve_search_next(points, ladder->count, (double)ladder->bound.ns, ladder->maximum);

	free(points);
	return rate;
}

/* True if the point just before the tests from `first` on is above the bound. */
static bool is_doubted(const struct ladder *ladder, unsigned first)
{
	const struct curve_row *last;

	if (!ladder->over)
		return false;
	last = &ladder->rows[ladder->count - 1];
	return last->test + last->tests == first;
}

static struct decision decide(struct runner *runner, unsigned first, unsigned count)
{
	const struct curve_point_text point = point_of(runner, first);
	struct ladder *ladder = &runner->ladder;
	double rate;

	if (!goes_on(runner, first))
		start(runner, first, count);
	if (point.kind != CURVE_POINT_SEARCH)
		return (struct decision){curve_point_is_again(&point) ? is_doubted(ladder, first)
								      : !ladder->over,
					 point.kind == CURVE_POINT_SHARE ? point.value : 0};
	rate = ladder->maximum > 0 ? search_next(ladder) : 0;
	return (struct decision){rate > 0, rate > 0 ? rate / ladder->maximum : 0};
}

/* Sets the rates that only earlier points tell. Returns false if one of them is not known. */
static bool set_rates(struct runner *runner, unsigned first, unsigned count, double share,
		      const double *reached)
{
	bool known = true;

	for (unsigned i = 0; i < count; i++) {
		struct plan *plan = &runner->plans[first + i];

		if (!plan->awaits_rate)
			continue;
		known &= reached[i] > 0;
		plan->pattern.arrival.rate = share * reached[i];
		plan->awaits_rate = !(reached[i] > 0);
	}
	return known;
}

bool ladder_wants(struct runner *runner, unsigned first, unsigned count)
{
	struct decision decision = {0};
	double *reached;
	bool wanted;

	if (point_of(runner, first).kind == CURVE_POINT_NONE)
		return true;
	reached = memory_allocate(count, sizeof(*reached));
	if (leads(runner)) {
		decision = decide(runner, first, count);
		memcpy(reached, runner->ladder.reached, count * sizeof(*reached));
	}
	comm_share_fixed(&runner->world->all, &decision, sizeof(decision), NULL);
	comm_share_fixed(&runner->world->all, reached, count * sizeof(*reached), NULL);
	wanted = decision.wanted && set_rates(runner, first, count, decision.share, reached);
	free(reached);
	return wanted;
}

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

/* Adds the histogram of a line to another. */
static void merge_times(struct histogram *into, const json_t *times)
{
	struct histogram *own = memory_allocate(1, sizeof(*own));
	const json_t *bucket;
	size_t i;

	*own = (struct histogram){
		.count = line_count(times, "count"),
		.sum_ns = line_count(times, "sum_ns"),
		.min_ns = line_count(times, "min_ns"),
		.max_ns = line_count(times, "max_ns"),
		.saturated = line_count(times, "saturated"),
	};
	json_array_foreach(line_at(times, "histogram"), i, bucket)
	{
		const json_int_t edge = json_integer_value(json_array_get(bucket, 0));

		own->buckets[histogram_index((uint64_t)edge)] =
			(uint64_t)json_integer_value(json_array_get(bucket, 1));
	}
	histogram_merge(into, own);
	free(own);
}

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
	merge_times(&sums->times, line_at(summary, "curve_point/times"));
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

static void add_row(struct ladder *ladder, const struct curve_row *row)
{
	ladder->rows = memory_grow(ladder->rows, (ladder->count + 1) * sizeof(*ladder->rows));
	ladder->rows[ladder->count++] = *row;
}

void ladder_add(struct runner *runner, unsigned first, unsigned count, json_t *const *lines)
{
	struct ladder *ladder = &runner->ladder;
	const struct curve_point_text point = point_of(runner, first);
	const bool paced = point.kind != CURVE_POINT_MAX;
	struct curve_row row = {.test = first, .tests = count};
	double *reached, ignored;
	struct sums *sums;

	if (point.kind == CURVE_POINT_NONE)
		return;
	sums = memory_allocate(1, sizeof(*sums));
	sums->is_timed = true;
	histogram_init(&sums->times);
	for (unsigned i = 0; i < count; i++) {
		reached = paced ? &ignored : &ladder->reached[i];
		if (runner->plans[first + i].load)
			add_load(sums, &runner->plans[first + i], lines[i], reached);
	}
	row.point.rate = sums->rate;
	row.point.asked = paced ? sums->asked : 0;
	row.point.reached = paced && !sums->missed;
	if (row.point.reached) {
		row.is_timed = sums->is_timed;
		row.overload_seconds = sums->overload_seconds;
		row.percentile_seconds = percentile_seconds(sums, &ladder->bound);
	}
	fill_times(&row, &sums->times, &ladder->bound);
	free(sums);
	if (!paced)
		ladder->maximum = row.point.rate;
	else if (point.kind == CURVE_POINT_SHARE && !(ladder->maximum > 0))
		ladder->maximum = row.point.asked / point.value;
	row.maximum = ladder->maximum;
	ladder->over = paced && ladder->bound.ns && row.point.bounded_ns > (double)ladder->bound.ns;
	add_row(ladder, &row);
}

void ladder_finish(struct runner *runner)
{
	struct ladder *ladder = &runner->ladder;
	const struct test_spec *spec = &runner->job->tests[ladder->first];

	if (ladder->count)
		report_curve(runner->report, &(struct curve_report){
						     .study = spec->study.number,
						     .spec = spec,
						     .rows = ladder->rows,
						     .count = ladder->count,
						     .bound = ladder->bound,
					     });
	free(ladder->rows);
	free(ladder->reached);
	*ladder = (struct ladder){0};
}
