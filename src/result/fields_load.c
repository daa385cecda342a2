/* The members that only load phases have. */
#include "plan/load.h"
#include "result/fields.h"
#include "result/goals.h"

static bool is_load(const struct result_source *source)
{
	return phase_began(source->result) && source->result->kind == PHASE_LOAD;
}

const struct result_condition result_is_load = {"in load phases", .holds = is_load};

static bool is_paced(const struct result_source *source)
{
	return plan_load_is_paced(&source->plan->pattern);
}

static bool fields_load_compares(const struct result_source *source)
{
	return source->verification != NULL;
}

static uint64_t rated_operations(const struct result_source *source)
{
	return operation_rated(phase_transfers(source->result));
}

static double rated_bytes_per_s(const struct result_source *source)
{
	const double seconds = source->result->seconds.window;
	const struct operation_record *record = phase_transfers(source->result);

	return seconds > 0 ? (double)operation_rated_bytes(record) / seconds : 0;
}

static bool fields_load_has_items(const struct result_source *source)
{
	return load_pattern_has_items(&source->plan->pattern);
}

static const struct result_condition on_items = {"where a load has operations on items",
						 .holds = fields_load_has_items};

static double asked_share(const struct result_source *source)
{
	return deck_share(&source->plan->pattern.operations, source->nth);
}

/* The achieved value of a goal of a kind of operation; 0 where the load has none. */
static double achieved_of(const struct result_source *source, enum goal_kind what)
{
	struct goal goals[GOALS_MOST];

	for (unsigned i = goals_fill(source->result, source->plan, goals); i-- > 0;)
		if (goals[i].kind == what && goals[i].of == source->nth)
			return goals[i].achieved;
	return 0;
}

static double achieved_share(const struct result_source *source)
{
	return achieved_of(source, GOAL_SHARE);
}

static double achieved_size(const struct result_source *source)
{
	return achieved_of(source, GOAL_SIZE);
}

static bool has_kind(const struct result_source *source)
{
	return plan_load_has(&source->plan->pattern, source->nth);
}

/* Each kind of operation: its name in the job, its constant, and what its shares are of. */
#define KINDS_ON_DATA(X)              \
	X(read, LOAD_READ, "reads", ) \
	X(write, LOAD_WRITE, "writes", )
#define KINDS_ON_ITEMS(X)                                                           \
	X(stat, LOAD_STAT, "stats", .only = &on_items)                              \
	X(access, LOAD_ACCESS, "access checks", .only = &on_items)                  \
	X(open, LOAD_OPEN, "opens with their close", .only = &on_items)             \
	X(read_file, LOAD_READ_FILE, "reads of a small file", .only = &on_items)    \
	X(write_file, LOAD_WRITE_FILE, "writes of a small file", .only = &on_items) \
	X(append, LOAD_APPEND, "appends", .only = &on_items)                        \
	X(rmw, LOAD_RMW, "reads that are written back", .only = &on_items)          \
	X(truncate, LOAD_TRUNCATE, "truncates", .only = &on_items)                  \
	X(chmod, LOAD_CHMOD, "chmods", .only = &on_items)                           \
	X(fsync, LOAD_FSYNC, "fsyncs of a small file", .only = &on_items)           \
	X(list, LOAD_LIST, "listings of a directory", .only = &on_items)            \
	X(create, LOAD_CREATE, "creates", .only = &on_items)                        \
	X(unlink, LOAD_UNLINK, "unlinks", .only = &on_items)                        \
	X(rename, LOAD_RENAME, "renames", .only = &on_items)                        \
	X(mkdir, LOAD_MKDIR, "mkdirs", .only = &on_items)                           \
	X(rmdir, LOAD_RMDIR, "rmdirs", .only = &on_items)

#define ASKED(name, kind, what, ...) \
	NUMBER_BY(#name, asked_share, "Share of " what ".", .nth = kind, __VA_ARGS__),
#define ACHIEVED(name, kind, what, ...) \
	NUMBER_BY(#name, achieved_share, "Share of " what ".", .nth = kind, __VA_ARGS__),

static const struct result_field asked_shares[] = {
	KINDS_ON_DATA(ASKED) KINDS_ON_ITEMS(ASKED){0},
};

static const struct result_field achieved_shares[] = {
	KINDS_ON_DATA(ACHIEVED) KINDS_ON_ITEMS(ACHIEVED){0},
};

static const struct result_field asked_sizes[] = {
	OF_PLAN("read_bytes", pattern.sizes[LOAD_READ].mean, "Of a read; null without reads.",
		.known = has_kind, .nth = LOAD_READ),
	OF_PLAN("write_bytes", pattern.sizes[LOAD_WRITE].mean, "Of a write; null without writes.",
		.known = has_kind, .nth = LOAD_WRITE),
	{0},
};

static const struct result_field achieved_sizes[] = {
	NUMBER_BY("read_bytes", achieved_size, "Of a read; null without reads.", .known = has_kind,
		  .nth = LOAD_READ),
	NUMBER_BY("write_bytes", achieved_size, "Of a write; null without writes.",
		  .known = has_kind, .nth = LOAD_WRITE),
	{0},
};

static const struct result_field ends[] = {
	OF_MEASURE("time", load_ends[LOAD_END_TIME], "The end of the measured time."),
	OF_MEASURE("operation_limit", load_ends[LOAD_END_OPERATIONS], "The option of this name."),
	OF_MEASURE("byte_limit", load_ends[LOAD_END_BYTES], "The option of this name."),
	OF_MEASURE("passes", load_ends[LOAD_END_PASSES], "The option of this name."),
	OF_MEASURE("steady", load_ends[LOAD_END_STEADY], "The steady state was reached."),
	OF_MEASURE("beside", load_ends[LOAD_END_BESIDE],
		   "The end of the phases that the load ran beside."),
	OF_MEASURE("trace", load_ends[LOAD_END_TRACE], "The end of the trace."),
	OF_MEASURE("stop", load_ends[LOAD_END_STOP], "A failure, a signal or the deadline."),
	{0},
};

static const struct result_field steady[] = {
	OF_RESULT("reached", steady.reached, "The load came to the steady state."),
	OF_RESULT("after_s", steady.after_s,
		  "Measured time before its end; null where it was not reached.",
		  IF_RESULT(steady.reached)),
	OF_RESULT("mean_operations_per_s", steady.state.mean,
		  "In the last window; null where the load was shorter than one.",
		  IF_RESULT(steady.known)),
	OF_RESULT("range_share", steady.state.range,
		  "Largest minus smallest rate of its intervals, divided by the mean.",
		  IF_RESULT(steady.known)),
	OF_RESULT("slope_share", steady.state.slope,
		  "Change of the fitted line over the window, divided by the mean.",
		  IF_RESULT(steady.known), .is_signed = true),
	{0},
};

const struct result_field result_fields_load[] = {
	BY_HAND("beside"),
	OF_RESULT("operations", operations,
		  "Operations that were due in the measured window or, in a closed loop, issued in "
		  "it; the percentiles are of these."),
	OF_MEASURE("bytes", bytes, "Bytes that these operations moved."),
	COUNT_BY("rated_operations", rated_operations,
		 "Operations that the rate counts: at a rate those due in the window and issued in "
		 "time, in a closed loop those that ended in it."),
	NUMBER_BY("bytes_per_s", rated_bytes_per_s,
		  "Bytes that the operations of the rate moved, divided by window_s."),
	OF_PLAN("asked_operations_per_s", pattern.arrival.rate,
		"Operations that all tasks had due per second; null in a closed loop.",
		.known = is_paced),
	OF_RESULT("window_s", seconds.window,
		  "Length of the measured window. It ends with the load where that is before its "
		  "time; at a rate a number of operations takes until the next would be due."),
	OBJECT("asked_shares", asked_shares, "Shares of the operations by the job."),
	OBJECT("achieved_shares", achieved_shares,
	       "Shares of the operations in the measured window."),
	OBJECT("asked_sizes", asked_sizes, "Mean size of the operations by the job."),
	OBJECT("achieved_sizes", achieved_sizes,
	       "Mean size of the operations in the measured window."),
	OF_MEASURE("failed_operations", failed_operations,
		   "Operations on items that failed; they are in no rate and no percentile."),
	BY_HAND("errors"),
	OF_MEASURE("left_tasks", left_tasks,
		   "Tasks that left the load after max_errors failures on items."),
	OF_MEASURE("untried_operations", untried_operations,
		   "Operations that were not tried by tasks that left the load early."),
	OF_MEASURE("outside_window", load_outside,
		   "Operations of the warm-up and the cool-down, which are not measured."),
	OF_RESULT("files_found", files_found,
		  "The files were there, and the load used them as they were."),
	OBJECT("ended_by", ends,
	       "Tasks by what ended their load: the limit that they came to first."),
	OF_MEASURE("skipped", load_skipped,
		   "Operations that were late and, with on_late=skip, were not issued."),
	OF_MEASURE("unfinished", load_unfinished,
		   "Operations that were due in the window and were not issued before the load "
		   "ended. Their age then is in the response times, which are at least that."),
	OF_MEASURE("oldest_unfinished_ns", load_oldest_ns, "The age of the oldest of these."),
	OF_MEASURE(
		"due", load_due,
		"Operations that the rate had due in the window, and where a limit of bytes ended "
		"the load those beyond it, until the last was issued; null in a closed loop.",
		.known = is_paced),
	OF_MEASURE("issued", load_issued,
		   "Those of them that were issued in time; null in a closed loop.",
		   .known = is_paced),
	OF_MEASURE("slept_until_due", mix_slept,
		   "Operations, with a rate, for which the task slept until they were due."),
	OF_MEASURE("late_sum_ns", mix_late_ns,
		   "Time by which tasks woke later than these operations were due; it is part of "
		   "the response times."),
	OF_MEASURE("late_max_ns", mix_latest_ns, "The longest such time."),
	OF_RESULT("late_drift_ns_per_s", lateness.drift_ns_per_s,
		  "By how much more operations were issued behind their due moments with each "
		  "second; null where that is not known.",
		  IF_RESULT(lateness.known), .is_signed = true),
	OBJECT("steady", steady,
	       "The steady state that the job asked for; null where it asked for none.",
	       IF_RESULT(steady.asked)),
	OBJECT("queue", result_fields_queue,
	       "What the queue held; null where one operation is made at a time.",
	       IF_MEASURE(submits)),
	OBJECT("verification", result_fields_verification,
	       "What comparing found in the reads; null where nothing was compared.",
	       .known = fields_load_compares),
	{0},
};
