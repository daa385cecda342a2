/* Curves of load against response time. */
#include "run/ladder.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
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

static struct decision decide(struct runner *runner, unsigned first, unsigned count)
{
	const struct curve_point_text point = point_of(runner, first);
	struct ladder *ladder = &runner->ladder;
	double rate;

	if (!goes_on(runner, first))
		start(runner, first, count);
	if (point.kind == CURVE_POINT_SHARE)
		return (struct decision){!ladder->over, point.value};
	if (point.kind != CURVE_POINT_SEARCH)
		return (struct decision){!ladder->over, 0};
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

/* The statistic that the bound is on; the maximum if there are too few operations for it. */
static double bounded_of(const struct histogram *times, const struct curve_bound *bound)
{
	uint64_t percentile;

	if (!(bound->quantile > 0))
		return (double)times->sum_ns / (double)times->count;
	percentile = histogram_known_percentile(times, bound->quantile);
	return (double)(percentile ? percentile : times->max_ns);
}

/* The sums over the loads of a point. */
struct sums {
	struct histogram times; /* response times; service times of a closed loop */
	double rate, asked;
};

static void add_load(struct sums *sums, const struct test_run *run, double *reached)
{
	const struct plan *plan = run->plan;
	const unsigned phase = plan->phase_count - 1;
	const bool paced = plan->pattern.arrival.kind != ARRIVAL_CLOSED;
	struct rate_summary summary;

	rate_summary_fill(&summary, &run->result, phase);
	const struct histogram *times =
		run->result.pooled[phase][paced ? OPERATION_RESPONSE : summary.series.operation];

	*reached = summary.rate.count ? summary.rate.median : 0;
	sums->rate += *reached;
	sums->asked += paced ? plan->pattern.arrival.rate : 0;
	if (times && times->count)
		histogram_merge(&sums->times, times);
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

static void add_row(struct ladder *ladder, const struct curve_row *row)
{
	ladder->rows = memory_grow(ladder->rows, (ladder->count + 1) * sizeof(*ladder->rows));
	ladder->rows[ladder->count++] = *row;
}

void ladder_add(const struct test_run *runs, unsigned count)
{
	struct runner *runner = runs->runner;
	struct ladder *ladder = &runner->ladder;
	const struct curve_point_text point = point_of(runner, runs->number);
	const bool paced = point.kind != CURVE_POINT_MAX;
	struct curve_row row = {.test = runs->number, .tests = count};
	double *reached, ignored;
	struct sums *sums;

	if (point.kind == CURVE_POINT_NONE)
		return;
	sums = memory_allocate(1, sizeof(*sums));
	histogram_init(&sums->times);
	for (unsigned i = 0; i < count; i++) {
		reached = paced ? &ignored : &ladder->reached[i];
		if (runs[i].plan->load)
			add_load(sums, &runs[i], reached);
	}
	row.point.rate = sums->rate;
	row.point.asked = paced ? sums->asked : 0;
	fill_times(&row, &sums->times, &ladder->bound);
	free(sums);
	if (!paced)
		ladder->maximum = row.point.rate;
	else if (point.kind == CURVE_POINT_SHARE && !(ladder->maximum > 0))
		ladder->maximum = row.point.asked / point.value;
	row.maximum = ladder->maximum;
	ladder->over = paced && ladder->bound.ns &&
		       !load_of_point(runner->job, runs->number)->search &&
		       row.point.bounded_ns > (double)ladder->bound.ns;
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
