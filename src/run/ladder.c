/* Curves of load against response time. */
#include "run/ladder.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "run/state.h"

/* What task 0 decides before a test. */
struct decision {
	bool wanted;
	double rate; /* operations/s of all tasks; 0: that of the plan */
};

static struct curve_point_text point_of(const struct runner *runner, unsigned number)
{
	const struct load *load = load_of(&runner->job->tests[number]);

	return curve_point_of(load ? load->curve : NULL);
}

/* True if the test belongs to the curve whose points are kept. */
static bool goes_on(const struct runner *runner, unsigned number)
{
	const struct ladder *ladder = &runner->ladder;

	return ladder->count && number > ladder->first && number <= ladder->last;
}

/* The last test of the curve that begins at `first`: its points change fastest. */
static unsigned last_of(const struct job *job, unsigned first)
{
	const struct study *study = &job->tests[first].study;

	return first + (unsigned)study->options[study->count - 1].list.count - 1;
}

static void start(struct runner *runner, unsigned number)
{
	const struct load *load = load_of(&runner->job->tests[number]);
	struct ladder *ladder = &runner->ladder;
	struct error ignored = {0};

	ladder_finish(runner);
	*ladder = (struct ladder){.first = number, .last = last_of(runner->job, number)};
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

static struct decision decide(struct runner *runner, unsigned number)
{
	const struct curve_point_text point = point_of(runner, number);
	struct ladder *ladder = &runner->ladder;
	struct decision decision = {.wanted = true};

	if (point.kind == CURVE_POINT_NONE)
		return decision;
	if (!goes_on(runner, number))
		start(runner, number);
	if (point.kind == CURVE_POINT_SHARE)
		decision.rate = point.value * ladder->maximum;
	else if (point.kind == CURVE_POINT_SEARCH)
		decision.rate = search_next(ladder);
	else
		return (struct decision){.wanted = !ladder->over};
	decision.wanted = decision.rate > 0 && !ladder->over;
	return decision;
}

bool ladder_wants(struct runner *runner, unsigned number)
{
	struct plan *plan = &runner->plans[number];
	struct decision decision;

	if (point_of(runner, number).kind == CURVE_POINT_NONE)
		return true;
	if (leads(runner))
		decision = decide(runner, number);
	comm_share_fixed(&runner->world->all, &decision, sizeof(decision), NULL);
	if (decision.rate > 0) {
		plan->pattern.arrival.rate = decision.rate;
		plan->awaits_rate = false;
	}
	return decision.wanted;
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

void ladder_add(struct test_run *run)
{
	struct ladder *ladder = &run->runner->ladder;
	const unsigned phase = run->plan->phase_count - 1;
	const enum curve_point_kind kind = point_of(run->runner, run->number).kind;
	const bool paced = kind != CURVE_POINT_MAX;
	struct rate_summary summary;
	struct curve_row row = {.test = run->number};

	if (kind == CURVE_POINT_NONE)
		return;
	rate_summary_fill(&summary, &run->result, phase);
	row.point.rate = summary.rate.count ? summary.rate.median : 0;
	row.point.asked = paced ? run->plan->pattern.arrival.rate : 0;
	const struct histogram *times =
		run->result.pooled[phase][paced ? OPERATION_RESPONSE : summary.series.operation];

	if (times && times->count) {
		row.point.mean_ns = (double)times->sum_ns / (double)times->count;
		row.point.bounded_ns = bounded_of(times, &ladder->bound);
		row.p50_ns = histogram_known_percentile(times, 0.5);
		row.p99_ns = histogram_known_percentile(times, 0.99);
		row.p999_ns = histogram_known_percentile(times, 0.999);
	}
	if (!paced)
		ladder->maximum = row.point.rate;
	row.maximum = ladder->maximum;
	ladder->over = paced && ladder->bound.ns && !load_of(run->spec)->search &&
		       row.point.bounded_ns > (double)ladder->bound.ns;
	ladder->rows = memory_grow(ladder->rows, (ladder->count + 1) * sizeof(*ladder->rows));
	ladder->rows[ladder->count++] = row;
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
	*ladder = (struct ladder){0};
}
