/* The plans of all tests of a job. */
#include <stdlib.h>
#include <string.h>

#include "backends/registry.h"
#include "base/memory.h"
#include "plan/steps.h"
#include "plan/workload.h"
#include "run/state.h"

static void merge_least(void *context, struct text *mine, const void *theirs, size_t length)
{
	uint64_t own, other;

	memcpy(&own, mine->bytes, sizeof(own));
	memcpy(&other, theirs, length);
	if (other < own)
		memcpy(mine->bytes, &other, sizeof(other));
}

static uint64_t least_memory(const struct world *world)
{
	uint64_t memory = memory_limit();

	comm_fold_fixed(&world->all, &memory, sizeof(memory), merge_least, NULL, NULL);
	comm_share_fixed(&world->all, &memory, sizeof(memory), NULL);
	return memory;
}

static bool are_of_one_study(const struct test_spec *a, const struct test_spec *b)
{
	return (a->study.made && b->study.made && a->study.number == b->study.number) ||
	       b->set.alone;
}

/* The last earlier test that changes the trees decides what this test will find. */
static int check_trees(const struct runner *runner, size_t number, struct error *err)
{
	const struct plan *plans = runner->plans;
	const struct test_spec *tests = runner->job->tests;
	char path[PLAN_PATH_SIZE];

	for (size_t i = number; i > 0; i--)
		if (plan_changes_trees(&plans[i - 1], &plans[number], path))
			return plan_check_trees(&plans[i - 1], &plans[number], path,
						are_of_one_study(&tests[i - 1], &tests[number]),
						err);
	return 0;
}

/* The facts for a test: a member of a set sees its own tasks only. */
static struct facts facts_of(const struct runner *runner, size_t number)
{
	const struct seating *seating = &runner->seatings[number];
	struct facts facts = runner->facts;

	if (seating->map.tasks)
		facts.map = &seating->map;
	facts.first_task = seating->seats.first_task;
	return facts;
}

/* True of loads that make and remove nothing: the bytes that they write follow from the place. */
static bool keeps_files(const struct plan *plan)
{
	return plan->load && plan->load->layout == LAYOUT_NONE;
}

/* Two members of a set would destroy each other's data, except loads of files that are there. */
static int check_paths(const struct runner *runner, size_t number, struct error *err)
{
	const struct plan *plans = runner->plans;
	const struct job *job = runner->job;
	char own[PLAN_PATH_SIZE], other[PLAN_PATH_SIZE];

	for (size_t i = number; i > 0 && job->tests[number].set.number &&
				job->tests[i - 1].set.number == job->tests[number].set.number;
	     i--)
		for (uint32_t a = 0; a < plans[number].path_count; a++)
			for (uint32_t b = 0; b < plans[i - 1].path_count; b++) {
				plan_base(&plans[number], a, own);
				plan_base(&plans[i - 1], b, other);
				if (!plans[number].backend->no_storage &&
				    !(keeps_files(&plans[number]) && keeps_files(&plans[i - 1])) &&
				    plan_same_path(own, other))
					return error_input(
						err,
						"%s: two members of TOGETHER have %.300s; give "
						"each a name of its own%s",
						plan_traits(&plans[number])->key, own,
						plans[number].load && plans[i - 1].load
							? ", or both layout=none"
							: "");
			}
	return 0;
}

static int plan_test(struct runner *runner, size_t number, struct error *err)
{
	const struct job *job = runner->job;
	const struct test_spec *spec = &job->tests[number];
	const struct backend *backend = registry_backend(test_of(spec)->api, err);
	struct plan *plan = &runner->plans[number];
	struct facts facts = facts_of(runner, number);

	if (!backend || traces_find(runner, number, &facts.trace, err) ||
	    plan_build_test(plan, spec, backend, &facts, err))
		return -1;
	if (runner->seatings[number].map.tasks)
		plan->seats = &runner->seatings[number].seats;
	if (!check_trees(runner, number, err) && !check_paths(runner, number, err))
		return 0;
	plan_release(plan);
	return -1;
}

/* The tasks of the job that belong to no member of the set. */
static void count_sleeping(struct runner *runner, size_t first, size_t size)
{
	uint32_t sleeping = runner->facts.map->tasks;

	for (size_t i = first; i < first + size; i++)
		sleeping -= runner->plans[i].map.tasks;
	for (size_t i = first; i < first + size; i++)
		runner->plans[i].sleeping_tasks = sleeping;
}

static int plan_tests(struct runner *runner, struct error *err)
{
	const struct job *job = runner->job;

	for (size_t i = 0; i < job->test_count; i++) {
		if (!plan_test(runner, i, err))
			continue;
		if (!job_add_location(job, &job->tests[i], err) && job->test_count > 1)
			error_add(err, "test %zu", i);
		for (size_t k = 0; k < i; k++)
			plan_release(&runner->plans[k]);
		return -1;
	}
	for (size_t i = 0, size; i < job->test_count; i += size) {
		size = set_size(job, i);
		if (job->tests[i].set.number)
			count_sleeping(runner, i, size);
		if (job->tests[i].set.number && !job->tests[i].set.alone)
			plans_put_beside(&runner->plans[i], (unsigned)size, (unsigned)i);
	}
	return 0;
}

static struct facts gather_facts(const struct world *world)
{
	return (struct facts){
		.map = &world->map,
		.memory_per_node = least_memory(world),
	};
}

static void release_seatings(struct runner *runner)
{
	for (size_t i = 0; runner->seatings && i < runner->job->test_count; i++)
		seating_release(&runner->seatings[i]);
	traces_release(runner);
	free(runner->plans);
	free(runner->crews);
	free(runner->seatings);
	runner->plans = NULL;
	runner->crews = NULL;
	runner->seatings = NULL;
}

enum exit_code plans_build(struct runner *runner)
{
	struct error err = {0};

	runner->facts = gather_facts(runner->world);
	runner->plans = memory_allocate(runner->job->test_count, sizeof(*runner->plans));
	runner->traces = memory_allocate(runner->job->test_count, sizeof(*runner->traces));
	runner->crews = memory_allocate(runner->job->test_count, sizeof(*runner->crews));
	runner->seatings = memory_allocate(runner->job->test_count, sizeof(*runner->seatings));
	if (!deal_tasks(runner->job, runner->facts.map, runner->seatings, &err) &&
	    !plan_tests(runner, &err))
		return EXIT_GOOD;
	if (leads(runner))
		report_message("error", err.text);
	release_seatings(runner);
	return EXIT_INPUT;
}

void plans_release(struct runner *runner)
{
	for (size_t i = 0; runner->plans && i < runner->job->test_count; i++)
		plan_release(&runner->plans[i]);
	release_seatings(runner);
}
