/* The end of one test: its rates over the repetitions. */
#include <stdio.h>

#include "report/comparable.h"
#include "report/json.h"
#include "report/record.h"

/*
 * Adds a rate under a key with its unit: "median_bytes_per_s", or "median_operations_per_s" for
 * metadata.
 */
static void put_rate_if(json_t *object, const char *what, enum phase_kind kind, bool known,
			double value)
{
	char key[64];

	snprintf(key, sizeof(key), "%s_%s_per_s", what,
		 !phase_moves_data(kind) ? "operations" : "bytes");
	put_number_if(object, key, known, value);
}

static void put_times(json_t *object, const struct service_times *times)
{
	put_count_if(object, "p50_ns", times->p50_ns, times->p50_ns);
	put_count_if(object, "p99_ns", times->p99_ns, times->p99_ns);
	put_count_if(object, "p999_ns", times->p999_ns, times->p999_ns);
	put_count_if(object, "max_ns", times->max_ns, times->max_ns);
}

static void put_interval(json_t *rate, const struct spread *spread, enum phase_kind kind)
{
	const struct median_interval *interval = &spread->interval;
	json_t *object = put_object_if(rate, "median_interval", interval->possible);

	if (!object)
		return;
	put_number(object, "confidence", 0.95);
	put_number(object, "coverage", interval->coverage);
	put_text(object, "independence", dependence_name(&spread->dependence));
	put_number(object, "effective_repetitions", spread->dependence.effective);
	put_rate_if(object, "lower", kind, true, interval->lower);
	put_rate_if(object, "upper", kind, true, interval->upper);
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
	put_rate_if(object, "low", rates->kind, rates->modes.found, rates->modes.low);
	put_rate_if(object, "high", rates->kind, rates->modes.found, rates->modes.high);
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
		json_t *object = json_object(), *rate;
		bool any = part->rate.count > 0;

		json_array_append_new(parts, object);
		put_text(object, "part", part->series.part);
		put_text(object, "operation", operation_name(part->series.operation));
		put_count(object, "operations", part->operations);
		rate = put_object(object, "total_rate");
		put_rate_if(rate, "median", rates->kind, any, part->rate.median);
		put_interval(rate, &part->rate, rates->kind);
		put_times(object, &part->times);
	}
}

static json_t *summary_record(const struct test_result *test,
			      const struct assessed_summary *assessed, const struct hosts *hosts)
{
	const struct rate_summary *summary = &assessed->summary;
	json_t *object = json_object(), *rate;
	bool any = summary->rate.count > 0;

	put_text(object, "phase", phase_name(summary->kind));
	put_count(object, "phase_index", summary->series.phase);
	put_count(object, "complete_repetitions", summary->rate.count);
	rate = put_object(object, "total_rate");
	put_rate_if(rate, "median", summary->kind, any, summary->rate.median);
	put_interval(rate, &summary->rate, summary->kind);
	put_rate_if(rate, "mean", summary->kind, any, summary->rate.mean);
	put_rate_if(rate, "standard_deviation", summary->kind, summary->rate.count > 1,
		    summary->rate.deviation);
	put_rate_if(rate, "min", summary->kind, any, summary->rate.least);
	put_rate_if(rate, "max", summary->kind, any, summary->rate.most);
	put_rate_if(rate, "pooled", summary->kind, any, summary->pooled);
	put_repetitions(object, summary);
	put_number_if(object, "operations_per_s", any, summary->operations_rate);
	put_number_if(object, "total_s", any, summary->seconds);
	put_times(object, &summary->times);
	put_parts(object, summary);
	record_slow_history(object, &test->slow[summary->series.phase], hosts);
	record_verdicts(object, assessed->verdicts, assessed->count);
	return object;
}

/* Adds "comparable_with_ior" or "comparable_with_mdtest". */
static void put_comparable(json_t *object, const struct test_result *test)
{
	struct text sentences = {0}, keywords = {0};
	const char *key = test->plan->metadata ? "comparable_with_mdtest" : "comparable_with_ior";
	const bool known = comparable_find(test, &sentences, &keywords);

	put_text(object, key, known ? text_string(&sentences) : NULL);
	text_release(&sentences);
	text_release(&keywords);
}

json_t *record_test_end(const struct test_result *test, const struct assessed_summary *assessed,
			const struct hosts *hosts)
{
	json_t *object = json_object(), *summaries;

	put_count(object, "test", test->number);
	put_text(object, "repetitions_end", repetitions_end_name(test->repetitions_end));
	if (!test->plan->load)
		put_comparable(object, test);
	if (!test->plan->metadata)
		put_number_if(object, "removal_s", test->removal_seconds > 0,
			      test->removal_seconds);
	summaries = put_array(object, "summaries");
	for (unsigned i = 0; i < test->plan->phase_count; i++)
		json_array_append_new(summaries, summary_record(test, &assessed[i], hosts));
	record_counters(object, "counters", test->plan->metadata ? NULL : &test->counters,
			test->plan);
	return object;
}
