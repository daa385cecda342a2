/* The checks before the first phase of a test, and the memory that its phases need. */
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/named_file.h"
#include "engine/core/memory_hog.h"
#include "engine/core/session.h"
#include "engine/data/data_state.h"
#include "engine/data/files.h"
#include "engine/data/found.h"
#include "engine/data/learn.h"
#include "engine/load/load_work.h"
#include "engine/metadata/metadata.h"
#include "plan/load.h"
#include "plan/workload.h"
#include "run/state.h"

/*
 * Puts before an error which test it was, and the location in the job file of what cannot be done.
 */
static void add_location(const struct test_run *run, struct error *err)
{
	const struct job *job = run->runner->job;
	struct origin origin = {.kind = ORIGIN_DEFAULT};

	/* Others begin with their call. */
	if (err->kind == ERROR_INPUT)
		origin = job_origin(job, run->spec, err->text);
	if (job->test_count > 1)
		error_add(err, "test %u", run->number);
	origin.column = 0;
	if (origin.kind == ORIGIN_FILE)
		job_add_origin(job, origin, err);
}

int test_settle(struct test_run *run, int ret, const struct error *err, const char *step,
		struct agreement *end)
{
	struct worker *worker = &run->worker;

	if (ret)
		worker_fail(worker, err, step, UINT64_MAX, 0);
	struct failure failure = worker->failure;

	end->failure = failure;
	end->failed_tasks = worker_failed(worker);
	end->stop = atomic_load(&worker->node->shared->stop);
	agree(worker, end);
	if (end->failure.error.kind == ERROR_NONE)
		return 0;
	if (leads_test(run)) {
		if (end->failure.error.kind != ERROR_INPUT)
			error_add(&end->failure.error, "%s: task %" PRIu32 " on %s", step,
				  end->failure.task, end->failure.host);
		add_location(run, &end->failure.error);
		publish_error(run, &end->failure.error);
	}
	run->ended = run->runner->over = true;
	run->runner->status = JOB_FAILED;
	/* EXIT_INPUT promises that nothing was touched. */
	run->runner->code =
		end->failure.error.kind == ERROR_INPUT && run->checks_only ? EXIT_INPUT : EXIT_IO;
	return -1;
}

/* Checked before the job, a test that only reads may need what an earlier one will leave there. */
static bool reads_what_comes(const struct test_run *run)
{
	if (!run->checks_only || run->test->write_file)
		return false;
	for (unsigned i = 0; i < run->number; i++) {
		const struct test *earlier = run->runner->plans[i].test; /* a load's: its layout */

		if (earlier->write_file && earlier->keep_file &&
		    !strcmp(earlier->test_file, run->test->test_file))
			return true;
	}
	return false;
}

/* True if only the data says what it must be compared with. Task 0 tries to learn it beforehand. */
static bool compares_unknown(const struct test_run *run)
{
	return run->worker.task == 0 && learn_is_needed(run->plan) &&
	       (run->test->check_read || run->test->check_write);
}

/* True at the first visit of a test that an earlier session began. */
static bool goes_on(const struct test_run *run)
{
	return resume_recorded(run->runner, run->number).begun && !run->left;
}

/* Removes what that session left of repetitions to come, before any task looks at it. */
static int clear_begun(struct test_run *run)
{
	struct agreement end = {0};
	struct error err = {0};

	return goes_on(run) ? test_settle(run, resume_clear(run, &err), &err, "resume", &end) : 0;
}

static int prepare_metadata(struct test_run *run)
{
	struct agreement end = {0};
	struct error err = {0};
	/* What is there was made by the session before. */
	int ret = goes_on(run) ? 0 : run_check_metadata(run, &err);

	if (test_settle(run, ret, &err, "check", &end))
		return -1;
	ret = run_check_metadata_space(run, &err);
	if (!ret)
		ret = check_status(run, &err);
	if (test_settle(run, ret, &err, "space", &end) || !trees_are_settled(run))
		return run->ended ? -1 : 0;
	ret = read_status(run, &err);
	return test_settle(run, ret, &err, "status file", &end);
}

/* Finds what stands where the items of a load will lie, and whether they fit. */
static int prepare_check_items(struct test_run *run, struct error *err)
{
	const struct trees_to_come before = {0};

	if (!run->plan->names)
		return 0;
	if (metadata_check(&run->worker, &before, err))
		return -1;
	if (!leads_test(run) || run_of(run->runner->job)->force)
		return 0;
	return metadata_check_space(&run->worker, err);
}

static int prepare_items(struct test_run *run)
{
	struct agreement end = {0};
	struct error err = {0};
	int ret = load_check_alignment(&run->worker, &err) || prepare_check_items(run, &err) ||
		  memory_hog_check(&run->worker, &err);

	return test_settle(run, ret, &err, "check", &end);
}

/* Files that the test makes are as private as the file whose bytes they may get. */
static int check_content_file(struct test_run *run, struct error *err)
{
	struct worker *worker = &run->worker;

	if (run->test->content != CONTENT_FILE)
		return 0;
	if (content_check_file(run->test->content_file, worker->spares_private,
			       &worker->copies_private, err))
		return -1;
	if (!worker->copies_private)
		return 0;
	run->runner->shows_private = true;
	run->mask = umask(0077);
	return 0;
}

/* Results show the hints of a test, and so lines of its hints file. */
static void look_at_hints_file(struct test_run *run)
{
	struct stat status;
	bool ignored;
	const char *file = test_spec_hints_file(run->spec, run->plan->backend->options, &ignored);

	if (file && !stat(file, &status) && named_file_is_private(&status))
		run->runner->shows_private = true;
}

/* Data that the test writes into files of other programs must not make these files iorx's own. */
static void mark_guests(struct test_run *run, bool found_foreign)
{
	run->worker.data->found_foreign = found_foreign;
	if (found_foreign) /* whatever its content: random_prefill has stamps in any case */
		run->worker.seed |= CONTENT_GUEST;
}

int test_check_ready(struct test_run *run)
{
	struct agreement end = {0};
	struct error err = {0};
	struct space own = {0};
	struct content_origin lesson;
	uint64_t *held = &run->worker.data->held;
	int ret;

	node_set_activity(run->worker.node, ACTIVITY_START);
	look_at_hints_file(run);
	ret = session_start(&run->worker, run->spec, &err) || check_content_file(run, &err);
	if (test_settle(run, ret, &err, "start", &end) || clear_begun(run))
		return -1;
	node_set_activity(run->worker.node, ACTIVITY_FILES);
	if (plan_traits(run->plan)->has_names)
		return prepare_metadata(run);
	if (plan_cleans(run->plan))
		return 0;
	const bool made_later = reads_what_comes(run);

	if (!made_later) {
		ret = read_status(run, &err);
		if (test_settle(run, ret, &err, "status file", &end))
			return -1;
	}
	if (!plan_moves_data(run->plan))
		return prepare_items(run);
	ret = check_status(run, &err) || files_check_alignment(&run->worker, &err) ||
	      (run->plan->load &&
	       (load_check_alignment(&run->worker, &err) || load_allow_files(&run->worker, &err) ||
		load_check_trace(&run->worker, &err))) ||
	      memory_hog_check(&run->worker, &err);
	if (!ret)
		ret = files_check_layout(&run->worker, &err);
	if (!ret)
		ret = made_later ? found_check_owners(&run->worker, &err)
				 : found_check(&run->worker, &own, &err);
	if (!ret)
		ret = prepare_check_items(run, &err);
	if (!ret && !made_later && compares_unknown(run))
		ret = learn_from_file(&run->worker, 0, &lesson, &err);
	end = (struct agreement){.reusable_bytes = own.reusable_bytes,
				 .reusable_files = own.reusable_files,
				 .least_transfers = *held ? *held : UINT64_MAX,
				 .met_others = run->worker.data->found_foreign};
	if (test_settle(run, ret, &err, "check", &end))
		return -1;
	mark_guests(run, end.met_others);
	*held = end.least_transfers < UINT64_MAX ? end.least_transfers : 0;
	node_set_activity(run->worker.node, ACTIVITY_FILES);
	ret = check_space(run, &end, &err);
	if (!ret && !made_later)
		ret = found_check_shared(&run->worker, &err);
	end = (struct agreement){0};
	if (test_settle(run, ret, &err, "space", &end))
		return -1;
	run->laid_out = run->plan->load && run->test->write_file &&
			!comm_any(&run->crew->comm, !files_fit(&run->worker));
	if (!plan_load_uses_found(run->plan) || run->laid_out || !run->worker.data->found_foreign)
		return 0;
	ret = found_check_missing(&run->worker, &err);
	end = (struct agreement){0};
	return test_settle(run, ret, &err, "check", &end);
}

int test_make_buffers(struct test_run *run)
{
	struct agreement end = {0};
	struct error err = {0};

	int ret;

	node_set_activity(run->worker.node, ACTIVITY_FILES);
	ret = worker_buffers(&run->worker, &err) || memory_hog_take(&run->worker, &err);
	return test_settle(run, ret, &err, "buffers", &end);
}
