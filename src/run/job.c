/* A job: one test after the other. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "comm/offsets.h"
#include "environment/gather.h"
#include "page/anonymize.h"
#include "page/clash.h"
#include "page/sinks.h"
#include "plan/deadline.h"
#include "run/state.h"

enum { RESERVE_SECONDS = 5 };

/* Values that task 0 decides before the first test. */
struct head {
	struct error err;
	uint64_t seed;
};

static void start_report(struct runner *runner, int argc, char *const *argv, struct head *head)
{
	const struct run *options = run_of(runner->job);
	struct origin deadline =
		option_origin(&runner->job->run, option_find(&run_options, "deadline"));

	if (options->deadline &&
	    deadline_parse(options->deadline, now_epoch(), &runner->deadline, &head->err))
		return;
	/* All tasks are killed when a batch job ends, so the results need time before that. */
	if (deadline.kind == ORIGIN_ENVIRONMENT && !deadline.line)
		runner->deadline -= RESERVE_SECONDS;
	/*
	 * Microseconds make the seed differ between jobs. JSON readers in JavaScript keep 53 bits
	 * of it.
	 */
	head->seed = runner->resume.seed ? runner->resume.seed : (uint64_t)(now_epoch() * 1e6);
	environment_read(&runner->environment, runner->world, runner->clock);
	runner->environment.seed = head->seed;
	runner->environment.every_node = &runner->environments;
	pthread_mutex_lock(&runner->rescue_lock);
	report_start(&runner->report, runner->job, argc, argv, &runner->environment,
		     (const char(*)[HOST_NAME_SIZE])runner->world->hosts,
		     runner->resume.before.name ? &runner->resume.before : NULL, &head->err);
	pthread_mutex_unlock(&runner->rescue_lock);
}

/* Starts the shared memory of the node, the thread that takes signals, and the clocks. */
static int start_node(struct runner *runner)
{
	struct error err = {0};

	if (node_start(&runner->node, runner->world, intervals_words(runner->job), &err)) {
		if (leads(runner))
			report_message("error", err.text);
		return -1;
	}
	intervals_init(&runner->intervals, &runner->node, &runner->world->all);
	runner->watchdog = (struct watchdog){
		.node = &runner->node,
		.slot = runner->world->slot,
		.hang_after = run_of(runner->job)->hang_after,
		.calls = {on_signal, on_hang, leads(runner) ? on_look : NULL,
			  runner->node.words ? on_sample : NULL, runner},
	};
	if (watchdog_start(&runner->watchdog, &err)) {
		report_message("error", err.text);
		comm_abort(EXIT_IO);
	}
	/* Clock offsets are needed to order failures before the first phase. */
	offsets_estimate(&runner->everyone, &runner->node, runner->clock, NODE_TIME_BEFORE);
	return 0;
}

/* All tasks wait, so that the results are complete before any watchdog stops. */
static void finish_node(struct runner *runner)
{
	comm_wait_for_all(&runner->world->all, NULL);
	lock_files_release(&runner->locks);
	free(runner->killed_since_ns);
	resume_release(runner);
	watchdog_stop(&runner->watchdog);
	intervals_release(&runner->intervals);
	environments_release(&runner->environments);
	node_finish(&runner->node);
	plans_release(runner);
}

static bool wants_tables(const struct run *options)
{
	return options->operation_tables && *options->operation_tables;
}

/*
 * Refuses the job if a result file would replace a test file or a foreign file, or if another job
 * uses the files of a test, as the tests would blame the storage for what that job does. Nothing
 * has been made yet.
 */
static void check_places(struct runner *runner)
{
	const struct run *options = run_of(runner->job);
	struct error err = {0};
	int ret = 0;

	if (leads(runner))
		ret = clash_check(runner->job, runner->plans, &err) ||
		      sinks_check(runner->job, &err) || locks_look(runner, &err);
	if (!ret && wants_tables(options))
		operation_table_check(options->operation_tables, runner->world->all.rank,
				      options->allow_overwrite, &err);
	if (!comm_agree_error(&runner->world->all, &err))
		return;
	runner->over = true;
	runner->code = EXIT_INPUT;
	job_add_location(runner->job, NULL, &err);
	if (leads(runner))
		report_message("error", err.text);
}

/* Plans and checks every test, so that later steps are known to be possible. */
static enum exit_code start_job(struct runner *runner)
{
	enum exit_code code = plans_build(runner);

	if (code != EXIT_GOOD)
		return code;
	if (start_node(runner)) {
		plans_release(runner);
		return EXIT_IO;
	}
	code = resume_start(runner);
	if (code != EXIT_GOOD || runner->resume.nothing_left)
		return code;
	if (job_cleans_loads(runner->job))
		cleanup_read_records(runner);
	check_places(runner);
	/* A cleanup looks at what is there, one file after the other. */
	for (unsigned i = 0; i < runner->job->test_count && !runner->over; i++)
		if (!job_cleans_loads(runner->job) && !resume_recorded(runner, i).begun)
			test_visit_once(runner, i, true);
	atomic_store(&runner->running, ((struct running){0}));
	return runner->code;
}

/*
 * Opens each task's table of operations before anything is measured. All tasks get the first error.
 */
static int open_table(struct runner *runner, struct error *err)
{
	const struct run *options = run_of(runner->job);

	if (!wants_tables(options))
		return 0;
	/* A job that is refused empties no table. */
	if (!leads(runner) || !locks_take(runner, err))
		runner->table =
			operation_table_open(options->operation_tables, runner->world->all.rank,
					     options->allow_overwrite, options->resume, err);
	return comm_agree_error(&runner->world->all, err);
}

/* A failed write of the table loses rows even if no operation failed. */
static void close_table(struct runner *runner)
{
	struct error err = {0};

	operation_table_close(runner->table, &err);
	runner->table = NULL;
	if (!comm_agree_error(&runner->world->all, &err))
		return;
	if (leads(runner))
		report_error(runner->report, &err);
	if (runner->code != EXIT_INPUT)
		runner->code = EXIT_IO;
}

/* Copies a plan's path unless the list has it. Returns the new length of the list. */
static size_t add_path(char (*paths)[PLAN_PATH_SIZE], size_t count, const struct plan *plan,
		       uint32_t number)
{
	plan_base(plan, number, paths[count]);
	for (size_t i = 0; i < count; i++)
		if (!strcmp(paths[i], paths[count]))
			return count;
	return count + 1;
}

/* Every node says on which machine and storage the tests run. */
static void gather_environments(struct runner *runner)
{
	char(*paths)[PLAN_PATH_SIZE] = memory_allocate(GATHER_PATHS + 1, sizeof(*paths));
	const char *list[GATHER_PATHS];
	size_t count = 0;

	for (size_t i = 0; i < runner->job->test_count; i++) {
		const struct plan *plan = &runner->plans[i];

		for (uint32_t k = 0; k < plan->path_count && plan->backend->files; k++)
			if (count < GATHER_PATHS)
				count = add_path(paths, count, plan, k);
	}
	for (size_t i = 0; i < count; i++)
		list[i] = paths[i];
	environments_gather(runner->world, &runner->node, list, count, &runner->environments);
	free(paths);
}

/* Opens the result files, or returns the same error on all tasks. */
static enum exit_code open_report(struct runner *runner, int argc, char *const *argv)
{
	struct head head = {0};
	int ret;

	runner->shows_private = comm_any(&runner->world->all, runner->shows_private);
	const mode_t mask = results_set_umask(runner);

	ret = open_table(runner, &head.err);
	if (!ret)
		gather_environments(runner);
	if (!ret && leads(runner) && !locks_take(runner, &head.err))
		start_report(runner, argc, argv, &head);
	umask(mask);
	comm_share_fixed(&runner->world->all, &head, sizeof(head), NULL);
	runner->seed = head.seed;
	if (head.err.kind == ERROR_NONE)
		return EXIT_GOOD;
	if (leads(runner))
		report_message("error", head.err.text);
	return EXIT_INPUT;
}

/* Lost results change the exit code. They come before doubts about the results. */
static void finish_report(struct runner *runner)
{
	if (report_broken(runner->report) && runner->code != EXIT_INPUT)
		runner->code = EXIT_IO;
	if (report_finish(runner->report, runner->status, runner->code) &&
	    runner->code != EXIT_INPUT)
		runner->code = EXIT_IO;
}

static void finish_job(struct runner *runner)
{
	comm_wait_for_all(&runner->world->all, NULL);
	if (runner->table)
		close_table(runner);
	pthread_mutex_lock(&runner->rescue_lock);
	runner->finished = true;
	if (leads(runner)) {
		ladder_finish(runner);
		results_set_umask(runner);
		finish_report(runner);
	}
	pthread_mutex_unlock(&runner->rescue_lock);
	finish_node(runner);
}

/*
 * Ends the process without MPI_Finalize where a library could not close a file, as MPI_Finalize
 * would try again. All output is written by then.
 */
static void job_leave(struct runner *runner)
{
	if (!comm_any(&runner->world->all, runner->left_open))
		return;
	fflush(stdout);
	if (leads(runner))
		comm_abort(runner->code);
	comm_wait_for_all(&runner->world->all, NULL);
}

static struct runner runner_of(const struct job *job, struct world *world, struct clock *clock)
{
	return (struct runner){
		.job = job,
		.world = world,
		.everyone = crew_of_world(world),
		.clock = clock,
		.rescue_lock = PTHREAD_MUTEX_INITIALIZER,
	};
}

static enum exit_code print_plans(const struct runner *runner)
{
	const char(*hosts)[HOST_NAME_SIZE] = (const void *)runner->world->hosts;
	struct anonymizer anonymizer;
	struct error err = {0};

	if (!leads(runner))
		return EXIT_GOOD;
	if (anonymizer_init(&anonymizer, runner->job, hosts, runner->world->map.nodes, &err)) {
		report_message("error", err.text);
		anonymizer_release(&anonymizer);
		return EXIT_INPUT;
	}
	for (unsigned i = 0; i < runner->job->test_count; i++) {
		struct test_result test = {
			.number = i, .spec = &runner->job->tests[i], .plan = &runner->plans[i]};

		report_plan(stdout, &test, hosts, &anonymizer, run_of(runner->job)->verbose);
	}
	anonymizer_release(&anonymizer);
	return EXIT_GOOD;
}

enum exit_code run_show_plan(const struct job *job, struct world *world)
{
	struct runner runner = runner_of(job, world, NULL);
	enum exit_code code = plans_build(&runner);

	if (code != EXIT_GOOD)
		return code;
	code = print_plans(&runner);
	plans_release(&runner);
	return code;
}

enum exit_code run_dry(const struct job *job, struct world *world, struct clock *clock)
{
	struct runner runner = runner_of(job, world, clock);
	enum exit_code code = start_job(&runner);

	if (code == EXIT_GOOD)
		code = print_plans(&runner);
	if (runner.plans)
		finish_node(&runner);
	return code;
}

enum exit_code run_job(const struct job *job, struct world *world, struct clock *clock, int argc,
		       char *const *argv)
{
	struct runner runner = runner_of(job, world, clock);
	enum exit_code code = start_job(&runner);

	const bool nothing_left = runner.resume.nothing_left;

	if (code == EXIT_GOOD && !nothing_left)
		code = open_report(&runner, argc, argv);
	if (code != EXIT_GOOD || nothing_left) {
		if (runner.plans)
			finish_node(&runner);
		return code;
	}
	if (job_cleans_loads(job))
		run_cleanup_of_loads(&runner);
	else
		run_visits(&runner);
	finish_job(&runner);
	free(runner.live.parts);
	job_leave(&runner);
	return runner.code;
}
