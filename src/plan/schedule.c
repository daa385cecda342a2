/* The visits of a job, one after the other: its tests, points in turns, points of curves. */
#include "plan/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "options/load.h"
#include "options/test.h"
#include "plan/load.h"

void schedule_init(struct schedule *schedule, const struct job *job)
{
	*schedule = (struct schedule){.job = job};
}

static void release_curve(struct curve_course *curve)
{
	free(curve->reached);
	free(curve->rates);
	free(curve->points);
	*curve = (struct curve_course){0};
}

void schedule_release(struct schedule *schedule)
{
	release_curve(&schedule->curve);
}

static bool begins_turns(const struct job *job, unsigned first)
{
	return job->tests[first].study.made && !turns_why_not(job, first);
}

static void start_turns(struct schedule *schedule, unsigned first)
{
	struct turns *turns = &schedule->turns;

	*turns = (struct turns){first, (unsigned)turns_points(schedule->job, first), 0, {0}};
	memset(turns->wanted, true, sizeof(turns->wanted));
}

/* The first visit of a point makes its warm-ups too. False: no point wants a further repetition. */
static bool next_in_turns(struct schedule *schedule, struct visit *visit)
{
	struct turns *turns = &schedule->turns;

	for (unsigned tries = 0; tries < turns->count; tries++) {
		const unsigned point = (unsigned)(turns->looked_at % turns->count);
		const uint64_t round = turns->looked_at++ / turns->count;
		const unsigned number = turns->first + point;

		if (!turns->wanted[point])
			continue;
		turns->wanted[point] = false;
		*visit = (struct visit){
			.first = number,
			.count = 1,
			.until = test_of(&schedule->job->tests[number])->warmup + round + 1,
		};
		return true;
	}
	turns->count = 0;
	return false;
}

static const struct load *load_at(const struct job *job, unsigned number)
{
	return job->tests[number].load.values;
}

struct curve_point_text schedule_point(const struct schedule *schedule, const struct visit *visit)
{
	return curve_point_of(load_at(schedule->job, visit->first)->curve);
}

/* True if the visit belongs to the curve whose points are kept. */
static bool goes_on(const struct curve_course *curve, const struct visit *visit)
{
	return curve->count && visit->first > curve->first && visit->first <= curve->last;
}

/* The load of a point that has the options of the curve. */
static const struct load *load_of_point(const struct job *job, unsigned first)
{
	while (!load_of(&job->tests[first]))
		first++;
	return load_of(&job->tests[first]);
}

/* The points of a curve change fastest among the lists of its study. */
static unsigned last_of(const struct job *job, const struct visit *visit)
{
	const struct study *study = &job->tests[visit->first].study;
	const unsigned points = (unsigned)study->options[study->count - 1].list.count;

	return visit->first + points * visit->count - 1;
}

static void start_curve(struct schedule *schedule, const struct visit *visit)
{
	const struct load *load = load_of_point(schedule->job, visit->first);
	struct curve_course *curve = &schedule->curve;
	struct error ignored = {0};

	release_curve(curve);
	curve->first = visit->first;
	curve->last = last_of(schedule->job, visit);
	curve->reached = memory_allocate(visit->count, sizeof(*curve->reached));
	curve->rates = memory_allocate(visit->count, sizeof(*curve->rates));
	/* job_complete() has checked the texts. */
	if (load->search)
		curve_parse_bound(load->search, '<', "search", &curve->bound, &ignored);
	else if (load->stop_response)
		curve_parse_bound(load->stop_response, ':', "stop_response", &curve->bound,
				  &ignored);
}

/* True if the point just before this visit is above the bound. */
static bool is_doubted(const struct curve_course *curve, const struct visit *visit)
{
	return curve->over && curve->end == visit->first;
}

/* Sets the rates that only earlier points tell. False: one of them is not known. */
static bool set_rates(const struct schedule *schedule, struct visit *visit, double share)
{
	const struct curve_course *curve = &schedule->curve;
	bool known = true;

	for (unsigned i = 0; i < visit->count; i++) {
		const struct load *load = load_of(&schedule->job->tests[visit->first + i]);
		const bool awaits = load && plan_load_awaits_rate(load);

		curve->rates[i] = awaits ? share * curve->reached[i] : 0;
		known &= !awaits || curve->reached[i] > 0;
	}
	visit->rates = curve->rates;
	return known;
}

static bool wants_point(struct schedule *schedule, struct visit *visit)
{
	const struct curve_point_text point = schedule_point(schedule, visit);
	struct curve_course *curve = &schedule->curve;
	double rate;

	if (!goes_on(curve, visit))
		start_curve(schedule, visit);
	if (point.kind != CURVE_POINT_SEARCH)
		return (curve_point_is_again(&point) ? is_doubted(curve, visit) : !curve->over) &&
		       set_rates(schedule, visit,
				 point.kind == CURVE_POINT_SHARE ? point.value : 0);
	if (!(curve->maximum > 0))
		return false;
	rate = curve_search_next(curve->points, curve->count, (double)curve->bound.ns,
				 curve->maximum);
	return rate > 0 && set_rates(schedule, visit, rate / curve->maximum);
}

bool schedule_next(struct schedule *schedule, struct visit *visit)
{
	const struct job *job = schedule->job;

	if (next_in_turns(schedule, visit))
		return true;
	while (schedule->next < job->test_count) {
		const unsigned first = schedule->next;

		if (begins_turns(job, first)) {
			start_turns(schedule, first);
			schedule->next += schedule->turns.count;
			return next_in_turns(schedule, visit);
		}
		*visit = (struct visit){first, (unsigned)set_size(job, first), UINT64_MAX, NULL};
		schedule->next += visit->count;
		if (schedule_point(schedule, visit).kind == CURVE_POINT_NONE ||
		    wants_point(schedule, visit))
			return true;
	}
	return false;
}

static void note_point(struct curve_course *curve, const struct visit *visit,
		       const struct curve_point_text *text, const struct outcome *outcome)
{
	const struct curve_point *point = &outcome->point;
	const bool paced = text->kind != CURVE_POINT_MAX;

	if (!paced) {
		memcpy(curve->reached, outcome->reached, visit->count * sizeof(*curve->reached));
		curve->maximum = point->rate;
	} else if (text->kind == CURVE_POINT_SHARE && !(curve->maximum > 0)) {
		curve->maximum = point->asked / text->value;
	}
	curve->over = paced && curve->bound.ns && point->bounded_ns > (double)curve->bound.ns;
	curve->end = visit->first + visit->count;
	curve->points = memory_grow(curve->points, (curve->count + 1) * sizeof(*curve->points));
	curve->points[curve->count++] = *point;
}

void schedule_note(struct schedule *schedule, const struct visit *visit,
		   const struct outcome *outcome)
{
	const struct curve_point_text text = schedule_point(schedule, visit);

	if (schedule->turns.count)
		schedule->turns.wanted[visit->first - schedule->turns.first] = outcome->wanted;
	if (text.kind != CURVE_POINT_NONE)
		note_point(&schedule->curve, visit, &text, outcome);
}

bool schedule_was_made(const struct visit *visit, const struct recorded *recorded, bool *wanted)
{
	const struct recorded *test = &recorded[visit->first];

	if (!test->over && test->repetitions < visit->until)
		return false;
	*wanted = !test->over || test->repetitions > visit->until;
	return true;
}
