/* Rules M1 to M6: whether to believe the number of a metadata phase. */
#include "assess/names.h"

#include <inttypes.h>

#include "assess/judge.h"

/*
 * Successful calls of a find. A call lists a directory or makes a stat, while the row counts
 * entries.
 */
static uint64_t calls_of_find(const struct phase_result *phase)
{
	return phase->operations + measure_record(phase->measure, OPERATION_STAT)->histogram.count;
}

bool names_failed(const struct phase_result *phase, struct verdict *verdict)
{
	uint64_t failed = phase->failed_operations;

	if (!failed)
		return false;
	verdict_prove(verdict, "failed_operations", (double)failed);
	verdict_prove(verdict, "operations", (double)phase->operations);
	if (phase_counts_entries(phase->kind))
		verdict_judge(verdict, SEVERITY_FAIL,
			      "%" PRIu64 " of %" PRIu64 " directories and stats failed: the rate is of the "
			      "%" PRIu64 " entries that were seen", failed, failed + calls_of_find(phase),
			      phase->measure->entries);
	else
		verdict_judge(verdict, SEVERITY_FAIL,
			      "%" PRIu64 " operation%s failed, %" PRIu64 " succeeded: the rate is of those "
			      "that did", failed, failed == 1 ? "" : "s", phase->operations);
	verdict_advise(verdict, "see what failed, and repeat");
	return true;
}

bool names_in_grown_directories(const struct phase_result *phase, struct verdict *verdict)
{
	if (!phase->grown)
		return false;
	verdict_judge(verdict, SEVERITY_NOTE,
		      "the files were made where directories had been made before: grown "
		      "directories may be faster or slower than fresh ones");
	verdict_advise(verdict, "-F, for files alone");
	return true;
}

static bool looks(enum phase_kind kind, const struct plan *plan)
{
	if (kind == PHASE_MIX)
		return plan->mix.shares[MIX_STAT] + plan->mix.shares[MIX_READ] > 0;
	return kind == PHASE_DIR_STAT || kind == PHASE_FILE_STAT || kind == PHASE_FILE_READ;
}

bool names_are_cached(const struct phase_result *phase, const struct plan *plan,
		      const char *file_system, struct verdict *verdict)
{
	bool makes = phase->kind == PHASE_DIR_CREATE || phase->kind == PHASE_FILE_CREATE;

	if (!plan->backend->files)
		return false;
	if (assess_in_memory(file_system) && makes) {
		verdict_judge(verdict, SEVERITY_WARN,
			      "%s lives in memory: this is the speed of this node's kernel, not of storage",
			      file_system);
		verdict_advise(verdict, "choose a dir on storage");
		return true;
	}
	if (!looks(phase->kind, plan) || !plan->metadata->create || !phase->same_node)
		return false;
	verdict_prove(verdict, "same_node_tasks", (double)phase->same_node);
	verdict_judge(verdict, SEVERITY_NOTE,
		      "%" PRIu32 " of %" PRIu32 " tasks looked at what their own node made: its caches may "
		      "have answered", phase->same_node, plan->map.tasks);
	verdict_advise(verdict, plan->metadata->stride ? "more nodes: the stride (-N) must come to another one"
						       : "several nodes and a stride (-N 1)");
	return true;
}

bool names_were_found(const struct phase_result *phase, struct verdict *verdict)
{
	uint64_t made = phase->measure->find.made, seen = phase->measure->entries;

	if (!phase_counts_entries(phase->kind) || !made || phase->status == PHASE_STOPPED)
		return false;
	verdict_prove(verdict, "made_entries", (double)made);
	verdict_prove(verdict, "entries", (double)seen);
	if (seen == made) {
		verdict_judge(verdict, SEVERITY_GOOD, "all %" PRIu64 " entries that were made were seen", made);
		return true;
	}
	verdict_judge(verdict, seen < made ? SEVERITY_FAIL : SEVERITY_NOTE,
		      "%" PRIu64 " entries were seen, and this run had made %" PRIu64, seen, made);
	verdict_advise(verdict, seen < made ? "see what failed; what others removed is missing too"
					    : "see who else makes files there");
	return true;
}

bool names_kept_the_rate(const struct phase_result *phase, const struct plan *plan, struct verdict *verdict)
{
	/* With fewer operations the time of the last one is a visible share. */
	enum { OPERATIONS_LEAST = 20 };
	const double due = phase->kind == PHASE_MIX ? plan->mix.task_rate * plan->map.tasks : 0;
	uint64_t issued = phase->operations + phase->failed_operations + phase->measure->mix_missed;
	double share;

	if (!(due > 0) || !(phase->seconds.transfer > 0) ||
	    issued < (uint64_t)OPERATIONS_LEAST * plan->map.tasks)
		return false;
	share = (double)issued / phase->seconds.transfer / due;
	if (share >= 0.95)
		return false;
	verdict_prove(verdict, "due_operations_per_s", due);
	verdict_prove(verdict, "reached_share", share);
	verdict_judge(verdict, SEVERITY_WARN,
		      "%.2g %% of the rate that was due was reached: response times grow with the length of "
		      "the phase, and say little", 100 * share);
	verdict_advise(verdict, "a lower rate, or none, or more tasks");
	return true;
}

bool names_woke_in_time(const struct phase_result *phase, struct verdict *verdict)
{
	const double note_above = 0.1, warn_above = 0.5;
	const struct measure *measure = phase->measure;
	double share;

	if (!measure->mix_slept)
		return false;
	share = (double)measure->mix_late_ns /
		(double)measure_record(measure, OPERATION_RESPONSE)->histogram.sum_ns;
	if (!(share > note_above))
		return false;
	verdict_prove(verdict, "late_share", share);
	verdict_prove(verdict, "late_mean_ns", (double)measure->mix_late_ns / (double)measure->mix_slept);
	verdict_judge(verdict, share > warn_above ? SEVERITY_WARN : SEVERITY_NOTE,
		      "%.2g %% of the response times is the late waking of iorx itself, and not the storage",
		      100 * share);
	verdict_advise(verdict, "fewer tasks than CPUs and idle nodes, or read the service times");
	return true;
}
