/* The members of a phase that every workload has, and those of phases that move data. */
#include "result/fields.h"

static bool was_measured(const struct result_source *source)
{
	return phase_began(source->result);
}

static bool moves_data(const struct result_source *source)
{
	return was_measured(source) && phase_moves_data(source->result->kind);
}

static bool is_metadata(const struct result_source *source)
{
	return was_measured(source) && phase_is_metadata(source->result->kind);
}

static bool counts_operations(const struct result_source *source)
{
	return was_measured(source) && !phase_moves_data(source->result->kind);
}

static bool has_repeats(const struct result_source *source)
{
	return source->result->held > 0 && source->plan->order == ORDER_REPEATS;
}

static bool is_cut_by_file(const struct result_source *source)
{
	return source->result->held > 0 && source->plan->order != ORDER_REPEATS;
}

static bool has_settings(const struct result_source *source)
{
	return source->result->settings != NULL;
}

static bool may_repeat_requests(const struct result_source *source)
{
	return was_measured(source) && source->plan->backend->retries;
}

static bool has_outliers(const struct result_source *source)
{
	return was_measured(source) && source->result->outliers;
}

static const struct result_condition measured = {"in phases that began", .holds = was_measured};
const struct result_condition result_moves_data = {"in phases that move data", .holds = moves_data};
const struct result_condition result_is_metadata = {"in metadata phases", .holds = is_metadata};
static const struct result_condition of_operations = {"in metadata and load phases",
						      .holds = counts_operations};
static const struct result_condition no_write = {"in reads and metadata phases",
						 .kinds = ~(1U << PHASE_WRITE)};
static const struct result_condition repeats = {"in a random order with repeats",
						.holds = has_repeats};
static const struct result_condition cut_by_file = {"in a read whose status_file is missing",
						    .holds = is_cut_by_file};
static const struct result_condition settings = {"in the first complete phase of its kind",
						 .holds = has_settings};
static const struct result_condition repeats_requests = {"with a backend that repeats requests",
							 .holds = may_repeat_requests};
static const struct result_condition outliers = {"with outlier_threshold", .holds = has_outliers};

/* --- values that lie in no struct -------------------------------------------------------- */

static uint64_t least_bytes(const struct result_source *source)
{
	return source->measure->tasks ? source->measure->least_bytes : 0;
}

static uint64_t least_transfers(const struct result_source *source)
{
	return source->measure->tasks ? source->measure->least_transfers : 0;
}

static uint64_t start_scheduled(const struct result_source *source)
{
	return source->measure->scheduled_starts > 0;
}

static double mean_task_seconds(const struct result_source *source)
{
	uint64_t working = source->result->working_tasks;

	return working ? source->measure->time_sum / (double)working : 0;
}

static uint64_t within_slices(const struct result_source *source)
{
	return source->result->within.run.values;
}

static uint64_t level_changes(const struct result_source *source)
{
	return source->result->within.run.changes;
}

/* --- whether a member is known ----------------------------------------------------------- */

static bool fields_compares(const struct result_source *source)
{
	return source->verification != NULL;
}

static uint64_t compared_transfers(const struct result_source *source)
{
	return measure_record(source->measure, OPERATION_READ)->histogram.count;
}

static bool has_within(const struct result_source *source)
{
	return source->result->within.run.kind != RUN_MEAN_NONE;
}

static bool has_interval(const struct result_source *source)
{
	return source->result->within.run.kind == RUN_MEAN_INTERVAL;
}

static bool has_changes(const struct result_source *source)
{
	return source->result->within.run.kind == RUN_MEAN_CHANGES;
}

static bool has_trend(const struct result_source *source)
{
	return source->result->within.run.kind == RUN_MEAN_TREND;
}

/* --- the rows ---------------------------------------------------------------------------- */

static const struct result_field tasks[] = {
	OF_MEASURE("measured", tasks, "Tasks that took part and were measured."),
	OF_MEASURE("idle", idle_tasks, "Measured tasks that had nothing to do in the phase."),
	OF_RESULT("failed", failed_tasks, "Tasks that failed."),
	OF_MEASURE("stopped", stopped_tasks, "Tasks that ended early on a stop request."),
	OF_RESULT("same_node", same_node, "Tasks that read what their own node wrote.",
		  .only = &no_write),
	OF_RESULT("same_kernel", same_kernel,
		  "Tasks that read what was written on a node with the same kernel, as containers "
		  "of one host have, and so the same page cache.",
		  .only = &no_write),
	{0},
};

static const struct result_field intervals[] = {
	OF_RESULT("open_s", seconds.open,
		  "From the first begin of a task to the last end of an open."),
	OF_RESULT("transfer_s", seconds.transfer,
		  "From the first issue of a transfer to the last completion."),
	OF_RESULT("sync_s", seconds.sync,
		  "From the first last completion of a task to the last end of a sync."),
	OF_RESULT("close_s", seconds.close,
		  "From the first task that begins to close to the last end of a close."),
	OF_RESULT("durable_s", seconds.durable,
		  "From the first issue to the last end of a sync; 0 unless every task synced."),
	OF_RESULT("total_s", seconds.total,
		  "From the first begin of a task to the last end of a close."),
	{0},
};

static const struct result_field rates[] = {
	OF_RESULT("total_operations_per_s", total_rate,
		  "The headline: operations that succeeded, or entries that a find saw, divided by "
		  "the total time; of a load those of its window, divided by its length.",
		  .only = &of_operations),
	OF_RESULT("sum_of_tasks_operations_per_s", sum_rate, "Sum of the tasks' own rates.",
		  .only = &of_operations),
	OF_RESULT("total_bytes_per_s", total_rate,
		  "The headline: all bytes divided by the total time, which IOR calls bw.",
		  .only = &result_moves_data),
	OF_RESULT("transfer_bytes_per_s", transfer_rate, "All bytes divided by the transfer time.",
		  .only = &result_moves_data),
	OF_RESULT(
		"durable_bytes_per_s", durable_rate,
		"All bytes divided by the durable time; null unless every task synced its writes.",
		.only = &result_moves_data, IF_RESULT(durable_rate)),
	OF_RESULT("sum_of_tasks_bytes_per_s", sum_rate, "Sum of the tasks' own rates.",
		  .only = &result_moves_data),
	OF_RESULT("operations_per_s", operations_rate,
		  "Completed transfers divided by the total time.", .only = &result_moves_data),
	{0},
};

static const struct result_field slowest[] = {
	OF_MEASURE("task", slowest_task, "The task with the longest time of its own."),
	{.key = "node",
	 .type = RESULT_NODE,
	 .owner = OWNER_MEASURE,
	 .offset = offsetof(struct measure, slowest_node),
	 .text = "The node of that task."},
	OF_MEASURE("time_s", time_most, "The time of that task."),
	{0},
};

static const struct result_field balance[] = {
	OF_RESULT("straggler_loss", straggler_loss,
		  "Share of the tasks' summed rates that is lost because tasks do not start and "
		  "end together.",
		  .is_signed = true),
	OF_RESULT("straggler_loss_without_skew", loss_without_skew,
		  "The straggler loss if all tasks had begun at the same moment.",
		  .is_signed = true),
	OF_RESULT("imbalance", imbalance,
		  "Time of the slowest task divided by the mean time of a task."),
	OF_RESULT("tail_share", tail_share,
		  "Share of the total time in which some tasks had already finished."),
	OF_RESULT("start_skew_s", start_skew, "From the first task that began to the last."),
	{.key = "start_scheduled",
	 .type = RESULT_TRUTH,
	 .count = start_scheduled,
	 .text = "Tasks waited for a common moment to start, not for a barrier."},
	OF_MEASURE("late_starts", late_starts, "Tasks that came after the scheduled start."),
	NUMBER_BY("mean_task_s", mean_task_seconds,
		  "Mean time of the tasks that had something to do."),
	OBJECT("slowest", slowest, "The task that took longest."),
	{0},
};

static const struct result_field concurrency[] = {
	OF_RESULT("in_flight", concurrency.in_flight,
		  "Mean number of operations in flight, of all tasks."),
	OF_RESULT("busy_share", concurrency.busy_share,
		  "Operations in flight divided by tasks times queue depth."),
	OF_RESULT("accounted_share", concurrency.accounted,
		  "Service times and content divided by the tasks' own transfer times; null where "
		  "tasks do more than one transfer after the other.",
		  IF_RESULT(concurrency.accounted)),
	{0},
};

static const struct result_field p99_slowest[] = {
	OF_RESULT("task", task_p99.task, "The task with the longest p99."),
	{.key = "node",
	 .type = RESULT_NODE,
	 .owner = OWNER_RESULT,
	 .offset = offsetof(struct phase_result, task_p99.node),
	 .text = "The node of that task."},
	{0},
};

static const struct result_field task_p99[] = {
	OF_RESULT("tasks", task_p99.tasks, "Tasks with enough operations for a p99 of their own."),
	OF_RESULT("min_ns", task_p99.min_ns, "The shortest p99 of a task."),
	OF_RESULT("median_ns", task_p99.median_ns, "The median of the tasks' p99."),
	OF_RESULT("max_ns", task_p99.max_ns, "The longest p99 of a task."),
	OBJECT("slowest", p99_slowest, "The task with the longest p99."),
	{0},
};

const struct result_field result_fields_queue[] = {
	OF_RESULT("mean_depth", depth,
		  "Mean number of a task's operations in flight when one was submitted."),
	OF_RESULT("mean_depth_by_time", depth_by_time,
		  "Mean number of a task's operations in flight over the transfer time."),
	OF_MEASURE("submits", submits, "Calls that submitted operations."),
	OF_MEASURE("reaps", reaps, "Calls that took completed operations."),
	BY_HAND("depths"),
	{0},
};

static const struct result_field data[] = {
	OF_MEASURE("bytes", bytes, "Bytes that the calls moved."),
	OF_MEASURE("expected_bytes", bytes_expected, "Bytes to move by the plan."),
	COUNT_BY("least_task_bytes", least_bytes, "The least bytes that a task moved."),
	OF_MEASURE("most_task_bytes", most_bytes, "The most bytes that a task moved."),
	OF_RESULT("transfers", operations, "Transfers that completed."),
	COUNT_BY("least_task_transfers", least_transfers, "The least transfers of a task."),
	OF_MEASURE("most_task_transfers", most_transfers, "The most transfers of a task."),
	OF_RESULT("drawn_from_transfers", held,
		  "Transfers of each file from which the order draws: reads of a test that did not "
		  "write draw from what the shortest file has.",
		  .only = &repeats),
	OF_RESULT("taken_from_transfers", held,
		  "Transfers that the shortest file holds, of those of the plan: each task reads "
		  "its own among them.",
		  .only = &cut_by_file),
	OF_MEASURE("short_transfers", short_transfers,
		   "Calls that moved less than they were asked for and were continued."),
	OF_MEASURE("content_ns", content_ns,
		   "Time spent in filling and checking buffers, summed over the tasks."),
	OF_RESULT("content_share", content_share,
		  "That time as a share of the transfer time, mean over tasks."),
	OF_MEASURE("content_share_most", content_share_most, "The largest such share of a task."),
	{0},
};

static const struct result_field stonewall[] = {
	OF_RESULT("limit_s", stonewall.limit, "The time limit that the job asked for."),
	OF_MEASURE("stonewalled_tasks", walled_tasks,
		   "Tasks that the end of the time kept from moving all."),
	OF_MEASURE("bytes", wall_bytes, "Bytes moved until then."),
	OF_RESULT("time_s", stonewall.seconds,
		  "From the first issue to the last completion of a transfer issued before the end "
		  "of the time."),
	OF_RESULT("bytes_per_s", stonewall.rate, "These bytes divided by that time."),
	OF_MEASURE("least_transfers", wall_least, "The least transfers of a task until then."),
	OF_MEASURE("most_transfers", wall_most, "The most transfers of a task until then."),
	OF_RESULT("wear_out", stonewall.wears_out,
		  "All tasks went on to the number of transfers of the fastest task."),
	OF_MEASURE("tasks_short_of_wear_out", unworn_tasks,
		   "Tasks that came to wear_out_limit before they had moved as much."),
	{0},
};

static const struct result_field files[] = {
	OF_MEASURE("sized", sized_files, "Files whose size was looked at after a write phase."),
	OF_MEASURE("allocated_bytes", allocated_bytes,
		   "Bytes that these files allocate; null where none was looked at.",
		   IF_MEASURE(sized_files)),
	OF_MEASURE("hole_bytes", hole_bytes, "Bytes that were written and never arrived."),
	OF_MEASURE("read_back_transfers", read_back,
		   "Transfers that were read again because a library is known to hide errors."),
	OF_MEASURE("lost_transfers", lost, "Transfers read again that are not what was written."),
	OF_MEASURE("fresh", files_fresh, "Files that did not exist before."),
	OF_MEASURE("recreated", files_recreated, "Files that were removed and created again."),
	OF_MEASURE("of_ior", files_of_ior,
		   "Recreated files that held data as IOR writes them, also with iorx -l t."),
	OF_MEASURE("used_empty", files_used_empty, "Empty files that existed and were used."),
	OF_MEASURE("overwritten", files_overwritten, "Files with data that were overwritten."),
	{0},
};

const struct result_field result_fields_verification[] = {
	OF_RESULT("seed", data_seed, "Seed of the data that was expected."),
	OF_RESULT("repetition", data_repetition, "The repetition that wrote the data."),
	OF_RESULT("learned", learned,
		  "Seed and repetition come from the data itself, because this test did not write "
		  "it."),
	COUNT_BY("transfers", compared_transfers, "Transfers that were compared."),
	OF_VERIFICATION("wrong_transfers", wrong_transfers, "Transfers with a wrong byte."),
	OF_VERIFICATION("wrong_bytes", wrong_bytes, "Bytes that are not what was written."),
	OF_VERIFICATION("missing_bytes", missing_bytes,
			"Wrong bytes that lie behind the end of a file."),
	OF_VERIFICATION("wrong_ranges", ranges, "Ranges of neighbouring wrong bytes."),
	OF_RESULT("content_share", content_share,
		  "Time spent in comparing and filling buffers, as a share of the transfer time."),
	BY_HAND("kinds"),
	OF_RESULT("files_stay", files_stay, "The files stay when the repetition is over."),
	BY_HAND("ranges"),
	BY_HAND("summary", IF_RESULT(wrong_bytes)),
	BY_HAND("evidence", IF_RESULT(wrong_bytes)),
	{0},
};

static const struct result_field stamps[] = {
	OF_MEASURE("begin", begin, "Tasks left the common start."),
	OF_MEASURE("open_end", open_end, "Tasks had opened their file."),
	OF_MEASURE("issue", issue, "Tasks issued their first transfer."),
	OF_MEASURE("completion", completion, "The last transfer of a task completed."),
	OF_MEASURE("sync_end", sync_end, "Tasks had synced their data."),
	OF_MEASURE("close_end", close_end, "Tasks had closed their file."),
	{0},
};

static const struct result_field clock_fields[] = {
	OF_MEASURE("residual_ns", clock_residual_ns,
		   "Largest uncertainty of the offset between two nodes' clocks."),
	OF_MEASURE("drift_ns", clock_drift_ns,
		   "Largest change of such an offset during the phase."),
	OF_MEASURE("disagreement", clock_disagreement,
		   "Largest difference in rate between the TSC and CLOCK_MONOTONIC, as a share."),
	OF_MEASURE("cost_ns", clock_cost_ns, "Largest cost of one clock reading."),
	{0},
};

static const struct result_field within[] = {
	OF_RESULT("mean_bytes_per_s", within.run.mean, "Mean transfer rate of the phase."),
	OF_RESULT("half_width_bytes_per_s", within.run.half_width,
		  "Half of the 95 % interval of that mean; null where the slices follow one "
		  "another too closely, and where the level changes or the rate has a trend.",
		  .known = has_interval),
	COUNT_BY("slices", within_slices, "Slices, joined so that they have 15 operations."),
	OF_RESULT("slice_seconds", within.slice_seconds, "Length of such a slice."),
	OF_RESULT("correlation", within.run.correlation,
		  "Correlation of a slice with the next, about level or trend and corrected for "
		  "bias."),
	OF_RESULT("effective_slices", within.run.effective,
		  "Number of independent slices that would say as much about the mean."),
	COUNT_BY("level_changes", level_changes, "Changes of level by at least 5 % of the mean."),
	OF_RESULT("change_s", within.change_seconds,
		  "The largest change of level, from the begin of the phase; null without one.",
		  .known = has_changes),
	OF_RESULT("before_bytes_per_s", within.run.before,
		  "Mean transfer rate before that change, back to the change before it.",
		  .known = has_changes),
	OF_RESULT("after_bytes_per_s", within.run.after,
		  "Mean transfer rate behind that change, up to the next one.",
		  .known = has_changes),
	OF_RESULT("trend_begin_bytes_per_s", within.run.begin,
		  "The first slice on the line along which the rate falls or rises; null without "
		  "such a trend.",
		  .known = has_trend),
	OF_RESULT("trend_end_bytes_per_s", within.run.end, "The last slice on that line.",
		  .known = has_trend),
	{0},
};

const struct result_field result_fields[] = {
	OF_RESULT("test", test, "The number of the test."),
	BY_HAND("phase"),
	OF_RESULT("phase_index", index, "The number of the phase in the test's plan, from 0."),
	OF_RESULT("repetition", repetition,
		  "The number of the repetition; warm-ups count and come first."),
	OF_RESULT("warmup", warmup, "The phase belongs to a warm-up and is in no summary."),
	BY_HAND("status"),
	BY_HAND("began"),
	OBJECT("tasks", tasks, "How many tasks did what."),
	OF_RESULT("queue_depth", queue_depth,
		  "Operations in flight at most, of one task; 1: one at a time."),
	OF_RESULT("cold", cold, "Caches were dropped before the phase."),
	BY_HAND("cold_method"),
	OBJECT("intervals", intervals, "Intervals overlap between tasks and need not add up.",
	       .only = &measured),
	OBJECT("rates", rates, "Rates of all tasks together.", .only = &measured),
	OBJECT("balance", balance, "How evenly the tasks worked.", .only = &measured),
	BY_HAND("slow", .only = &measured),
	OBJECT("concurrency", concurrency, "Concurrency by Little's law; null without transfers.",
	       .only = &measured, IF_RESULT(concurrency.in_flight)),
	OBJECT("task_p99", task_p99,
	       "The p99 of each task's own operations; null where no task has the 368 that it "
	       "takes.",
	       .only = &measured, IF_RESULT(task_p99.tasks)),
	OBJECT("metadata", result_fields_metadata, "What a metadata phase did.",
	       .only = &result_is_metadata),
	OBJECT("load", result_fields_load, "What a load asked for and did.",
	       .only = &result_is_load),
	OBJECT("queue", result_fields_queue,
	       "What the queue held; null where one transfer is made at a time.",
	       .only = &result_moves_data, IF_MEASURE(submits)),
	OBJECT("data", data, "What was moved.", .only = &result_moves_data),
	OBJECT("stonewall", stonewall,
	       "What had been moved when the time of -D or duration was up; null where that kept "
	       "no task from moving all.",
	       .only = &result_moves_data, IF_RESULT(stonewall.seconds)),
	OBJECT("files", files, "What became of the files.", .only = &result_moves_data),
	OBJECT("verification", result_fields_verification,
	       "What comparing found; null where nothing was compared.", .only = &result_moves_data,
	       .known = fields_compares),
	OBJECT("stamps", stamps,
	       "The first and the last task at each step, in ns from the begin of the phase.",
	       .only = &measured),
	OF_MEASURE("retries", retries,
		   "Requests that failed and that the backend made once more; the time of each is "
		   "part of an operation's.",
		   .only = &repeats_requests),
	BY_HAND("operations", .only = &measured),
	OBJECT("kernel", result_fields_kernel, "What the kernel counted during the phase.",
	       .only = &measured),
	OBJECT("clock", clock_fields, "How well the clocks agreed.", .only = &measured),
	BY_HAND("timeline"),
	BY_HAND("heatmap"),
	OBJECT("within_run", within,
	       "How sure the transfer rate is from this phase alone, which says nothing of "
	       "another run; null below 1 s or 300 operations.",
	       .known = has_within),
	BY_HAND("counters"),
	BY_HAND("prefill_counters"),
	BY_HAND("settings", .only = &settings),
	BY_HAND("outliers", .only = &outliers),
	BY_HAND("failure"),
	BY_HAND("stop"),
	BY_HAND("possible"),
	BY_HAND("severity"),
	BY_HAND("verdicts"),
	{0},
};

struct result_source result_source_of(const struct phase_result *result, const struct plan *plan)
{
	return (struct result_source){
		.result = result,
		.measure = result->measure,
		.verification = result->measure ? measure_verification(result->measure) : NULL,
		.plan = plan,
	};
}

bool result_field_is_there(const struct result_field *field, const struct result_source *source)
{
	const struct result_condition *only = field->only;

	if (!only)
		return true;
	return only->holds ? only->holds(source) : only->kinds >> source->result->kind & 1;
}

/* Without a measure all its counts are 0. */
static const void *address(const struct result_field *field, const struct result_source *source)
{
	static const struct extent nothing;
	const void *const owners[] = {
		[OWNER_RESULT] = source->result,
		[OWNER_MEASURE] = source->measure,
		[OWNER_PLAN] = source->plan,
		[OWNER_VERIFICATION] = source->verification,
	};
	const char *owner = owners[field->owner];

	return owner ? owner + field->offset : (const void *)&nothing;
}

const struct extent *result_field_extent(const struct result_field *field,
					 const struct result_source *source)
{
	return address(field, source);
}

static struct result_source source_of_row(const struct result_source *source,
					  const struct result_field *field)
{
	struct result_source own = *source;

	own.nth = field->nth;
	return own;
}

union result_value result_field_value(const struct result_field *field,
				      const struct result_source *source)
{
	const struct result_source own = source_of_row(source, field);
	const void *at = address(field, source);

	if (field->type == RESULT_NUMBER)
		return (union result_value){.number = field->number ? field->number(&own)
								    : *(const double *)at};
	if (field->type == RESULT_TRUTH)
		return (union result_value){.truth = field->count ? field->count(&own)
								  : *(const bool *)at};
	if (field->count)
		return (union result_value){.count = field->count(&own)};
	return (union result_value){.count = field->type == RESULT_COUNT ? *(const uint64_t *)at
									 : *(const uint32_t *)at};
}

static bool is_above_zero(const struct result_field *field, const struct result_source *source)
{
	const union result_value value = result_field_value(field, source);

	if (field->type == RESULT_NUMBER)
		return value.number > 0;
	return field->type == RESULT_TRUTH ? value.truth : value.count > 0;
}

bool result_field_is_known(const struct result_field *field, const struct result_source *source)
{
	const struct result_source own = source_of_row(source, field);

	return (!field->known || field->known(&own)) &&
	       (!field->needed || is_above_zero(field->needed, source));
}
