/*
 * No fault makes anybody wait for ever: every backend that is built in, behind the fault wrapper,
 * in every mode it has, with one file for all and one for each, through the engine's own phases. A
 * case that takes too long ends the program with its name. Between the phases the tasks wait
 * without spinning: MPICH's blocking calls would, and there are more tasks than CPUs.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/registry.h"
#include "base/memory.h"
#include "comm/world.h"
#include "engine/core/session.h"
#include "engine/data/files.h"
#include "engine/phase.h"
#include "engine/works.h"
#include "options/job.h"

enum { CASE_SECONDS = 60, VALUES = 12 };

/* What may be asked for on top of independent, synchronous transfers. */
static const struct mode {
	const char *name, *key, *value;
} modes[] = {
	{"independent", NULL, NULL},
	{"collective", "collective", "yes"},
	{"strided", "strided", "yes"},
	{"queued", "queue_depth", "4"},
};

static const struct fault {
	const char *operation, *kind, *after, *count;
} faults[] = {
	{"open", "fail", "0", "1"},   {"write", "fail", "0", "1"},    {"write", "fail", "3", "1"},
	{"write", "short", "1", "1"}, {"write", "lose", "2", "1"},    {"read", "fail", "1", "1"},
	{"read", "short", "1", "1"},  {"sync", "fail", "0", "1"},     {"close", "fail", "0", "1"},
	{"any", "fail", "5", "0"},    {"transfer", "fail", "0", "0"},
};

/* A case and where it stands. */
struct scene {
	const struct registration *entry;
	const struct mode *mode;
	const struct fault *fault;
	bool shared;
	const char *tasks; /* that have the fault */
	struct world *world;
	struct clock clock;
	struct node node;
	struct facts facts;
	unsigned ran, failed;
};

static char label[200];

static void hang(int signal)
{
	static const char said[] = "HANGS: ";

	(void)signal;
	if (write(STDERR_FILENO, said, sizeof(said) - 1) < 0 ||
	    write(STDERR_FILENO, label, strlen(label)) < 0)
		_exit(1);
	_exit(1); /* without MPI_Finalize: the launcher ends the others */
}

static void name_it(const struct scene *scene)
{
	snprintf(label, sizeof(label), "%s %s, %s, %s of %s after %s on %s\n", scene->entry->name,
		 scene->mode->name, scene->shared ? "one file" : "file per task",
		 scene->fault->kind, scene->fault->operation, scene->fault->after, scene->tasks);
}

static void complain(struct scene *scene, const char *what)
{
	scene->failed++;
	fprintf(stderr, "FAILS: task %d: %s: %s\n", scene->world->all.rank, what, label);
}

/* --- the job -------------------------------------------------------------------------------- */

/* False when the backend cannot do that, which is no matter of this test. */
static bool describe(const struct scene *scene, struct job *job)
{
	const struct {
		const char *key, *value;
	} values[] = {
		{"api", scene->entry->name},
		{"test_file", "matrix"},
		{"block_size", "64k"},
		{"transfer_size", "16k"},
		{"segment_count", "2"},
		{"fsync", "yes"},
		{"file_per_proc", scene->shared ? "no" : "yes"},
		{"fault.operation", scene->fault->operation},
		{"fault.kind", scene->fault->kind},
		{"fault.after", scene->fault->after},
		{"fault.count", scene->fault->count},
		{"fault.tasks", scene->tasks},
	};
	struct origin origin = {.kind = ORIGIN_COMMAND_LINE};
	struct test_spec *spec;
	struct error err = {0};

	_Static_assert(sizeof(values) / sizeof(values[0]) == VALUES, "each of them");
	job_init(job, registry_vocabulary());
	spec = job_add_test(job, NULL);
	for (size_t i = 0; i < VALUES; i++) {
		if (job_assign(job, spec, values[i].key, values[i].value, origin, &err)) {
			fprintf(stderr, "%s: %s\n", values[i].key, err.text);
			abort();
		}
	}
	if (scene->mode->key &&
	    job_assign(job, spec, scene->mode->key, scene->mode->value, origin, &err))
		abort();
	return job_complete(job, &err) == 0;
}

/* --- one case ------------------------------------------------------------------------------- */

static void poll_stop(void *context)
{
	struct worker *worker = context;

	stop_poll(&worker->stop);
}

/* Whether any task failed before the phases; the same answer on all. */
static bool failed_before(struct worker *worker, int ret, const struct error *err)
{
	struct agreement end;

	if (ret)
		worker_fail(worker, err, "start", UINT64_MAX, 0);
	agreement_start(&end, worker);
	agree(worker, &end);
	return end.failure.error.kind != ERROR_NONE;
}

/* All tasks know the same of the end, and there is one to know. */
static void check_end(struct scene *scene, const struct agreement *end)
{
	uint64_t known =
		end->failed_tasks * 1000003 + end->failure.task * 31 + end->failure.error.kind;
	uint64_t seen[] = {known, ~known}; /* the most and the least that any has */

	comm_most_of_late(&scene->world->all, seen, 2, NULL);
	if (seen[0] != ~seen[1])
		complain(scene, "the tasks do not agree");
}

static bool run_phases(struct scene *scene, struct worker *worker)
{
	struct agreement end = {0};
	bool failed = false;

	for (unsigned i = 0; i < worker->plan->phase_count && !failed; i++) {
		const struct phase_plan *phase = &worker->plan->phases[i];

		worker->measure = phase_measure_create(worker->plan, phase);
		phase_run(worker, phase, 0, &end);
		free(worker->measure);
		check_end(scene, &end);
		failed = end.failure.error.kind != ERROR_NONE;
	}
	return failed;
}

/* The wrapper changes nothing where a whole call is told to be short and continued. */
static bool must_fail(const struct scene *scene)
{
	if (!strcmp(scene->fault->kind, "fail"))
		return true;
	return !strcmp(scene->fault->kind, "lose") && !scene->entry->backend->no_storage;
}

static void run_test(struct scene *scene, struct job *job, const struct plan *plan)
{
	const struct crew crew = crew_of_world(scene->world);
	struct worker worker = {
		.crew = &crew,
		.set = &crew,
		.node = &scene->node,
		.task = (uint32_t)scene->world->all.rank,
		.rank = (uint32_t)scene->world->all.rank,
		.host = scene->world->host,
		.clock = &scene->clock,
		.plan = plan,
		.seed = 5,
		.deadline_ns = UINT64_MAX,
	};
	struct idle idle = {poll_stop, &worker};
	struct error err = {0};

	worker.idle = &idle;
	worker.stop.node = &scene->node;
	works_start(&worker);
	bool failed = failed_before(&worker, session_start(&worker, &job->tests[0], &err), &err);

	if (!failed)
		failed = failed_before(&worker, worker_buffers(&worker, &err), &err) ||
			 run_phases(scene, &worker);
	if (!failed && must_fail(scene))
		complain(scene, "nothing failed");
	worker.failure = (struct failure){0};
	files_remove(&worker, 0, &err);
	session_stop(&worker, &err);
	worker_release_buffers(&worker);
	works_stop(&worker);
}

/* No request of the case before is left. */
static void forget_stop(struct scene *scene)
{
	comm_wait_for_all(&scene->world->all, NULL);
	atomic_store(&scene->node.shared->stop, STOP_NONE);
	atomic_store(&scene->node.shared->failures, 0);
	atomic_store(&scene->node.shared->failure_is_set, false);
	comm_wait_for_all(&scene->world->all, NULL);
}

static void run_case(struct scene *scene)
{
	struct error err = {0};
	struct plan plan;
	struct job job;

	name_it(scene);
	if (describe(scene, &job) && !plan_build(&plan, test_of(&job.tests[0]),
						 scene->entry->backend, &scene->facts, &err)) {
		alarm(CASE_SECONDS);
		forget_stop(scene);
		run_test(scene, &job, &plan);
		comm_wait_for_all(&scene->world->all, NULL);
		alarm(0);
		plan_release(&plan);
		scene->ran++;
	}
	job_release(&job);
}

/* --- all of them ---------------------------------------------------------------------------- */

static void run_faults(struct scene *scene)
{
	char last[12];

	snprintf(last, sizeof(last), "%d", scene->world->all.size - 1);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		scene->fault = &faults[i];
		scene->tasks = last;
		run_case(scene);
		if (scene->world->all.size == 1)
			continue;
		scene->tasks = "0";
		run_case(scene);
		scene->tasks = "all";
		run_case(scene);
	}
}

static void run_backend(struct scene *scene)
{
	double begin = MPI_Wtime();
	unsigned ran = scene->ran;

	for (size_t i = 0; i < 2 * sizeof(modes) / sizeof(modes[0]); i++) {
		scene->mode = &modes[i / 2];
		scene->shared = i % 2;
		run_faults(scene);
	}
	if (scene->world->all.rank == 0)
		printf("%s: %u cases, %.1f s\n", scene->entry->name, scene->ran - ran,
		       MPI_Wtime() - begin);
	fflush(stdout);
}

/* In its own folder, which is the same for all tasks. */
static void settle(void)
{
	const char *folder = getenv("TEST_TMPDIR");

	if (folder && chdir(folder))
		abort();
	signal(SIGALRM, hang);
}

int main(int argc, char **argv)
{
	struct world world = {0};
	struct scene scene = {.world = &world};
	struct error err = {0};
	unsigned failed;

	clock_start(&scene.clock);
	world_start(&argc, &argv, &world);
	world_find_nodes(&world);
	settle();
	if (clock_calibrate(&scene.clock, CLOCK_SOURCE_AUTO, &err) ||
	    node_start(&scene.node, &world, 0, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	scene.facts.map = &world.map;
	for (size_t i = 0; i < registry_count; i++) {
		scene.entry = &registry[i];
		/* what is named by a URL needs a server */
		if (registry[i].backend && strncmp(registry[i].backend->path_is, "a URL", 5) &&
		    (argc < 2 || !strcmp(argv[1], registry[i].name)))
			run_backend(&scene);
	}
	MPI_Allreduce(&scene.failed, &failed, 1, MPI_UNSIGNED, MPI_SUM, MPI_COMM_WORLD);
	node_finish(&scene.node);
	int rank = world.all.rank;

	world_finish(&world);
	return rank == 0 && failed ? 1 : 0;
}
