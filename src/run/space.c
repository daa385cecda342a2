/* Whether what a test writes fits into its file system, beside the other tests of its set. */
#include <sys/stat.h>

#include "base/units.h"
#include "engine/data/folders.h"
#include "plan/workload.h"
#include "run/state.h"

/* With a time limit it need not fit: how much is written nobody knows. */
static void report_larger_than_space(const struct plan *plan, const struct space *space)
{
	struct text words = {0};

	text_add(&words,
		 "test_file: the plan needs %s and %s has %s free: a phase fails if the file "
		 "system is full before its time is over",
		 units_show_bytes(plan->space_bytes + space->others_bytes).text, space->path,
		 units_show_bytes(space->free_bytes + space->reusable_bytes).text);
	report_message("note", text_string(&words));
	text_release(&words);
}

/* True if the first file of a test lies there in its size, as after an earlier load. */
static bool lies_there(const struct plan *plan)
{
	char path[PLAN_PATH_SIZE];
	struct stat status;

	plan_path(plan, 0, 0, 0, path);
	return !stat(path, &status) && (uint64_t)status.st_size >= plan_file_bytes(plan, 0);
}

/* Bytes that a test writes to the file system of space->path. */
static uint64_t written_beside(const struct plan *plan, const struct space *space)
{
	struct stat here, there;
	struct space other;
	uint64_t bytes = 0;

	if (plan_traits(plan)->has_names || !plan->test->write_file || stat(space->path, &here) ||
	    lies_there(plan))
		return 0;
	for (uint32_t i = 0; i < plan->path_count; i++) {
		folders_space(plan, i, &other);
		if (other.known && !stat(other.path, &there) && there.st_dev == here.st_dev)
			bytes = plan->space_bytes;
	}
	return bytes;
}

static uint64_t written_by_others(const struct test_run *run, const struct space *space)
{
	const struct job *job = run->runner->job;
	const unsigned set = run->spec->set.number;
	uint64_t bytes = 0;

	for (unsigned i = 0; set && space->known && i < job->test_count; i++)
		if (job->tests[i].set.number == set && i != run->number)
			bytes += written_beside(&run->runner->plans[i], space);
	return bytes;
}

int check_space(const struct test_run *run, const struct agreement *sums, struct error *err)
{
	if (!leads_test(run) || run_of(run->runner->job)->force)
		return 0;
	for (uint32_t i = 0; i < run->plan->path_count; i++) {
		struct space space;

		folders_space(run->plan, i, &space);
		space.reusable_bytes = sums->reusable_bytes;
		space.reusable_files = sums->reusable_files;
		space.others_bytes = written_by_others(run, &space);
		if (!plan_check_space(run->plan, &space, err))
			continue;
		if (!plan_is_cut(run->plan))
			return -1;
		err->kind = ERROR_NONE;
		if (!run->checks_only)
			report_larger_than_space(run->plan, &space);
	}
	return 0;
}
