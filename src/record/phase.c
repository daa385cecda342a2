/* One phase of one repetition: the members that are not plain numbers. */
#include "record/fields.h"
#include "record/json.h"

void record_kind(json_t *owner, const char *key, const struct recorder *recorder)
{
	put_text(owner, key, phase_name(recorder->source.result->kind));
}

void record_status(json_t *owner, const char *key, const struct recorder *recorder)
{
	put_text(owner, key, phase_status_name(recorder->source.result->status));
}

void record_began(json_t *owner, const char *key, const struct recorder *recorder)
{
	put_time(owner, key, recorder->source.result->began);
}

void record_cold_method(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct phase_result *result = recorder->source.result;

	put_text(owner, key, result->cold ? result->cold_method : NULL);
}

void record_beside(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct result_source *source = &recorder->source;
	const char *beside = source->plan->phases[source->result->index].beside;

	put_text(owner, key, *beside ? beside : NULL);
}

/* A bin is named by its largest depth: 1, 2, 4, 8, … */
void record_depths(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct measure *measure = recorder->source.measure;
	json_t *depths = put_array(owner, key);

	for (unsigned i = 0; i < DEPTH_BINS; i++)
		if (measure->depth_bins[i])
			json_array_append_new(depths,
					      json_pack("[I,I]", (json_int_t)1 << i,
							(json_int_t)measure->depth_bins[i]));
}

static void put_percentiles(json_t *record, const struct histogram *histogram)
{
	static const struct {
		const char *name;
		double q;
	} wanted[] = {
		{"p50", 0.5},	  {"p90", 0.9},	      {"p95", 0.95},	    {"p99", 0.99},
		{"p99.9", 0.999}, {"p99.99", 0.9999}, {"p99.999", 0.99999},
	};
	json_t *object = put_object(record, "percentiles");

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		json_t *value = put_object(object, wanted[i].name);
		uint64_t needed = histogram_needed(wanted[i].q);

		if (histogram->count < needed)
			put_count(value, "needs", needed);
		else
			put_count(value, "ns", histogram_percentile(histogram, wanted[i].q));
	}
}

void record_histogram(json_t *record, const struct histogram *histogram)
{
	json_t *buckets = put_array(record, "histogram");

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		json_t *pair;

		if (!histogram->buckets[i])
			continue;
		pair = json_array();
		json_array_append_new(pair, json_count(histogram_edge(i)));
		json_array_append_new(pair, json_count(histogram->buckets[i]));
		json_array_append_new(buckets, pair);
	}
}

static void put_worst(json_t *record, const struct worst *worst, enum operation operation,
		      const struct recorder *recorder)
{
	const struct phase_result *phase = recorder->source.result;
	const uint64_t begin = recorder->source.measure->begin.first;
	json_t *object = put_object(record, "worst");

	put_count(object, "ns", worst->ns);
	put_count(object, "task", worst->task);
	record_node(object, worst->node);
	if (worst->offset != UINT64_MAX)
		put_count(object, phase_has_items(phase->kind, operation) ? "item" : "offset_bytes",
			  worst->offset);
	put_number(object, "at_s", (double)(int64_t)(worst->at_ns - begin) / 1e9);
}

static void put_operation(json_t *operations, const struct operation_record *record,
			  const struct recorder *recorder)
{
	const struct histogram *histogram = &record->histogram;
	json_t *object;

	if (!histogram->count)
		return;
	object = put_object(operations, operation_name(record->operation));
	put_count(object, "count", histogram->count);
	if (record->bytes)
		put_count(object, "bytes", record->bytes);
	if (record->rated_more || record->rated_more_bytes) {
		put_count(object, "rated", operation_rated(record));
		put_count(object, "rated_bytes", operation_rated_bytes(record));
	}
	put_count(object, "sum_ns", histogram->sum_ns);
	put_number(object, "mean_ns", (double)histogram->sum_ns / (double)histogram->count);
	put_count(object, "min_ns", histogram->min_ns);
	put_count(object, "max_ns", histogram->max_ns);
	put_count(object, "saturated", histogram->saturated);
	put_percentiles(object, histogram);
	put_worst(object, &record->worst, record->operation, recorder);
	record_histogram(object, histogram);
}

void record_operations(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct measure *measure = recorder->source.measure;
	json_t *operations = put_object(owner, key);

	for (unsigned i = 0; i < measure->record_count; i++)
		put_operation(operations, &measure->records[i], recorder);
}

void record_verdicts(json_t *phase, const struct verdict *verdicts, size_t count)
{
	json_t *list = put_array(phase, "verdicts");

	for (size_t i = 0; i < count; i++) {
		const struct verdict *verdict = &verdicts[i];
		json_t *object = json_object(), *evidence;

		put_text(object, "id", verdict->id);
		put_text(object, "severity", severity_name(verdict->severity));
		put_text(object, "meaning", verdict->meaning);
		put_text(object, "remedy", verdict->remedy);
		evidence = put_object(object, "evidence");
		for (unsigned k = 0; k < verdict->evidence_count; k++)
			put_number(evidence, verdict->evidence[k].name, verdict->evidence[k].value);
		json_array_append_new(list, object);
	}
}

/* Tasks far from the mean. */
void record_outliers(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct outliers *outliers = recorder->source.result->outliers;
	json_t *object = put_object(owner, key), *means, *tasks;

	put_number(object, "threshold_s", outliers->threshold);
	put_count(object, "tasks", outliers->count);
	means = put_object(object, "means_s");
	for (enum task_step step = 0; step < STEPS; step++)
		put_number(means, task_step_name(step), outliers->mean[step]);
	tasks = put_array(object, "named");
	for (unsigned i = 0; i < outliers->kept_count; i++) {
		const struct outlier *outlier = &outliers->kept[i];
		json_t *task = json_object();

		put_count(task, "task", outlier->task);
		record_node(task, outlier->node);
		put_text(task, "step", task_step_name(outlier->step));
		put_number(task, "time_s", outlier->seconds);
		json_array_append_new(tasks, task);
	}
}

void record_phase_counters(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct result_source *source = &recorder->source;
	bool any = phase_began(source->result);

	record_counters(owner, key, any ? &source->measure->counters : NULL, source->plan);
}

void record_prefill(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct result_source *source = &recorder->source;
	bool any = phase_began(source->result) && source->measure->prefill.opens;

	record_counters(owner, key, any ? &source->measure->prefill : NULL, source->plan);
}

void record_settings(json_t *owner, const char *key, const struct recorder *recorder)
{
	put_lines(owner, key, recorder->source.result->settings);
}

void record_stop(json_t *owner, const char *key, const struct recorder *recorder)
{
	const char *text = recorder->source.result->stop_text;

	put_text(owner, key, *text ? text : NULL);
}

/* The limits of the phase; null where none is known. */
void record_possible(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct possible *possible = &recorder->source.result->possible;
	enum limit least;
	json_t *object = put_object_if(owner, key, possible_least(possible, &least)), *limits;

	if (!object)
		return;
	put_number(object, "bytes_per_s", possible->rate);
	put_text(object, "least", limit_name(least));
	put_number(object, "share", possible_share(possible, least));
	limits = put_array(object, "limits");
	for (enum limit limit = 0; limit < LIMITS; limit++) {
		json_t *one;

		if (possible_bound(possible, limit) <= 0)
			continue;
		one = json_object();
		put_text(one, "limit", limit_name(limit));
		put_number(one, "each_bytes_per_s", possible->bounds[limit].each);
		put_count(one, "count", possible->bounds[limit].count);
		put_text(one, "method", possible_method(possible, limit));
		json_array_append_new(limits, one);
	}
}

/* The worst of the verdicts; null where there are none. */
void record_severity(json_t *owner, const char *key, const struct recorder *recorder)
{
	enum severity worst = SEVERITY_GOOD;

	for (size_t i = 0; i < recorder->verdict_count; i++)
		if (recorder->verdicts[i].severity > worst)
			worst = recorder->verdicts[i].severity;
	put_text(owner, key, recorder->verdict_count ? severity_name(worst) : NULL);
}

void record_phase_verdicts(json_t *owner, const char *key, const struct recorder *recorder)
{
	record_verdicts(owner, recorder->verdicts, recorder->verdict_count);
}

json_t *record_phase(const struct test_result *test, const struct phase_result *phase,
		     const struct verdict *verdicts, size_t count)
{
	const struct recorder recorder = {
		.source = result_source_of(phase, test->plan),
		.verdicts = verdicts,
		.verdict_count = count,
	};
	json_t *object = json_object();

	record_fields(object, result_fields, &recorder);
	return object;
}
