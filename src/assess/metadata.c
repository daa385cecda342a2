/* Rules M1 to M4: whether to believe the number of a metadata phase. */
#include "assess/metadata.h"

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

bool metadata_failed(const struct scene *scene, struct verdict *verdict)
{
	const struct phase_result *phase = scene->phase;
	uint64_t failed = phase->failed_operations;

	if (!failed)
		return false;
	verdict_prove(verdict, "failed_operations", (double)failed);
	verdict_prove(verdict, "operations", (double)phase->operations);
	if (phase_counts_entries(phase->kind))
		verdict_judge(verdict, SEVERITY_FAIL,
			      "%" PRIu64 " of %" PRIu64
			      " directories and stats failed: the rate counts the %" PRIu64
			      " entries that were seen",
			      failed, failed + calls_of_find(phase), phase->measure->entries);
	else
		verdict_judge(verdict, SEVERITY_FAIL,
			      "%" PRIu64 " operation%s failed, %" PRIu64
			      " succeeded: the rate counts the successful ones",
			      failed, failed == 1 ? "" : "s", phase->operations);
	verdict_advise(verdict, "see what failed, and repeat");
	return true;
}

bool metadata_in_grown_directories(const struct scene *scene, struct verdict *verdict)
{
	if (!scene->phase->grown)
		return false;
	verdict_judge(
		verdict, SEVERITY_NOTE,
		"the files were created where other directories had been before: directories that "
		"have grown may be faster or slower than new ones");
	verdict_advise(verdict, "test files alone (-F)");
	return true;
}

bool metadata_is_cached(const struct scene *scene, struct verdict *verdict)
{
	const struct phase_result *phase = scene->phase;
	const struct plan *plan = scene->plan;
	const struct metadata *test = plan->metadata;
	const char *file_system = scene->facts->file_system;
	const bool makes = phase_creates_items(phase->kind);
	const bool looks = phase_operation(phase->kind) != OPERATION_MIXED ||
			   plan->mix.shares[MIX_STAT] + plan->mix.shares[MIX_READ] > 0;

	if (!plan->backend->files)
		return false;
	if (assess_in_memory(file_system) && makes) {
		verdict_judge(verdict, SEVERITY_WARN,
			      "%s lives in memory: this is the speed of this node's kernel, not of "
			      "storage",
			      file_system);
		verdict_advise(verdict, "choose a dir on storage");
		return true;
	}
	if (makes || !looks || !test->create || !phase->same_kernel)
		return false;
	verdict_prove(verdict, "same_node_tasks", (double)phase->same_kernel);
	verdict_judge(
		verdict, SEVERITY_NOTE,
		"%" PRIu32 " of %" PRIu32
		" tasks worked on items that their own node created: the caches of the node may "
		"have answered",
		phase->same_kernel, plan->map.tasks);
	verdict_advise(verdict,
		       test->stride ? "use more nodes, so that the stride (-N) reaches another node"
				    : "several nodes and a stride (-N 1)");
	return true;
}

bool find_saw_entries(const struct scene *scene, struct verdict *verdict)
{
	const struct phase_result *phase = scene->phase;
	uint64_t made = phase->measure->find.made, seen = phase->measure->entries;

	if (!phase_counts_entries(phase->kind) || !made || phase->status == PHASE_STOPPED)
		return false;
	verdict_prove(verdict, "made_entries", (double)made);
	verdict_prove(verdict, "entries", (double)seen);
	if (seen == made) {
		verdict_judge(verdict, SEVERITY_GOOD,
			      "the find saw all %" PRIu64 " entries that this run had made", made);
		return true;
	}
	verdict_judge(verdict, seen < made ? SEVERITY_FAIL : SEVERITY_NOTE,
		      "the find saw %" PRIu64 " entries, and this run had made %" PRIu64, seen,
		      made);
	verdict_advise(verdict,
		       seen < made ? "see what failed; another program may have removed entries"
				   : "look for other programs that make files there");
	return true;
}
