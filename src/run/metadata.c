/* Around metadata tests: existing and missing files, space for the items, and --cleanup. */
#include <inttypes.h>

#include "engine/metadata/cleanup.h"
#include "engine/metadata/find.h"
#include "engine/metadata/learn_items.h"
#include "engine/metadata/metadata.h"
#include "run/state.h"

static void report_cleaning(const char *directory, const struct cleaning *cleaning)
{
	struct text words = {0};

	text_add(&words, "%s: %" PRIu64 " files and directories of metadata tests were removed",
		 directory, cleaning->removed);
	if (cleaning->kept == 1)
		text_add(&words, "; %s stays, because it holds other files", cleaning->first_kept);
	else if (cleaning->kept)
		text_add(&words,
			 "; %" PRIu64
			 " directories stay, because they hold other files; the first is %s",
			 cleaning->kept, cleaning->first_kept);
	report_message("note", text_string(&words));
	text_release(&words);
}

/* Cleans one directory. *err keeps the first failure of all; the others are cleaned all the same.
 */
static uint64_t clean_one(struct test_run *run, const char *directory, struct error *err)
{
	struct cleaning cleaning;
	struct error own = {0};

	if (cleanup_below(&run->worker, directory, &cleaning, &own)) {
		cleaning.failed++;
		cleaning.err = own;
	} else if (leads_test(run)) {
		report_cleaning(directory, &cleaning);
	}
	if (cleaning.failed && err->kind == ERROR_NONE)
		*err = cleaning.err;
	return cleaning.failed;
}

void test_clean(struct test_run *run)
{
	const char *list = run->plan->metadata->cleanup;
	char directory[PLAN_PATH_SIZE];
	struct agreement end = {0};
	struct error err = {0};
	uint64_t failed = 0;

	node_set_activity(run->worker.node, ACTIVITY_FILES);
	while (list) {
		list = plan_take_path(list, directory);
		failed += clean_one(run, directory, &err);
	}
	if (failed)
		error_add(&err, "%" PRIu64 " could not be looked at or removed; the first", failed);
	test_settle(run, failed ? -1 : 0, &err, "cleanup", &end);
}

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
