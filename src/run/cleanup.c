/* Tests with --cleanup: they remove what earlier tests left, and measure nothing. */
#include <inttypes.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lock_file.h"
#include "base/memory.h"
#include "engine/load/load_cleanup.h"
#include "engine/metadata/cleanup.h"
#include "plan/load.h"
#include "run/state.h"

/* --- trees of metadata tests ---------------------------------------------------------------- */

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
static uint64_t cleanup_clean_one(struct test_run *run, const char *directory, struct error *err)
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

static void clean_trees(struct test_run *run)
{
	const char *list = run->plan->metadata->cleanup;
	char directory[PLAN_PATH_SIZE];
	struct agreement end = {0};
	struct error err = {0};
	uint64_t failed = 0;

	node_set_activity(run->worker.node, ACTIVITY_FILES);
	while (list) {
		list = plan_take_path(list, directory);
		failed += cleanup_clean_one(run, directory, &err);
	}
	if (failed)
		error_add(&err, "%" PRIu64 " could not be looked at or removed; the first", failed);
	test_settle(run, failed ? -1 : 0, &err, "cleanup", &end);
}

/* --- files of loads ------------------------------------------------------------------------- */

/* The number of the first path of a test among those of all tests. */
static size_t first_path(const struct runner *runner, unsigned number)
{
	size_t count = 0;

	for (unsigned i = 0; i < number; i++)
		count += runner->plans[i].path_count;
	return count;
}

/*
 * When the job began that was killed while it laid out files as this one, and left its lock file;
 * 0: none. Lock files of other users say nothing.
 */
static int64_t killed_since(const struct plan *plan, uint32_t number)
{
	char name[PLAN_PATH_SIZE], path[PLAN_PATH_SIZE + sizeof(LOCK_FILE_END)];
	struct lock_record record;
	struct stat status;

	plan_base(plan, number, name);
	snprintf(path, sizeof(path), "%s" LOCK_FILE_END, name);
	if (lstat(path, &status) || status.st_uid != geteuid() || !lock_file_read(path, &record))
		return 0;
	return record.file_bytes == plan->file_size ? record.since_ns : 0;
}

void cleanup_read_records(struct runner *runner)
{
	const unsigned tests = (unsigned)runner->job->test_count;
	const size_t count = first_path(runner, tests);
	int64_t *since_ns = memory_allocate(count + 1, sizeof(*since_ns));

	runner->killed_since_ns = since_ns;
	for (unsigned i = 0; i < tests && leads(runner); i++)
		for (uint32_t k = 0; k < runner->plans[i].path_count; k++, since_ns++)
			if (plan_load_owns_files(&runner->plans[i]))
				*since_ns = killed_since(&runner->plans[i], k);
	comm_share_fixed(&runner->world->all, runner->killed_since_ns, count * sizeof(*since_ns),
			 NULL);
}

/* The word of the user alone counts, and only here: it is for files that nothing is known of. */
static bool takes_all(const struct job *job)
{
	const struct option *row = option_find(&run_options, "allow_overwrite");

	return run_of(job)->allow_overwrite &&
	       option_origin(&job->run, row).kind == ORIGIN_COMMAND_LINE;
}

static void report_stayed(const struct plan *plan, const struct load_cleaning *cleaning)
{
	struct text words = {0};
	uint64_t listed = 0;

	for (size_t at = 0; at < cleaning->reasons.length; listed++) {
		report_message("warning", cleaning->reasons.bytes + at);
		at += strlen(cleaning->reasons.bytes + at) + 1;
	}
	text_add(&words, "cleanup: %" PRIu64 " %s, as said above", cleaning->stayed,
		 cleaning->stayed == 1 ? "file stays" : "files stay");
	if (listed < cleaning->stayed)
		text_add(&words, " of the first %" PRIu64, listed);
	text_add(&words, "; look at %s", cleaning->stayed == 1 ? "it" : "them");
	if (plan_load_uses_found(plan))
		text_add(&words,
			 ", as files of layout=missing may have been there before the load");
	else if (!cleaning->takes_all)
		text_add(&words, "; --allow-overwrite removes regular files too");
	report_message("error", text_string(&words));
	text_release(&words);
}

static void report_load_cleaning(const struct plan *plan, const struct load_cleaning *cleaning)
{
	const struct load *load = plan->load;
	struct text words = {0};

	if (plan_load_leaves_files(plan))
		text_add(&words,
			 "%s: %" PRIu64 " removed, %" PRIu64 " not there, %" PRIu64 " stayed",
			 plan->test->test_file, cleaning->removed, cleaning->absent,
			 cleaning->stayed);
	else if (load->allow_device)
		text_add(&words, "%s is a device, which stays as it is", plan->test->test_file);
	else if (load->layout == LAYOUT_NONE)
		text_add(&words, "%s was there before the load (layout=none) and stays",
			 plan->test->test_file);
	if (plan->names)
		text_add(&words, "%s%s: %" PRIu64 " small files and directories removed",
			 words.length ? "; " : "", plan->names->metadata->dir, cleaning->items);
	if (!words.length)
		text_add(&words, "%s leaves no files", plan->backend->name);
	report_message("note", text_string(&words));
	text_release(&words);
	if (cleaning->stayed)
		report_stayed(plan, cleaning);
}

static void clean_load(struct test_run *run)
{
	struct runner *runner = run->runner;
	struct load_cleaning cleaning = {
		.takes_all = takes_all(runner->job) && !plan_load_uses_found(run->plan),
		.since_ns = runner->killed_since_ns + first_path(runner, run->number),
	};

	load_clean(&run->worker, &cleaning);
	if (leads_test(run))
		report_load_cleaning(run->plan, &cleaning);
	if (comm_any(&run->crew->comm, cleaning.stayed > 0)) {
		runner->code = EXIT_IO;
		runner->status = JOB_FAILED;
		runner->locks.keeps = true; /* the next cleanup needs them too */
	}
	text_release(&cleaning.reasons);
}

void test_clean(struct test_run *run)
{
	if (run->plan->load)
		clean_load(run);
	else
		clean_trees(run);
}

/* True if the names of both are the same, as those of the points of a study are. */
static bool have_same_files(const struct plan *a, const struct plan *b)
{
	return !strcmp(a->test->test_file, b->test->test_file) && a->files == b->files &&
	       a->trace == b->trace && a->file_size == b->file_size &&
	       a->file_scope == b->file_scope && a->map.tasks == b->map.tasks &&
	       a->first_task == b->first_task && !a->names == !b->names &&
	       (!a->names || !strcmp(a->names->metadata->dir, b->names->metadata->dir));
}

static bool is_done(const struct runner *runner, unsigned number)
{
	for (unsigned i = 0; i < number; i++)
		if (runner->plans[i].load &&
		    have_same_files(&runner->plans[i], &runner->plans[number]))
			return true;
	return false;
}

void run_cleanup_of_loads(struct runner *runner)
{
	for (unsigned i = 0; i < runner->job->test_count && !runner->over; i++)
		if (runner->plans[i].load && !is_done(runner, i))
			test_visit_once(runner, i, false);
}
