/* One phase of one repetition: every number of its result and of its measure. */
#include "report/record.h"

#include "report/json.h"

/* Numbers of a phase that measured nothing would all be 0: they are left out instead. */

static void put_intervals(json_t *phase, const struct intervals *seconds)
{
	json_t *object = put_object(phase, "intervals");

	put_number(object, "open_s", seconds->open);
	put_number(object, "transfer_s", seconds->transfer);
	put_number(object, "sync_s", seconds->sync);
	put_number(object, "close_s", seconds->close);
	put_number(object, "durable_s", seconds->durable);
	put_number(object, "total_s", seconds->total);
}

static void put_rates(json_t *phase, const struct phase_result *result)
{
	json_t *object = put_object(phase, "rates");

	if (!phase_moves_data(result->kind)) {
		put_number(object, "total_operations_per_s", result->total_rate);
		put_number(object, "sum_of_tasks_operations_per_s", result->sum_rate);
		return;
	}
	put_number(object, "total_bytes_per_s", result->total_rate);
	put_number(object, "transfer_bytes_per_s", result->transfer_rate);
	put_number_if(object, "durable_bytes_per_s", result->durable_rate > 0, result->durable_rate);
	put_number(object, "sum_of_tasks_bytes_per_s", result->sum_rate);
	put_number(object, "operations_per_s", result->operations_rate);
}

static void put_node(json_t *object, uint32_t node, const struct hosts *hosts)
{
	const char *host = hosts_name(hosts, node);

	put_count(object, "node", node);
	if (host)
		put_text(object, "host", host);
}

static void put_balance(json_t *phase, const struct phase_result *result, const struct hosts *hosts)
{
	const struct measure *measure = result->measure;
	json_t *object = put_object(phase, "balance"), *slowest;

	put_number(object, "straggler_loss", result->straggler_loss);
	put_number(object, "straggler_loss_without_skew", result->loss_without_skew);
	put_number(object, "imbalance", result->imbalance);
	put_number(object, "tail_share", result->tail_share);
	put_number(object, "start_skew_s", result->start_skew);
	put_bool(object, "start_scheduled", measure->scheduled_starts > 0);
	put_count(object, "late_starts", measure->late_starts);
	put_number(object, "mean_task_s",
		   result->working_tasks ? measure->time_sum / (double)result->working_tasks : 0);
	slowest = put_object(object, "slowest");
	put_count(slowest, "task", measure->slowest_task);
	put_node(slowest, measure->slowest_node, hosts);
	put_number(slowest, "time_s", measure->time_most);
}

static void put_data(json_t *phase, const struct phase_result *result)
{
	const struct measure *measure = result->measure;
	json_t *object = put_object(phase, "data");

	put_count(object, "bytes", measure->bytes);
	put_count(object, "expected_bytes", measure->bytes_expected);
	put_count(object, "least_task_bytes", measure->tasks ? measure->least_bytes : 0);
	put_count(object, "most_task_bytes", measure->most_bytes);
	put_count(object, "transfers", result->operations);
	put_count(object, "least_task_transfers", measure->tasks ? measure->least_transfers : 0);
	put_count(object, "most_task_transfers", measure->most_transfers);
	put_count(object, "short_transfers", measure->short_transfers);
	put_count(object, "content_ns", measure->content_ns);
	put_number(object, "content_share", result->content_share);
	put_number(object, "content_share_most", measure->content_share_most);
}

void record_stonewall(json_t *owner, const struct phase_result *result)
{
	const bool metadata = !phase_moves_data(result->kind);
	const struct stonewall *wall = &result->stonewall;
	const struct measure *measure = result->measure;
	json_t *object = put_object_if(owner, "stonewall", wall->seconds > 0);

	if (!object)
		return;
	put_number(object, "limit_s", wall->limit);
	put_count(object, "tasks", measure->walled_tasks);
	put_count(object, metadata ? "operations" : "bytes", measure->wall_bytes);
	put_number(object, "time_s", wall->seconds);
	put_number(object, metadata ? "operations_per_s" : "bytes_per_s", wall->rate);
	put_count(object, metadata ? "least_task_operations" : "least_transfers", measure->wall_least);
	put_count(object, metadata ? "most_task_operations" : "most_transfers", measure->wall_most);
	if (!metadata)
		put_bool(object, "wear_out", wall->wears_out);
	put_count(object, "tasks_short_of_wear_out", measure->unworn_tasks);
}

static void put_little(json_t *phase, const struct phase_result *result)
{
	const struct little *little = &result->little;
	json_t *object = put_object_if(phase, "little", little->in_flight > 0);

	if (!object)
		return;
	put_number(object, "in_flight", little->in_flight);
	put_number(object, "busy_share", little->busy_share);
	put_number_if(object, "accounted_share", little->accounted > 0, little->accounted);
}

/* null where no task has enough operations for a p99. */
static void put_task_p99(json_t *phase, const struct p99_spread *spread, const struct hosts *hosts)
{
	json_t *object = put_object_if(phase, "task_p99", spread->tasks > 0), *slowest;

	if (!object)
		return;
	put_count(object, "tasks", spread->tasks);
	put_count(object, "min_ns", spread->min_ns);
	put_count(object, "median_ns", spread->median_ns);
	put_count(object, "max_ns", spread->max_ns);
	slowest = put_object(object, "slowest");
	put_count(slowest, "task", spread->task);
	put_node(slowest, spread->node, hosts);
}

/* What the queue held; a bin is named by its largest depth: 1, 2, 4, 8, … */
void record_queue(json_t *owner, const struct phase_result *result)
{
	const struct measure *measure = result->measure;
	json_t *object = put_object_if(owner, "queue", measure->submits > 0), *depths;

	if (!object)
		return;
	put_number(object, "mean_depth", result->depth);
	put_number(object, "mean_depth_by_time", result->depth_by_time);
	put_count(object, "submits", measure->submits);
	put_count(object, "reaps", measure->reaps);
	depths = put_array(object, "depths");
	for (unsigned i = 0; i < DEPTH_BINS; i++)
		if (measure->depth_bins[i])
			json_array_append_new(depths, json_pack("[I,I]", (json_int_t)1 << i,
								(json_int_t)measure->depth_bins[i]));
}

static void put_files(json_t *phase, const struct measure *measure)
{
	json_t *object = put_object(phase, "files");

	put_count(object, "sized", measure->sized_files);
	put_count_if(object, "allocated_bytes", measure->sized_files, measure->allocated_bytes);
	put_count(object, "hole_bytes", measure->hole_bytes);
	put_count(object, "read_back_transfers", measure->read_back);
	put_count(object, "lost_transfers", measure->lost);
	put_count(object, "fresh", measure->files_fresh);
	put_count(object, "recreated", measure->files_recreated);
	put_count(object, "used_empty", measure->files_used_empty);
	put_count(object, "overwritten", measure->files_overwritten);
}

static void put_extent(json_t *stamps, const char *key, const struct extent *extent, uint64_t begin)
{
	json_t *object;

	if (extent->first == UINT64_MAX)
		return;
	object = put_object(stamps, key);
	put_integer(object, "first_ns", (int64_t)(extent->first - begin));
	put_integer(object, "last_ns", (int64_t)(extent->last - begin));
}

static void put_stamps(json_t *phase, const struct measure *measure)
{
	json_t *object = put_object(phase, "stamps");
	uint64_t begin = measure->begin.first;

	put_extent(object, "begin", &measure->begin, begin);
	put_extent(object, "open_end", &measure->open_end, begin);
	put_extent(object, "issue", &measure->issue, begin);
	put_extent(object, "completion", &measure->completion, begin);
	put_extent(object, "sync_end", &measure->sync_end, begin);
	put_extent(object, "close_end", &measure->close_end, begin);
}

static void put_percentiles(json_t *record, const struct histogram *histogram)
{
	static const struct {
		const char *name;
		double q;
	} wanted[] = {
		{"p50", 0.5},	   {"p90", 0.9},       {"p95", 0.95},	     {"p99", 0.99},
		{"p99.9", 0.999},  {"p99.99", 0.9999}, {"p99.999", 0.99999},
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

static void put_histogram(json_t *record, const struct histogram *histogram)
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
		      uint64_t begin, const struct hosts *hosts)
{
	json_t *object = put_object(record, "worst");

	put_count(object, "ns", worst->ns);
	put_count(object, "task", worst->task);
	put_node(object, worst->node, hosts);
	if (worst->offset != UINT64_MAX)
		put_count(object, operation_is_on_metadata(operation) ? "item" : "offset_bytes",
			  worst->offset);
	put_number(object, "at_s", (double)(int64_t)(worst->at_ns - begin) / 1e9);
}

static void put_operation(json_t *operations, const struct operation_record *record, uint64_t begin,
			  const struct hosts *hosts)
{
	const struct histogram *histogram = &record->histogram;
	json_t *object;

	if (!histogram->count)
		return;
	object = put_object(operations, operation_name(record->operation));
	put_count(object, "count", histogram->count);
	put_count(object, "sum_ns", histogram->sum_ns);
	put_number(object, "mean_ns", (double)histogram->sum_ns / (double)histogram->count);
	put_count(object, "min_ns", histogram->min_ns);
	put_count(object, "max_ns", histogram->max_ns);
	put_count(object, "saturated", histogram->saturated);
	put_percentiles(object, histogram);
	put_worst(object, &record->worst, record->operation, begin, hosts);
	put_histogram(object, histogram);
}

static void put_io(json_t *kernel, const struct kernel_io *io)
{
	json_t *object = put_object_if(kernel, "io", io->tasks > 0);

	if (!object)
		return;
	put_count(object, "tasks", io->tasks);
	put_count(object, "rchar_bytes", io->rchar);
	put_count(object, "wchar_bytes", io->wchar);
	put_count(object, "syscr", io->syscr);
	put_count(object, "syscw", io->syscw);
	put_count(object, "read_bytes", io->read_bytes);
	put_count(object, "write_bytes", io->write_bytes);
	put_count(object, "cancelled_write_bytes", io->cancelled_write_bytes);
}

static void put_cache(json_t *kernel, const char *key, const struct cache_state *state)
{
	json_t *object = put_object_if(kernel, key, state->files > 0);

	if (!object)
		return;
	put_count(object, "files", state->files);
	put_count(object, "file_bytes", state->bytes);
	put_count(object, "resident_bytes", state->resident);
	put_count(object, "dirty_bytes", state->dirty);
	put_count(object, "writeback_bytes", state->writeback);
}

static void put_kernel(json_t *phase, const struct phase_result *result)
{
	const struct measure *measure = result->measure;
	json_t *object = put_object(phase, "kernel");

	put_count(object, "user_ns", measure->user_ns);
	put_count(object, "system_ns", measure->system_ns);
	put_count(object, "voluntary_context_switches", measure->voluntary_switches);
	put_count(object, "involuntary_context_switches", measure->involuntary_switches);
	put_io(object, &measure->io);
	json_object_set_new(object, "reads_are_counted",
			    result->reads_counted == READS_UNKNOWN
				    ? json_null()
				    : json_boolean(result->reads_counted == READS_COUNTED));
	put_cache(object, "cache_before", &measure->before);
	put_cache(object, "cache_after", &measure->after);
}

static void put_clock(json_t *phase, const struct measure *measure)
{
	json_t *object = put_object(phase, "clock");

	put_count(object, "residual_ns", measure->clock_residual_ns);
	put_count(object, "drift_ns", measure->clock_drift_ns);
	put_number(object, "disagreement", measure->clock_disagreement);
	put_number(object, "cost_ns", measure->clock_cost_ns);
}

/* What only phases that move data have. */
static void put_moved(json_t *phase, const struct phase_result *result, const struct plan *plan)
{
	record_queue(phase, result);
	put_data(phase, result);
	record_stonewall(phase, result);
	put_files(phase, result->measure);
	record_verification(phase, result, plan);
}

static void put_measured(json_t *phase, const struct phase_result *result,
			 const struct plan *plan, const struct hosts *hosts)
{
	const struct measure *measure = result->measure;
	json_t *operations;

	put_intervals(phase, &result->seconds);
	put_rates(phase, result);
	put_balance(phase, result, hosts);
	record_slow(phase, result->slow, hosts);
	put_little(phase, result);
	put_task_p99(phase, &result->task_p99, hosts);
	if (!phase_moves_data(result->kind))
		record_names(phase, plan, result);
	else
		put_moved(phase, result, plan);
	put_stamps(phase, measure);
	operations = put_object(phase, "operations");
	for (unsigned i = 0; i < measure->record_count; i++)
		put_operation(operations, &measure->records[i], measure->begin.first, hosts);
	put_kernel(phase, result);
	put_clock(phase, measure);
}

static void put_tasks(json_t *phase, const struct phase_result *result)
{
	json_t *object = put_object(phase, "tasks");

	put_count(object, "measured", result->measure ? result->measure->tasks : 0);
	put_count(object, "idle", result->measure ? result->measure->idle_tasks : 0);
	put_count(object, "failed", result->failed_tasks);
	put_count(object, "stopped", result->measure ? result->measure->stopped_tasks : 0);
	if (result->kind != PHASE_WRITE)
		put_count(object, "same_node", result->same_node);
}

static void put_failure(json_t *phase, const struct phase_result *result)
{
	const struct failure *failure = &result->failure;
	json_t *object = put_object_if(phase, "failure", failure->error.kind != ERROR_NONE);

	if (!object)
		return;
	put_text(object, "text", failure->error.text);
	put_count_if(object, "errno", failure->error.code, (uint64_t)failure->error.code);
	put_text(object, "operation", failure->operation);
	put_count(object, "task", failure->task);
	put_count(object, "rank", failure->rank);
	put_text(object, "host", failure->host);
	put_text(object, "path", failure->path);
	if (failure->offset != UINT64_MAX) {
		put_count(object, "offset_bytes", failure->offset);
		put_count(object, "length_bytes", failure->length);
	}
	if (phase_began(result) && failure->at_ns)
		put_number(object, "at_s",
			   (double)(int64_t)(failure->at_ns - result->measure->begin.first) / 1e9);
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
			put_number(evidence, verdict->evidence[k].name,
				   verdict->evidence[k].value);
		json_array_append_new(list, object);
	}
}

/* Tasks far from the mean; NULL where nobody asked. */
static void put_outliers(json_t *phase, const struct outliers *outliers, const struct hosts *hosts)
{
	json_t *object, *means, *tasks;

	if (!outliers)
		return;
	object = put_object(phase, "outliers");
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
		put_count(task, "node", outlier->node);
		put_text(task, "host", hosts_name(hosts, outlier->node));
		put_text(task, "step", task_step_name(outlier->step));
		put_number(task, "time_s", outlier->seconds);
		json_array_append_new(tasks, task);
	}
}

json_t *record_phase(const struct test_result *test, const struct phase_result *phase,
		     const struct verdict *verdicts, size_t count, const struct hosts *hosts)
{
	json_t *object = json_object();

	put_count(object, "test", phase->test);
	put_text(object, "phase", phase_name(phase->kind));
	put_count(object, "repetition", phase->repetition);
	put_bool(object, "warmup", phase->warmup);
	put_text(object, "status", phase_status_name(phase->status));
	put_time(object, "began", phase->began);
	put_tasks(object, phase);
	put_count(object, "queue_depth", phase->queue_depth);
	put_bool(object, "cold", phase->cold);
	put_text(object, "cold_method", phase->cold ? phase->cold_method : NULL);
	if (phase_began(phase))
		put_measured(object, phase, test->plan, hosts);
	record_timeline(object, phase, test->plan, hosts);
	record_counters(object, "counters", phase_began(phase) ? &phase->measure->counters : NULL,
			test->plan);
	record_counters(object, "prefill_counters",
			phase_began(phase) && phase->measure->prefill.opens ? &phase->measure->prefill : NULL,
			test->plan);
	if (phase->settings)
		put_lines(object, "settings", phase->settings);
	put_outliers(object, phase_began(phase) ? phase->outliers : NULL, hosts);
	put_failure(object, phase);
	put_text(object, "stop", *phase->stop_text ? phase->stop_text : NULL);
	record_verdicts(object, verdicts, count);
	return object;
}
