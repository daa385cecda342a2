/* Before a metadata test: what is there, what is not, and whether what it makes fits. */
#include "engine/metadata/cleanup.h"
#include "engine/metadata/find.h"
#include "engine/metadata/learn_items.h"
#include "engine/metadata/metadata.h"
#include "run/state.h"

bool names_expected(const struct test_run *run)
{
	for (unsigned i = 0; run->checks_only && i < run->number; i++)
		if (metadata_of(&run->runner->job->tests[i]))
			return false;
	return true;
}

/* At its own start all of them are over. */
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

/* Items, data, the status file, or what a command makes. */
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

/* That of find_newer may come from an earlier test. */
static bool newer_expected(const struct test_run *run)
{
	for (unsigned i = 0; run->checks_only && i < run->number; i++)
		if (leaves_files(&run->runner->job->tests[i]))
			return false;
	return true;
}

int names_check(struct test_run *run, struct error *err)
{
	const struct metadata *test = run->plan->metadata;
	const struct trees_to_come before = trees_before(run);
	const struct find_expected expected = {.dir = names_expected(run), .newer = newer_expected(run)};

	if (test->cleanup)
		return expected.dir ? cleanup_check(&run->worker, test->cleanup, err) : 0;
	if (!metadata_only_finds(test) && metadata_check(&run->worker, &before, err))
		return -1;
	if (!before.made && learn_items_check(&run->worker, err))
		return -1;
	return find_check(&run->worker, &expected, err);
}

int names_check_space(struct test_run *run, struct error *err)
{
	/* Before the job, what an earlier test removes is in the way yet. */
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
