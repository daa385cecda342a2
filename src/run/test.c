/* One test of a running job. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/memory_hog.h"
#include "engine/core/session.h"
#include "engine/data/data_state.h"
#include "engine/data/files.h"
#include "engine/data/found.h"
#include "engine/data/learn.h"
#include "engine/load/load_items.h"
#include "engine/load/load_work.h"
#include "engine/metadata/cleanup.h"
#include "engine/metadata/metadata.h"
#include "engine/metadata/metadata_state.h"
#include "engine/metadata/test_directories.h"
#include "engine/works.h"
#include "run/state.h"

static int remove_all(struct worker *worker, uint64_t repetition, struct error *err)
{
	if (worker->plan->names)
		return load_items_remove(worker, repetition, err);
	if (worker->plan->metadata)
		return test_directories_clean_up(worker, repetition, err);
	return files_remove(worker, repetition, err);
}

static bool removes_files(const struct test_run *run)
{
	const struct backend *backend = run->plan->backend;

	return !run->plan->metadata && !files_stay(run) && backend->remove && !backend->no_storage;
}

/* Task 0: what all tasks together took from the common start on. */
static void report_removal_time(struct test_run *run, uint64_t repetition, uint64_t began_ns)
{
	const double seconds = (double)(clock_now(run->worker.clock) - began_ns) / 1e9;

	run->result.removal_seconds += seconds;
	report_removal(run->runner->report, &run->result, repetition, seconds);
}

/* Removing what was made is in no phase. A failure is told. */
static void clean_up(struct test_run *run, uint64_t repetition)
{
	struct worker *worker = &run->worker;
	const bool removes = removes_files(run); /* afterwards nothing is known of the files */
	struct agreement end;
	struct error err = {0};
	uint64_t began_ns;

	worker->failure = (struct failure){0};
	node_set_activity(worker->node, ACTIVITY_WAITING);
	comm_wait_for_all(&worker->crew->comm, worker->idle);
	began_ns = clock_now(worker->clock);
	node_set_activity(worker->node, ACTIVITY_FILES);
	if (remove_all(worker, repetition, &err))
		worker_fail(worker, &err, "remove", UINT64_MAX, 0);
	agreement_start(&end, worker);
	agree(worker, &end);
	if (end.failure.error.kind == ERROR_NONE) {
		if (removes && leads_test(run) && run->runner->report)
			report_removal_time(run, repetition, began_ns);
		if (end.stop != STOP_NONE && !run->ended)
			end_badly(run, &end);
		return;
	}
	if (leads_test(run)) {
		error_add(&end.failure.error,
			  "repetition %" PRIu64 ": task %" PRIu32 " on %s: %s cannot be removed",
			  repetition, end.failure.task, end.failure.host, end.failure.path);
		report_error(run->runner->report, &end.failure.error);
	}
	if (!run->ended)
		end_badly(run, &end);
}

/* As IOR does: what was only read goes too, once nobody will read it again. */
static bool deletes_what_was_read(const struct test_run *run)
{
	const struct test *test = run->test;

	return test->semantics == SEMANTICS_IOR && !test->write_file && !run->plan->metadata &&
	       !run->ended;
}

/* Whether this repetition ended before its own phases could remove its trees. */
static bool removes_trees(const struct test_run *run)
{
	const struct metadata *test = run->plan->metadata;

	if (run->plan->names)
		return true;
	if (!test || run->met_others)
		return false;
	return run->incomplete || (run->ended && test->create && test->remove);
}

bool repetition_goes_on(const struct test_run *run)
{
	return !run->ended && !run->incomplete;
}

/*
 * A load goes on with the files of an earlier run or repetition if they fit. They were laid out
 * once and keep their content, as each write of a load repeats the bytes of its place.
 */
bool repetition_skips(const struct test_run *run, const struct phase_plan *phase)
{
	return plan_is_layout(run->plan, phase) && (run->laid_out || run->wrote);
}

void repetition_begin(struct test_run *run)
{
	run->repetition_began = now_epoch();
	run->damaged = run->incomplete = run->met_others = false;
	run->worker.metadata->test_directories = 0;
	if (run->plan->metadata)
		pause_for(run, run->plan->metadata->pre_delay);
}

void repetition_end(struct test_run *run, uint64_t repetition, bool made)
{
	if (removes_trees(run))
		clean_up(run, repetition);
	else if (run->test->keep_file_with_error && run->damaged)
		run->keeps_evidence = true;
	else if (made || (run->test->multi_file && deletes_what_was_read(run)))
		clean_up(run, repetition);
	repetition_took(run, run->repetition_began);
}

static void run_repetition(struct test_run *run, uint64_t repetition)
{
	bool made = false;

	repetition_begin(run);
	for (unsigned i = 0; i < run->plan->phase_count && repetition_goes_on(run); i++)
		if (!repetition_skips(run, &run->plan->phases[i]))
			made |= run_phase(run, &run->plan->phases[i], repetition) &&
				run->plan->phases[i].kind == PHASE_WRITE;
	repetition_end(run, repetition, made);
}

void repetitions_end(struct test_run *run, uint64_t count)
{
	if (count && !run->test->multi_file && !run->keeps_evidence && deletes_what_was_read(run))
		clean_up(run, count - 1);
}

static void run_repetitions(struct test_run *run)
{
	const uint64_t until = !run->in_turns ? UINT64_MAX
			       : run->count   ? run->count + 1
					      : run->test->warmup + 1;

	run->wanted = run->count || repetition_wanted(run, 0);
	while (run->wanted && run->count < until) {
		run_repetition(run, run->count++);
		run->wanted = repetition_wanted(run, run->count);
	}
	if (!run->wanted)
		repetitions_end(run, run->count);
}

/*
 * Puts before an error which test it was, and the location in the job file of what cannot be done.
 */
static void add_location(const struct test_run *run, struct error *err)
{
	const struct job *job = run->runner->job;
	struct origin origin = {.kind = ORIGIN_DEFAULT};
	char location[400];

	/* Others begin with their call. */
	if (err->kind == ERROR_INPUT)
		origin = job_origin(job, run->spec, err->text);
	if (job->test_count > 1)
		error_add(err, "test %u", run->number);
	origin.column = 0;
	if (origin.kind == ORIGIN_FILE)
		error_add(err, "%s", job_where(job, origin, location, sizeof(location)));
}

/* One step before the phases, that may fail on any task: all learn the same. Returns 0 or -1. */
static int settle(struct test_run *run, int ret, const struct error *err, const char *step,
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
		if (run->runner->report)
			report_error(run->runner->report, &end->failure.error);
		else
			report_message("error", end->failure.error.text);
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

static int prepare_metadata(struct test_run *run)
{
	struct agreement end = {0};
	struct error err = {0};
	int ret = run_check_metadata(run, &err);

	if (settle(run, ret, &err, "check", &end))
		return -1;
	ret = run_check_metadata_space(run, &err);
	if (!ret)
		ret = check_status(run, &err);
	if (settle(run, ret, &err, "space", &end) || !trees_are_settled(run))
		return run->ended ? -1 : 0;
	ret = read_status(run, &err);
	return settle(run, ret, &err, "status file", &end);
}

/* Finds what stands where the items of a load will lie, and whether they fit. */
static int check_items(struct test_run *run, struct error *err)
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
	int ret = load_check_alignment(&run->worker, &err) || check_items(run, &err) ||
		  memory_hog_check(&run->worker, &err);

	return settle(run, ret, &err, "check", &end);
}

static int prepare_test(struct test_run *run)
{
	struct agreement end = {0};
	struct error err = {0};
	struct space own = {0};
	struct content_origin lesson;
	uint64_t *drawn = &run->worker.data->drawn;
	int ret;

	node_set_activity(run->worker.node, ACTIVITY_START);
	ret = session_start(&run->worker, run->spec, &err);
	if (settle(run, ret, &err, "start", &end))
		return -1;
	node_set_activity(run->worker.node, ACTIVITY_FILES);
	if (run->plan->metadata)
		return prepare_metadata(run);
	if (!reads_what_comes(run)) {
		ret = read_status(run, &err);
		if (settle(run, ret, &err, "status file", &end))
			return -1;
	}
	if (run->plan->load && !load_pattern_moves_data(&run->plan->pattern))
		return prepare_items(run);
	ret = check_status(run, &err) || files_check_alignment(&run->worker, &err) ||
	      (run->plan->load && (load_check_alignment(&run->worker, &err) ||
				   load_allow_files(&run->worker, &err))) ||
	      memory_hog_check(&run->worker, &err);
	if (!ret)
		ret = files_check_layout(&run->worker, &err);
	if (!ret && run->test->content == CONTENT_FILE)
		ret = content_check_file(run->test->content_file, &err);
	if (!ret && !reads_what_comes(run))
		ret = found_check(&run->worker, &own, &err);
	if (!ret)
		ret = check_items(run, &err);
	if (!ret && !reads_what_comes(run) && compares_unknown(run))
		ret = learn_from_file(&run->worker, 0, &lesson, &err);
	end = (struct agreement){.reusable_bytes = own.reusable_bytes,
				 .reusable_files = own.reusable_files,
				 .least_transfers = *drawn ? *drawn : UINT64_MAX};
	if (settle(run, ret, &err, "check", &end))
		return -1;
	*drawn = end.least_transfers < UINT64_MAX ? end.least_transfers : 0;
	node_set_activity(run->worker.node, ACTIVITY_FILES);
	ret = check_space(run, &end, &err);
	if (!ret && !reads_what_comes(run))
		ret = found_check_shared(&run->worker, &err);
	end = (struct agreement){0};
	if (settle(run, ret, &err, "space", &end))
		return -1;
	run->laid_out = run->plan->load && run->test->write_file &&
			!comm_any(&run->crew->comm, !files_fit(&run->worker));
	return 0;
}

static int make_buffers(struct test_run *run)
{
	struct agreement end = {0};
	struct error err = {0};

	int ret;

	node_set_activity(run->worker.node, ACTIVITY_FILES);
	ret = worker_buffers(&run->worker, &err) || memory_hog_take(&run->worker, &err);
	return settle(run, ret, &err, "buffers", &end);
}

void poll_while_waiting(void *context)
{
	struct worker *worker = context;

	stop_poll(&worker->stop);
	if (worker->relay)
		relay_poll(worker->relay);
	if (worker->post)
		post_poll(worker->post);
}

static bool wants_relay(const struct test_run *run)
{
	return run->plan->load && run->plan->load->interval > 0;
}

/* IOR's is the time in seconds, the run's in microseconds. */
static uint64_t content_seed(const struct test *test, uint64_t run_seed)
{
	if (test->content_seed)
		return (uint64_t)test->content_seed & INT64_MAX;
	if (test->content == CONTENT_IOR || test->content == CONTENT_IOR_OFFSET)
		return run_seed / 1000000;
	return run_seed;
}

void test_start_worker(struct test_run *run, struct idle *idle)
{
	struct runner *runner = run->runner;

	*idle = (struct idle){poll_while_waiting, &run->worker};
	run->worker = (struct worker){
		.crew = run->crew,
		.set = run->crew,
		.node = &runner->node,
		.idle = idle,
		.relay = wants_relay(run) ? &runner->intervals.relay : NULL,
		.task = (uint32_t)run->crew->comm.rank,
		.rank = (uint32_t)runner->world->all.rank,
		.node_number = runner->world->node,
		.host = runner->world->host,
		.clock = runner->clock,
		.plan = run->plan,
		.trees = plan_of_trees(run->plan),
		.seed = content_seed(run->test, runner->seed),
		.deadline_ns = UINT64_MAX,
		.table = runner->table,
	};
	works_start(&run->worker);
	run->worker.data->spares_foreign = run->spec->spares_foreign;
	if (run->worker.table)
		run->worker.table->test = run->number;
	run->worker.stop.node = &runner->node;
}

/*
 * Reads which file system the test is on. A directory that is missing will lie on that of the
 * nearest one above it.
 */
void test_read_mount(struct test_run *run)
{
	char *path = run->worker.path;

	if (!run->plan->backend->files)
		return;
	plan_base(run->plan, 0, path);
	if (run->plan->metadata) {
		strncat(path, "/.", PLAN_PATH_SIZE - 1 - strlen(path));
		mount_read_nearest(&run->mount, path);
	} else {
		mount_read(&run->mount, path);
	}
}

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

/* --cleanup */
static void clean_directories(struct test_run *run)
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
	settle(run, failed ? -1 : 0, &err, "cleanup", &end);
}

void test_prepare(struct test_run *run)
{
	if (!prepare_test(run))
		make_buffers(run);
}

void test_stop_worker(struct test_run *run)
{
	struct agreement end = {0};
	struct error err = {0};
	int ret;

	run->worker.failure = (struct failure){0};
	node_set_activity(run->worker.node, ACTIVITY_STOP);
	ret = session_stop(&run->worker, &err);
	run->runner->left_open |= run->worker.left_open;
	if (!run->ended)
		settle(run, ret, &err, "stop", &end);
	worker_release_buffers(&run->worker);
	works_stop(&run->worker);
	memory_hog_release(&run->worker);
	node_set_activity(run->worker.node, ACTIVITY_NONE);
}

/* The clocks of the test stand still while others have their turn. */
static void resume_clocks(struct test_run *run)
{
	const double away = now_epoch() - run->left;

	if (!run->left) {
		run->began = now_epoch();
		return;
	}
	run->began += away;
	if (run->first_began)
		run->first_began += away;
}

void test_end(struct test_run *run)
{
	if (leads(run->runner) && !run->checks_only) {
		report_test_end(run->runner->report, &run->result);
		if (!limits_only(run))
			ladder_add(run, 1);
	}
	test_result_release(&run->result);
}

/* Runs or checks the test on a task of its crew. */
static void take_part(struct test_run *run)
{
	struct runner *runner = run->runner;
	struct idle idle;

	resume_clocks(run);
	run->wanted = false;
	test_start_worker(run, &idle);
	node_set_activity(run->worker.node, ACTIVITY_FILES);
	const bool begins = !run->checks_only && !run->left;

	if (leads(runner) && begins)
		test_read_mount(run);
	if (begins)
		limits_find(run);
	if (leads(runner) && begins)
		report_test(runner->report, &run->result, &run->mount);
	atomic_store(&runner->repetition, 0);
	atomic_store(&runner->current, run->plan);
	if (!run->checks_only && limits_only(run)) {
		run->result.repetitions_end = REPETITIONS_ENDED;
	} else if (!prepare_test(run) && !run->checks_only) {
		if (run->plan->metadata && run->plan->metadata->cleanup)
			clean_directories(run);
		else if (!make_buffers(run))
			run_repetitions(run);
	}
	atomic_store(&runner->current, NULL);
	test_stop_worker(run);
	run->wanted &= !run->ended;
	if (!run->wanted)
		test_end(run);
	run->left = now_epoch();
}

/* The state of the job that every task must know after a test. */
struct outcome {
	bool over;
	bool wanted; /* a further repetition of the test */
	enum exit_code code;
	enum job_status status;
};

struct seats test_seats(const struct runner *runner, unsigned number)
{
	const struct plan *plan = &runner->plans[number];
	struct seats seats = runner->seatings[number].seats;

	seats.map = &plan->map;
	return seats;
}

void test_init(struct test_run *run, struct runner *runner, unsigned number)
{
	*run = (struct test_run){
		.runner = runner,
		.number = number,
		.spec = &runner->job->tests[number],
		.test = runner->plans[number].test,
		.plan = &runner->plans[number],
		.crew = crew_of(runner, &runner->plans[number]),
	};
	run->result = (struct test_result){
		.number = number,
		.spec = run->spec,
		.plan = run->plan,
		.environments = &runner->environments,
	};
	run->result.seed = content_seed(run->test, runner->seed);
}

/* Tasks outside the crew sleep here until the test is over. */
static void share_with_sleepers(struct runner *runner, struct test_run *run)
{
	struct outcome outcome = {runner->over, run->wanted, runner->code, runner->status};

	node_broadcast(&runner->node, &outcome, sizeof(outcome));
	runner->over = outcome.over;
	run->wanted = outcome.wanted;
	runner->code = outcome.code;
	runner->status = outcome.status;
}

void test_visit(struct test_run *run)
{
	struct runner *runner = run->runner;
	struct crew *crew = crew_of(runner, run->plan);

	crew_start(crew, runner->world, test_seats(runner, run->number));
	if (!crew_is_all(crew))
		node_find_leaders(&runner->node, runner->world);
	if (crew->comm.handle != MPI_COMM_NULL)
		take_part(run);
	if (crew_is_all(crew))
		return;
	node_set_activity(&runner->node, ACTIVITY_WAITING);
	crew_stop(crew);
	if (run->spec->set.number)
		share_outcome(runner);
	else
		share_with_sleepers(runner, run);
}

static void visit_once(struct runner *runner, unsigned number, bool checks_only)
{
	struct test_run run;

	test_init(&run, runner, number);
	run.checks_only = checks_only;
	test_visit(&run);
}

void run_test(struct runner *runner, unsigned number)
{
	visit_once(runner, number, false);
}

void check_test(struct runner *runner, unsigned number)
{
	visit_once(runner, number, true);
}
