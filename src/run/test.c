/* One test of a running job. */
#include <stdlib.h>
#include <string.h>

#include "engine/core/memory_hog.h"
#include "engine/core/session.h"
#include "engine/data/data_state.h"
#include "engine/works.h"
#include "plan/workload.h"
#include "run/state.h"

void poll_while_waiting(void *context)
{
	struct worker *worker = context;

	stop_poll(&worker->stop);
	if (worker->relay)
		relay_poll(worker->relay);
	if (worker->post)
		post_poll(worker->post);
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

struct post *test_post(struct runner *runner)
{
	return runner->node.words ? &runner->intervals.post : NULL;
}

static void start_worker(struct test_run *run, struct idle *idle)
{
	struct runner *runner = run->runner;

	*idle = (struct idle){poll_while_waiting, &run->worker};
	run->worker = (struct worker){
		.crew = run->crew,
		.set = run->lines ? &runner->everyone : run->crew,
		.node = &runner->node,
		.idle = idle,
		.relay = intervals_wanted(run->plan) ? &runner->intervals.relay : NULL,
		.post = run->lines ? test_post(runner) : NULL,
		.task = (uint32_t)run->crew->comm.rank,
		.rank = (uint32_t)runner->world->all.rank,
		.node_number = runner->world->node,
		.host = runner->world->host,
		.clock = runner->clock,
		.plan = run->plan,
		.trees = plan_of_trees(run->plan),
		.spares_private =
			test_spec_spares_private(run->spec, &run->spec->core, "content_file"),
		.seed = content_seed(run->test, runner->seed),
		.deadline_ns = UINT64_MAX,
		.table = runner->table,
	};
	works_start(&run->worker);
	run->worker.data->spares_foreign = run->spec->spares_foreign;
	if (resume_recorded(runner, run->number).begun)
		run->worker.data->made =
			(struct moments){runner->resume.began, runner->resume.until};
	run->worker.data->spares_private =
		test_spec_spares_private(run->spec, &run->spec->core, "test_file");
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
	if (plan_traits(run->plan)->has_names) {
		strncat(path, "/.", PLAN_PATH_SIZE - 1 - strlen(path));
		mount_read_nearest(&run->mount, path);
	} else {
		mount_read(&run->mount, path);
	}
}

static void stop_worker(struct test_run *run)
{
	struct agreement end = {0};
	struct error err = {0};
	int ret;

	run->worker.failure = (struct failure){0};
	node_set_activity(run->worker.node, ACTIVITY_STOP);
	ret = session_stop(&run->worker, &err);
	run->runner->left_open |= run->worker.left_open;
	if (!run->ended)
		test_settle(run, ret, &err, "stop", &end);
	worker_release_buffers(&run->worker);
	works_stop(&run->worker);
	memory_hog_release(&run->worker);
	if (run->worker.copies_private)
		umask(run->mask);
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
	if (leads_test(run) && !run->checks_only) {
		json_t *line = publish_end(run);

		if (!run->lines)
			live_test_ended(run->runner, run->number);
		if (!run->lines && !limits_only(run) && !plan_cleans(run->plan))
			ladder_add(run->runner, run->number, 1, &line);
		json_decref(line);
	}
	test_result_release(&run->result);
}

bool test_begin(struct test_run *run, struct idle *idle)
{
	struct runner *runner = run->runner;
	const bool begins = !run->checks_only && !run->left;

	resume_clocks(run);
	start_worker(run, idle);
	node_set_activity(run->worker.node, ACTIVITY_FILES);
	if (leads_test(run) && begins)
		test_read_mount(run);
	if (begins && !plan_cleans(run->plan))
		limits_find(run);
	if (leads(runner) && begins && !run->lines)
		resume_report_test(run);
	if (begins && !run->lines)
		resume_test(run);
	if (limits_only(run) && !run->checks_only) {
		run->result.repetitions_end = REPETITIONS_ENDED;
		return false;
	}
	if (test_check_ready(run) || run->checks_only)
		return false;
	if (plan_cleans(run->plan)) {
		test_clean(run);
		return false;
	}
	return !test_make_buffers(run);
}

void test_finish(struct test_run *run)
{
	stop_worker(run);
	run->wanted &= !run->ended;
	if (!run->wanted)
		test_end(run);
	run->left = now_epoch();
}

/* The state of the job that every task must know after a visit. */
struct visit_end {
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
		.until = UINT64_MAX,
		.count = resume_recorded(runner, number).repetitions,
	};
	run->result = (struct test_result){
		.number = number,
		.spec = run->spec,
		.plan = run->plan,
		.session = runner->resume.session,
	};
	run->result.seed = content_seed(run->test, runner->seed);
}

/* Tasks outside the crew sleep here until the test is over. */
static void share_with_sleepers(struct runner *runner, struct test_run *run)
{
	struct visit_end end = {runner->over, run->wanted, runner->code, runner->status};

	node_broadcast(&runner->node, &end, sizeof(end));
	runner->over = end.over;
	run->wanted = end.wanted;
	runner->code = end.code;
	runner->status = end.status;
}

void test_visit(struct test_run *run)
{
	struct runner *runner = run->runner;
	struct crew *crew = crew_of(runner, run->plan);
	struct idle idle;

	atomic_store(&runner->repetition, run->count);
	atomic_store(&runner->running, ((struct running){run->number, 1}));
	crew_start(crew, runner->world, test_seats(runner, run->number));
	if (!crew_is_all(crew))
		node_find_leaders(&runner->node, runner->world);
	const bool takes_part = crew->comm.handle != MPI_COMM_NULL;
	const bool runs = takes_part && test_begin(run, &idle);

	run->wanted = runs && (run->left || repetition_wanted(run, run->count));
	while (run->wanted && run->count < run->until) {
		repetition_run(run, run->count++);
		run->wanted = repetition_wanted(run, run->count);
	}
	if (runs && !run->wanted)
		repetitions_end(run, run->count);
	if (takes_part)
		test_finish(run);
	if (crew_is_all(crew))
		return;
	node_set_activity(&runner->node, ACTIVITY_WAITING);
	crew_stop(crew);
	if (run->spec->set.number)
		share_outcome(runner);
	else
		share_with_sleepers(runner, run);
}

void test_visit_once(struct runner *runner, unsigned number, bool checks_only)
{
	struct test_run run;

	test_init(&run, runner, number);
	run.checks_only = checks_only;
	test_visit(&run);
}
