/* Before a metadata test: what is there, what is not, and whether what it makes fits. */
#include "engine/names/cleanup.h"
#include "engine/names/find.h"
#include "engine/names/learn_items.h"
#include "engine/names/metadata.h"
#include "engine/names/same_directory.h"
#include "run/state.h"

bool names_expected(const struct test_run *run)
{
	for (unsigned i = 0; run->checks_only && i < run->number; i++)
		if (metadata_of(&run->runner->job->tests[i]))
			return false;
	return true;
}

int names_check(struct test_run *run, struct error *err)
{
	const struct metadata *test = run->plan->metadata;
	bool there = names_expected(run);

	if (test->cleanup)
		return there ? cleanup_check(&run->worker, test->cleanup, err) : 0;
	if (same_directory_check(&run->worker, err))
		return -1;
	if (!metadata_only_finds(test) && metadata_check(&run->worker, there, err))
		return -1;
	if (there && learn_items_check(&run->worker, err))
		return -1;
	return find_check(&run->worker, there, err);
}

/* Before the job, what an earlier test removes is in the way yet. */
static bool may_gain_space(const struct test_run *run)
{
	for (unsigned i = 0; run->checks_only && i < run->number; i++) {
		const struct metadata *earlier = metadata_of(&run->runner->job->tests[i]);

		if (earlier && earlier->remove && !earlier->create)
			return true;
	}
	return false;
}

int names_check_space(struct test_run *run, struct error *err)
{
	if (!leads(run->runner) || run_of(run->runner->job)->force || may_gain_space(run) ||
	    !metadata_check_space(&run->worker, err))
		return 0;
	if (!plan_is_cut(run->plan))
		return -1;
	error_add(err, "it may be too much before -W ends it");
	if (!run->checks_only)
		report_message("note", err->text);
	err->kind = ERROR_NONE;
	return 0;
}
