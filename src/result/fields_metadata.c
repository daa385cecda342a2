/* The members that only metadata phases have. */
#include "result/fields.h"

static bool learned(const struct result_source *source)
{
	return source->result->learned;
}

static bool creates_items(const struct result_source *source)
{
	return phase_creates_items(source->result->kind);
}

static const struct result_condition tree_create = {"in tree-create",
						    .kinds = 1U << PHASE_TREE_CREATE};
static const struct result_condition tree_remove = {"in tree-remove",
						    .kinds = 1U << PHASE_TREE_REMOVE};
static const struct result_condition learning = {"where a seed was learned", .holds = learned};
static const struct result_condition creating = {"in phases that create items",
						 .holds = creates_items};
static const struct result_condition listing = {"in list and find",
						.kinds = 1U << PHASE_LIST | 1U << PHASE_FIND};
static const struct result_condition find_phase = {"in find", .kinds = 1U << PHASE_FIND};
static const struct result_condition mix_phase = {"in a mix", .kinds = 1U << PHASE_MIX};

static uint64_t working_tasks(const struct result_source *source)
{
	return plan_working_tasks(source->plan, source->result->kind);
}

static uint64_t least_operations(const struct result_source *source)
{
	return source->measure->tasks ? source->measure->least_transfers : 0;
}

static uint64_t stats(const struct result_source *source)
{
	return measure_record(source->measure, OPERATION_STAT)->histogram.count;
}

static const struct result_field stonewall[] = {
	OF_RESULT("limit_s", stonewall.limit, "The time limit that the job asked for."),
	OF_MEASURE("stonewalled_tasks", walled_tasks,
		   "Tasks that the end of the time kept from making all."),
	OF_MEASURE("operations", wall_bytes, "Operations until then."),
	OF_RESULT("time_s", stonewall.seconds,
		  "From the first issue to the last completion of an operation issued before the "
		  "end of the time."),
	OF_RESULT("operations_per_s", stonewall.rate, "These operations divided by that time."),
	OF_MEASURE("least_task_operations", wall_least,
		   "The least operations of a task until then."),
	OF_MEASURE("most_task_operations", wall_most, "The most operations of a task until then."),
	OF_MEASURE(
		"tasks_short_of_wear_out", unworn_tasks,
		"Tasks that came to wear_out_limit before they had made as many as the fastest."),
	{0},
};

static const struct result_field find[] = {
	OF_MEASURE("made_entries", find.made,
		   "Entries that this run had made and not removed; null where the run made none.",
		   IF_MEASURE(find.made)),
	OF_MEASURE("matches", find.matches, "Entries for which all that was looked for holds."),
	OF_MEASURE("directories", find.directories, "Directories that the find saw."),
	OF_MEASURE("files", find.files, "Files that the find saw."),
	OF_MEASURE("others", find.others,
		   "Links, devices, sockets, and entries that could not be looked at."),
	OF_MEASURE("mounts_not_entered", find.mounts,
		   "Directories that were not entered because a file system is mounted there."),
	COUNT_BY("stats", stats, "Calls of stat."),
	OF_MEASURE("stolen_pieces", find.taken,
		   "Pieces of work that a thief took from its victim: directories, and up to 8 KiB "
		   "of names to look at."),
	BY_HAND("failures"),
	{0},
};

static const struct result_field shares[] = {
	OF_PLAN("create", mix.shares[MIX_CREATE], "Share of creates."),
	OF_PLAN("stat", mix.shares[MIX_STAT], "Share of stats."),
	OF_PLAN("read", mix.shares[MIX_READ], "Share of opens that read."),
	OF_PLAN("remove", mix.shares[MIX_REMOVE], "Share of removes."),
	{0},
};

static const struct result_field mix[] = {
	OBJECT("shares", shares, "The shares add up to 1; create and remove have the same."),
	OF_PLAN("shares_evened", mix.evened, "The job gave create and remove different shares."),
	OF_PLAN("task_rate_operations_per_s", mix.task_rate,
		"Operations that a task had due per second; null: as fast as it could.",
		IF_PLAN(mix.task_rate)),
	OF_PLAN("think_s", mix.think_seconds, "Pause of a task after each operation."),
	OF_PLAN("limit_s", mix.seconds, "The mix_duration; null where there is none.",
		IF_PLAN(mix.seconds)),
	OF_MEASURE("files", mix_files, "Files of all tasks before and after the mix."),
	OF_MEASURE("most_missing_of_a_task", mix_most_missing,
		   "The most files of a task that were missing at a time."),
	OF_MEASURE("missed", mix_missed,
		   "Operations, with a stride, on a file that its own task had just removed: "
		   "neither done nor failed."),
	OF_MEASURE("slept_until_due", mix_slept,
		   "Operations, with a rate, for which the task slept until they were due."),
	OF_MEASURE("late_sum_ns", mix_late_ns,
		   "Time by which tasks woke later than these operations were due; it is part of "
		   "the response times."),
	OF_MEASURE("late_max_ns", mix_latest_ns, "The longest such time."),
	{0},
};

const struct result_field result_fields_metadata[] = {
	BY_HAND("form"),
	OBJECT("queue", result_fields_queue,
	       "What the queue held; null where one operation is made at a time.",
	       IF_MEASURE(submits)),
	COUNT_BY("working_tasks", working_tasks,
		 "Tasks that had anything to do by the plan; fewer than the test's tasks where one "
		 "makes a tree for all."),
	OF_RESULT("operations", operations,
		  "Operations that succeeded; only these are in rates and percentiles."),
	OF_MEASURE(
		"expected_operations", expected_operations,
		"Operations by the plan, and by the stonewall of the phase that made the items."),
	OF_MEASURE("failed_operations", failed_operations,
		   "Operations that failed, and test directories that could not be removed after "
		   "the timed part."),
	BY_HAND("errors"),
	BY_HAND("missing_directories", .only = &tree_create),
	BY_HAND("test_directories", .only = &tree_remove),
	OF_RESULT("learned_seed", data_seed,
		  "Seed of the compared data, learned from the first file because this test did "
		  "not write it.",
		  .only = &learning),
	BY_HAND("directories", .only = &creating),
	OF_MEASURE("entries", entries,
		   "Entries that listing gave, or a find saw; the rate of a find counts these.",
		   .only = &listing),
	OBJECT("find", find, "What a find saw.", .only = &find_phase),
	OBJECT("mix", mix, "What a mix did beside its operations.", .only = &mix_phase),
	OF_MEASURE("bytes", bytes, "Bytes of data moved in the files."),
	OBJECT("stonewall", stonewall,
	       "What had been made when the time of -W was up; null where that kept no task from "
	       "making all.",
	       IF_RESULT(stonewall.seconds)),
	OF_MEASURE("left_tasks", left_tasks,
		   "Tasks that left the phase after max_errors failures, with more to do."),
	OF_MEASURE("untried_operations", untried_operations,
		   "Operations that were not tried by tasks that left the phase early."),
	COUNT_BY("least_task_operations", least_operations, "The least operations of a task."),
	OF_MEASURE("most_task_operations", most_transfers, "The most operations of a task."),
	{0},
};
