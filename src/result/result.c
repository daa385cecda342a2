/* The result of one phase. Each number is defined in one function. */
#include "result/result.h"

#include <math.h>
#include <string.h>

static const char *const phase_statuses[] = {"complete", "failed", "stopped", "skipped"};
static const char *const job_statuses[] = {"complete", "failed", "interrupted"};

const char *phase_status_name(enum phase_status status)
{
	return phase_statuses[status];
}

const char *job_status_name(enum job_status status)
{
	return job_statuses[status];
}

/* Seconds from the first stamp of one kind to the last of another. */
static double span(const struct extent *from, const struct extent *to)
{
	if (from->first == UINT64_MAX || to->first == UINT64_MAX || to->last <= from->first)
		return 0;
	return (double)(to->last - from->first) / 1e9;
}

static double rate(double amount, double seconds)
{
	return seconds > 0 ? amount / seconds : 0;
}

bool phase_began(const struct phase_result *result)
{
	return result->measure && result->measure->begin.first != UINT64_MAX;
}

bool phase_has_numbers(const struct phase_result *result)
{
	if (result->status == PHASE_SKIPPED || !phase_began(result))
		return false;
	return result->status != PHASE_FAILED ||
	       (result->failed_operations && !result->failed_tasks);
}

static bool all_synced_at_end(const struct measure *measure)
{
	return measure->tasks && measure->syncs_at_end == measure->tasks;
}

bool phase_synced(const struct phase_result *result)
{
	return result->kind == PHASE_WRITE && phase_began(result) &&
	       (result->syncs_each_write || all_synced_at_end(result->measure));
}

double phase_resident_before(const struct phase_result *result)
{
	const struct cache_state *before = result->measure ? &result->measure->before : NULL;

	if (!before || !before->files || !before->bytes)
		return -1;
	/* the cache counts whole pages, so it may exceed the files' bytes */
	return before->resident >= before->bytes ? 1
						 : (double)before->resident / (double)before->bytes;
}

static void fill_intervals(struct phase_result *result, const struct measure *measure)
{
	bool syncs = all_synced_at_end(measure);

	/* Without a sync its interval is 0 and closing follows the last transfer. */
	result->seconds = (struct intervals){
		.open = span(&measure->begin, &measure->open_end),
		.transfer = span(&measure->issue, &measure->completion),
		.sync = syncs ? span(&measure->completion, &measure->sync_end) : 0,
		.close = span(syncs ? &measure->sync_end : &measure->completion,
			      &measure->close_end),
		.durable = phase_synced(result) ? span(&measure->issue, &measure->sync_end) : 0,
		.total = span(&measure->begin, &measure->close_end),
		.window = (double)measure->load_window_ns / 1e9,
	};
}

double phase_headline_seconds(const struct phase_result *result)
{
	return result->kind == PHASE_LOAD ? result->seconds.window : result->seconds.total;
}

double phase_part_rate(const struct phase_result *result, enum operation operation)
{
	return rate((double)result->rated[operation], phase_headline_seconds(result));
}

/*
 * Seconds in which tasks worked. For metadata phases this leaves out a final sync (-Y), which no
 * task could speed up. A load also works on operations that end behind its window.
 */
static double work_seconds(const struct phase_result *result, const struct measure *measure)
{
	if (phase_is_metadata(result->kind))
		return span(&measure->begin, &measure->done);
	return result->kind == PHASE_LOAD ? result->seconds.transfer : result->seconds.total;
}

/* Share of the summed task rates that is lost if moving everything takes `seconds`. */
static double loss(const struct phase_result *result, const struct measure *measure, double seconds)
{
	if (!(result->sum_rate > 0) || !(seconds > 0))
		return 0;
	return 1 - measure_amount(measure, result->kind) / seconds / result->sum_rate;
}

static double tail_share(const struct phase_result *result, const struct measure *measure)
{
	double seconds = work_seconds(result, measure);

	if (seconds <= 0 || measure->done.first == UINT64_MAX)
		return 0;
	return (double)(measure->done.last - measure->done.first) / 1e9 / seconds;
}

static uint64_t working_tasks(const struct measure *measure)
{
	return measure->tasks - measure->idle_tasks;
}

/* Lateness and the times that a trace recorded belong to no operation of their own: no rate. */
static void fill_rated(struct phase_result *result, const struct measure *measure)
{
	for (unsigned i = 0; i < measure->record_count; i++)
		if (!operation_is_time_alone(measure->records[i].operation))
			result->rated[measure->records[i].operation] =
				operation_rated(&measure->records[i]);
}

/* The amount that the headline rate counts. */
static double rated_amount(const struct phase_result *result, const struct measure *measure)
{
	const struct operation_record *record = phase_transfers(result);

	return measure_amount(measure, result->kind) + (record ? (double)record->rated_more : 0);
}

static void fill_service_times(struct phase_result *result, const struct measure *measure)
{
	const struct operation_record *record = phase_transfers(result);

	if (!record || !record->histogram.count)
		return;
	result->operations = record->histogram.count;
	result->operations_rate =
		rate((double)operation_rated(record), phase_headline_seconds(result));
	result->p50_ns = histogram_known_percentile(&record->histogram, 0.5);
	result->p99_ns = histogram_known_percentile(&record->histogram, 0.99);
	result->p999_ns = histogram_known_percentile(&record->histogram, 0.999);
	result->max_ns = record->histogram.max_ns;
	result->content_share = rate((double)measure->content_ns / 1e9,
				     (double)working_tasks(measure) * result->seconds.transfer);
}

static void fill_response(struct phase_result *result, const struct measure *measure)
{
	const struct operation_record *record = measure_record(measure, OPERATION_RESPONSE);

	if (!record)
		return;
	result->response_mean_ns =
		rate((double)record->histogram.sum_ns, (double)record->histogram.count);
	result->response_p99_ns = histogram_known_percentile(&record->histogram, 0.99);
}

/* Depth that was really in flight, per task. A queue that runs empty shows here. */
static void fill_depth(struct phase_result *result, const struct measure *measure)
{
	const struct operation_record *record = phase_transfers(result);
	uint64_t submitted = 0;

	for (unsigned i = 0; i < DEPTH_BINS; i++)
		submitted += measure->depth_bins[i];
	if (!submitted || !record)
		return;
	result->depth = (double)measure->depth_sum / (double)submitted;
	result->depth_by_time = rate((double)record->histogram.sum_ns / 1e9,
				     result->seconds.transfer * (double)working_tasks(measure));
}

static void fill_concurrency(struct phase_result *result, const struct measure *measure)
{
	const struct operation_record *record = phase_transfers(result);
	double slots = (double)working_tasks(measure) * (double)result->queue_depth;

	if (!record || !record->histogram.count || result->seconds.transfer <= 0 || slots <= 0)
		return;
	double busy = (double)record->histogram.sum_ns;

	if (phase_counts_entries(result->kind)) /* a find's stats are operations beside its lists */
		busy += (double)measure_record(measure, OPERATION_STAT)->histogram.sum_ns;
	result->concurrency.in_flight = busy / 1e9 / result->seconds.transfer;
	result->concurrency.busy_share = result->concurrency.in_flight / slots;
	if (result->only_transfers && !measure->failed_tasks && !measure->stopped_tasks &&
	    measure->transfer_ns)
		result->concurrency.accounted =
			(busy + (double)(measure->content_ns - measure->content_inside_ns)) /
			(double)measure->transfer_ns;
}

static void fill_verification(struct phase_result *result, const struct measure *measure)
{
	const struct verification *verification = measure_verification(measure);

	if (!verification)
		return;
	result->wrong_transfers = verification->wrong_transfers;
	result->wrong_bytes = verification->wrong_bytes;
}

static void fill_stonewall(struct stonewall *wall, const struct measure *measure)
{
	if (!measure->walled_tasks)
		return;
	wall->seconds = span(&measure->issue, &measure->wall);
	wall->rate = rate((double)measure->wall_bytes, wall->seconds);
}

static void fill_task_p99(struct p99_spread *spread, const struct task_p99 *task_p99)
{
	const struct histogram *histogram = &task_p99->histogram;

	if (!histogram->count)
		return;
	*spread = (struct p99_spread){
		.tasks = histogram->count,
		.min_ns = histogram->min_ns,
		.median_ns = histogram_percentile(histogram, 0.5),
		.max_ns = histogram->max_ns,
		.task = task_p99->task,
		.node = task_p99->node,
	};
}

/*
 * The last transfer may have ended long before the last close. Whole columns are dropped, so that a
 * column remains the same four slices.
 */
static void fill_slices(struct phase_result *result, struct measure *measure)
{
	struct timeline *timeline = measure_timeline(measure);
	struct heatmap *heatmap = measure_heatmap(measure);

	if (!phase_began(result))
		return;
	uint64_t length_ns = measure->close_end.last - measure->begin.first;
	/* The timeline begins when tasks were released; the first task may have run later. */
	uint64_t idle_ns = measure->begin.first > measure->slices_ns
				   ? measure->begin.first - measure->slices_ns
				   : 0;

	uint32_t columns = (uint32_t)(idle_ns >> (timeline->width + HEATMAP_JOINED));

	timeline_skip(timeline, columns << HEATMAP_JOINED);
	heatmap_skip(heatmap, columns);
	result->slices_lead_ns =
		idle_ns - ((uint64_t)columns << (timeline->width + HEATMAP_JOINED));
	result->slices =
		timeline_fit(timeline, result->slices_lead_ns + length_ns, TIMELINE_SLICES);
	result->heatmap_columns = heatmap_fit(heatmap, result->slices_lead_ns + length_ns);
}

/*
 * Bytes that a phase read, 0 if it is no read. The kernel's counters also have what a load read
 * outside its measured window.
 */
static uint64_t read_bytes(const struct phase_result *result, const struct measure *measure)
{
	if (result->kind == PHASE_LOAD)
		return measure->counters.reads.bytes;
	return result->kind == PHASE_READ ? measure->bytes : 0;
}

bool phase_reads(const struct phase_result *result)
{
	return result->measure && read_bytes(result, result->measure) > 0;
}

/* Read-ahead may fetch more than was requested, hence the fmax. */
static double hit_share(const struct phase_result *result, const struct measure *measure)
{
	const uint64_t bytes = read_bytes(result, measure);

	if (!bytes || measure->io.tasks != measure->tasks)
		return -1;
	return fmax(0, 1 - (double)measure->io.read_bytes / (double)bytes);
}

/*
 * The rate that a limit is compared with. A load reads and writes at the same time, and a network
 * moves as much in both directions.
 */
static double one_way_rate(const struct phase_result *result, const struct measure *measure)
{
	double most = 0;

	if (phase_moves_data(result->kind))
		return result->total_rate;
	if (result->kind != PHASE_LOAD)
		return 0;
	for (unsigned i = 0; i < measure->record_count; i++) {
		const struct operation_record *record = &measure->records[i];

		if (record->operation == OPERATION_READ || record->operation == OPERATION_WRITE)
			most = fmax(most, rate((double)operation_rated_bytes(record),
					       phase_headline_seconds(result)));
	}
	return most;
}

void phase_result_fill(struct phase_result *result, struct measure *measure)
{
	double bytes = (double)measure->bytes;
	double mean_time = rate(measure->time_sum, (double)working_tasks(measure));

	result->measure = measure;
	result->failed_operations = measure->failed_operations;
	result->untried_operations = measure->untried_operations;
	result->due = measure->load_due;
	result->issued = measure->load_issued;
	fill_intervals(result, measure);
	result->transfer_rate = rate(bytes, result->seconds.transfer);
	result->durable_rate = rate(bytes, result->seconds.durable);
	result->files_used_empty = measure->files_used_empty;
	result->total_rate = rate(rated_amount(result, measure), phase_headline_seconds(result));
	result->possible.rate = one_way_rate(result, measure);
	result->sum_rate = measure->rate_sum;
	result->straggler_loss = loss(result, measure, work_seconds(result, measure));
	result->loss_without_skew = loss(result, measure, measure->time_most);
	result->imbalance = mean_time > 0 ? measure->time_most / mean_time : 0;
	result->tail_share = tail_share(result, measure);
	result->working_tasks = working_tasks(measure);
	result->hit_share = hit_share(result, measure);
	result->start_skew = measure->begin.first == UINT64_MAX
				     ? 0
				     : (double)(measure->begin.last - measure->begin.first) / 1e9;
	fill_service_times(result, measure);
	fill_rated(result, measure);
	fill_response(result, measure);
	lateness_fill(result);
	fill_verification(result, measure);
	fill_depth(result, measure);
	fill_concurrency(result, measure);
	fill_stonewall(&result->stonewall, measure);
	fill_task_p99(&result->task_p99, &measure->task_p99);
	fill_slices(result, measure);
	if (phase_moves_data(result->kind))
		within_fill(result);
}

const struct operation_record *phase_transfers(const struct phase_result *result)
{
	if (!result->measure)
		return NULL;
	return measure_record(result->measure, phase_operation(result->kind));
}
