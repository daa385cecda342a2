/* Checks before metadata tests: existing and missing files, and space for the items. */
#include "engine/metadata/cleanup.h"
#include "engine/metadata/find.h"
#include "engine/metadata/learn_items.h"
#include "engine/metadata/metadata.h"
#include "run/state.h"

bool trees_are_settled(const struct test_run *run)
{
	for (unsigned i = 0; run->checks_only && i < run->number; i++)
		if (metadata_of(&run->runner->job->tests[i]))
			return false;
	return true;
}

/*
 * Changes that earlier tests will make to the trees. At the start of the test all earlier tests are
 * over, so there are none.
 */
static struct trees_to_come trees_before(const struct test_run *run)
{
	struct trees_to_come before = {0};

	for (unsigned i = 0; run->checks_only && i < run->number; i++) {
		const struct metadata *earlier = metadata_of(&run->runner->job->tests[i]);

		before.made |= earlier && earlier->create && !earlier->remove;
		before.removed |= earlier && earlier->remove && !earlier->create;
	}
	return before;
}

/* True if a test leaves items, data, a status file, or files made by a command. */
static bool leaves_files(const struct test_spec *spec)
{
	const struct metadata *names = metadata_of(spec);
	const struct test *test = test_of(spec);
	bool status = test->status_file && *test->status_file;

	if (test->cold == COLD_COMMAND)
		return true;
	if (!names)
		return test->write_file && (test->keep_file || status);
	return (names->create && (!names->remove || status)) || names->run_cmd_before_phase ||
	       names->run_cmd_after_phase;
}

/* False while the job is checked if an earlier test may make the file of find_newer. */
static bool newer_expected(const struct test_run *run)
{
	for (unsigned i = 0; run->checks_only && i < run->number; i++)
		if (leaves_files(&run->runner->job->tests[i]))
			return false;
	return true;
}

int run_check_metadata(struct test_run *run, struct error *err)
{
	const struct metadata *test = run->plan->metadata;
	const struct trees_to_come before = trees_before(run);
	const struct find_expected expected = {.dir = trees_are_settled(run),
					       .newer = newer_expected(run)};

	if (test->cleanup)
		return expected.dir ? cleanup_check(&run->worker, test->cleanup, err) : 0;
	if (!metadata_only_finds(test) && metadata_check(&run->worker, &before, err))
		return -1;
	if (!before.made && learn_items_check(&run->worker, err))
		return -1;
	return find_check(&run->worker, &expected, err);
}

int run_check_metadata_space(struct test_run *run, struct error *err)
{
	/* While the job is checked, files that an earlier test will remove still exist. */
	if (!leads_test(run) || run_of(run->runner->job)->force || trees_before(run).removed ||
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
