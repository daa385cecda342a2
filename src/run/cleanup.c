/* Tests with --cleanup: they remove what earlier tests left, and measure nothing. */
#include <inttypes.h>

#include "engine/metadata/cleanup.h"
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
