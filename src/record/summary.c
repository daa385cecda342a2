/* The end of one test: its rates over the repetitions. */
#include <stdio.h>

#include "options/curve.h"
#include "plan/load.h"
#include "plan/workload.h"
#include "record/comparable.h"
#include "record/json.h"
#include "record/line.h"
#include "record/record.h"
#include "result/goals.h"

/* Adds a number under a key with its unit: "median_bytes_per_s". */
static void put_unit_if(json_t *object, const char *what, const char *unit, bool known,
			double value)
{
	char key[64];

	snprintf(key, sizeof(key), "%s_%s", what, unit);
	put_number_if(object, key, known, value);
}

static void put_times(json_t *object, const struct service_times *times)
{
	put_count_if(object, "p50_ns", times->p50_ns, times->p50_ns);
	put_count_if(object, "p99_ns", times->p99_ns, times->p99_ns);
	put_count_if(object, "p999_ns", times->p999_ns, times->p999_ns);
	put_count_if(object, "max_ns", times->max_ns, times->max_ns);
}

static void put_independence(json_t *object, const struct dependence *dependence)
{
	put_text(object, "independence", dependence_name(dependence));
	put_number(object, "effective_repetitions", dependence->effective);
}

static void put_median(json_t *owner, const struct spread *spread, const char *unit)
{
	const struct median_interval *interval = &spread->interval;
	json_t *object;

	put_unit_if(owner, "median", unit, spread->count, spread->median);
	object = put_object_if(owner, "median_interval", interval->possible);
	if (!object)
		return;
	put_number(object, "confidence", 0.95);
	put_number(object, "coverage", interval->coverage);
	put_independence(object, &spread->dependence);
	put_unit_if(object, "lower", unit, true, interval->lower);
	put_unit_if(object, "upper", unit, true, interval->upper);
}

static void put_rate(json_t *summary, const struct rate_summary *rates)
{
	const struct spread *rate = &rates->rate;
	const char *unit = line_unit(rates->kind);
	const bool any = rate->count > 0;
	json_t *object = put_object(summary, "total_rate");

	put_median(object, rate, unit);
	put_independence(object, &rate->dependence);
	put_unit_if(object, "mean", unit, any, rate->mean);
	put_unit_if(object, "standard_deviation", unit, rate->count > 1, rate->deviation);
	put_unit_if(object, "min", unit, any, rate->least);
	put_unit_if(object, "max", unit, any, rate->most);
	put_unit_if(object, "pooled", unit, any, rates->pooled);
}

/* Adds precision, first, drift and modes over the repetitions; null where there are too few. */
static void put_repetitions(json_t *summary, const struct rate_summary *rates)
{
	json_t *object;

	put_number_if(summary, "precision", rates->precision >= 0, rates->precision);
	put_count_if(summary, "needed_repetitions", rates->needed, rates->needed);
	object = put_object(summary, "first_repetition");
	put_bool(object, "differs", rates->first.differs);
	put_number_if(object, "ratio_to_others", rates->first.known, rates->first.ratio);
	object = put_object(summary, "drift");
	put_bool(object, "found", rates->drift.drifts);
	put_number_if(object, "rho", rates->drift.known, rates->drift.rho);
	put_number_if(object, "p", rates->drift.known, rates->drift.p);
	put_number_if(object, "change", rates->drift.known, rates->drift.change);
	object = put_object(summary, "two_modes");
	put_bool(object, "found", rates->modes.found);
	put_unit_if(object, "low", line_unit(rates->kind), rates->modes.found, rates->modes.low);
	put_unit_if(object, "high", line_unit(rates->kind), rates->modes.found, rates->modes.high);
	put_number_if(object, "low_repetitions", rates->modes.found,
		      (double)rates->modes.low_count);
	put_number_if(object, "high_repetitions", rates->modes.found,
		      (double)rates->modes.high_count);
}

/* Adds the operations other than the phase's main one. */
static void put_parts(json_t *summary, const struct rate_summary *rates)
{
	json_t *parts = put_array(summary, "parts");

	for (unsigned i = 0; i < rates->part_count; i++) {
		const struct series_summary *part = &rates->parts[i];
		json_t *object = json_object();

		json_array_append_new(parts, object);
		put_text(object, "part", part->series.part);
		put_text(object, "operation", operation_name(part->series.operation));
		put_count(object, "operations", part->operations);
		put_median(put_object(object, "total_rate"), &part->rate, line_unit(rates->kind));
		put_times(object, &part->times);
	}
}

static void put_response(json_t *response, const char *key, const struct spread *times)
{
	json_t *object = put_object_if(response, key, times->count);

	if (object)
		put_median(object, times, "ns");
}

/* Adds the response times of operations at a rate, as each repetition has them. */
static void put_responses(json_t *summary, const struct response_summary *times)
{
	json_t *object = put_object_if(summary, "response", times->mean_ns.count || times->missed);

	if (!object)
		return;
	put_response(object, "mean", &times->mean_ns);
	put_response(object, "p99", &times->p99_ns);
	put_count(object, "missed_repetitions", times->missed);
}

static void put_nearest_limit(json_t *summary, const struct repeated *repeated)
{
	struct text words = {0};

	possible_add_words(&words, &repeated->nearest);
	put_text(summary, "nearest_limit", words.length ? text_string(&words) : NULL);
	text_release(&words);
}

/* Adds the point of a curve that the load is: how it kept its rate, and its times. */
static void put_curve_point(json_t *summary, const struct test_result *test,
			    const struct series *series)
{
	const struct kept kept = kept_over(test, series->phase);
	const bool paced = plan_load_is_paced(&test->plan->pattern);
	const struct series timed = {.phase = series->phase,
				     .operation = paced ? OPERATION_RESPONSE : series->operation};
	struct histogram times;
	json_t *object = put_object(summary, "curve_point");

	put_bool(object, "reached", paced && kept.due && !kept_missed(&kept));
	put_number(object, "overload_needs_s", kept_seconds_needed(&kept));
	test_result_times(test, &timed, &times);
	object = put_object_if(object, "times", times.count);
	if (!object)
		return;
	put_count(object, "count", times.count);
	put_count(object, "sum_ns", times.sum_ns);
	put_count(object, "min_ns", times.min_ns);
	put_count(object, "max_ns", times.max_ns);
	put_count(object, "saturated", times.saturated);
	record_histogram(object, &times);
}

static bool is_curve_point(const struct test_result *test, enum phase_kind kind)
{
	const struct load *load = load_of(test->spec);

	return kind == PHASE_LOAD && load && curve_point_of(load->curve).kind != CURVE_POINT_NONE;
}

static json_t *summary_record(const struct test_result *test,
			      const struct assessed_summary *assessed)
{
	const struct rate_summary *summary = &assessed->summary;
	const struct repeated *repeated = test_result_repeated(test, summary->series.phase);
	const bool any = summary->rate.count > 0;
	json_t *object = json_object();

	put_text(object, "phase", phase_name(summary->kind));
	put_count(object, "phase_index", summary->series.phase);
	put_count(object, "complete_repetitions", summary->rate.count);
	put_rate(object, summary);
	put_repetitions(object, summary);
	put_number_if(object, "operations_per_s", any, summary->operations_rate);
	put_number_if(object, "total_s", any, summary->seconds);
	put_times(object, &summary->times);
	put_parts(object, summary);
	put_responses(object, &summary->response);
	put_nearest_limit(object, repeated);
	if (is_curve_point(test, summary->kind))
		put_curve_point(object, test, &summary->series);
	record_slow_history(object, &repeated->slow);
	record_verdicts(object, assessed->verdicts, assessed->count);
	return object;
}

/*
 * A load removes the files of a layout that did not come to its end. Where files may have been
 * there before, their stamps must say that iorx made them.
 */
static bool leaves_files(const struct test_result *test)
{
	for (size_t i = 0; i < test->phase_count; i++) {
		const struct past_phase *phase = &test->phases[i];

		if (phase->files_foreign)
			return false;
		if (plan_is_layout(test->plan, &test->plan->phases[phase->index]) &&
		    phase->status != PHASE_COMPLETE)
			return false;
	}
	return test->phase_count && plan_load_leaves_files(test->plan) &&
	       (plan_load_owns_files(test->plan) || plan_load_stamps(test->plan));
}

/* Adds "comparable_with_ior" or "comparable_with_mdtest", and its keywords. */
static void put_comparable(json_t *object, const struct test_result *test)
{
	struct text sentences = {0}, keywords = {0};
	const char *key = plan_traits(test->plan)->has_names ? "comparable_with_mdtest"
							     : "comparable_with_ior";
	const bool known = comparable_find(test, &sentences, &keywords);

	put_text(object, key, known ? text_string(&sentences) : NULL);
	put_text(object, "comparable_keywords", known ? text_string(&keywords) : NULL);
	text_release(&sentences);
	text_release(&keywords);
}

json_t *record_removal(uint64_t repetition, double seconds)
{
	json_t *object = json_object();

	put_count(object, "repetition", repetition);
	put_number(object, "removal_s", seconds);
	return object;
}

json_t *record_test_end(const struct test_result *test, const struct assessed_summary *assessed)
{
	json_t *object = json_object(), *summaries;

	put_count(object, "test", test->number);
	put_text(object, "repetitions_end", repetitions_end_name(test->repetitions_end));
	put_bool(object, "precise", test_is_precise(test, test->plan->test->precision));
	if (!plan_traits(test->plan)->program)
		put_bool(object, "files_left", leaves_files(test));
	else
		put_comparable(object, test);
	if (!plan_traits(test->plan)->has_names)
		put_number_if(object, "removal_s", test->removal_seconds > 0 && !test->resumed,
			      test->removal_seconds);
	summaries = put_array(object, "summaries");
	for (unsigned i = 0; i < test->plan->phase_count; i++)
		json_array_append_new(summaries, summary_record(test, &assessed[i]));
	/* Sums of the present session alone would be those of no whole test. */
	const bool sums = !plan_traits(test->plan)->has_names && !test->resumed;

	record_counters(object, "counters", sums ? &test->counters : NULL, test->plan);
	return object;
}
