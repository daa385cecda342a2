/* How the core starts a session on several tasks: what task 0 prepares, all get, or all fail. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backends/fault.h"
#include "engine/core/session.h"
#include "fake.h"
#include "subject.h"

/* One task of a test that uses fake, on all tasks of the launch. */
struct scene {
	struct crew crew;
	struct plan plan;
	struct option_set sets[2];
	struct test_spec spec;
	struct worker worker;
};

enum { FAKE, FAULT };

static void scene_init(struct scene *scene)
{
	static const struct test test = {.test_file = "file"};

	memset(scene, 0, sizeof(*scene));
	scene->crew.comm.handle = MPI_COMM_WORLD;
	MPI_Comm_rank(MPI_COMM_WORLD, &scene->crew.comm.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &scene->crew.comm.size);
	scene->plan.backend = &fake_backend;
	scene->plan.queue_depth = 1;
	scene->plan.test = &test;
	scene->plan.path_count = 1;
	option_set_init(&scene->sets[FAKE], &fake_options);
	option_set_init(&scene->sets[FAULT], &fault_options);
	scene->spec.backends = scene->sets;
	scene->spec.backend_count = LENGTH_OF(scene->sets);
	scene->worker.crew = &scene->crew;
	scene->worker.task = (uint32_t)scene->crew.comm.rank;
	scene->worker.plan = &scene->plan;
}

static void scene_release(struct scene *scene)
{
	option_set_release(&scene->sets[FAKE]);
	option_set_release(&scene->sets[FAULT]);
}

static void set(struct scene *scene, int which, const char *key, const char *value)
{
	struct option_set *options = &scene->sets[which];
	const struct origin origin = {.kind = ORIGIN_COMMAND_LINE};

	assert_ok(option_set_value(options, option_find(options->table, key), value, origin, err));
}

/* The largest of all tasks' numbers. */
static uint64_t largest(uint64_t mine)
{
	MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
	return mine;
}

static void handles_that_task_0_prepared_reach_every_task(void **state)
{
	struct scene scene;
	struct error err = {0};
	int ret;

	(void)state;
	scene_init(&scene);
	ret = session_start(&scene.worker, &scene.spec, &err);
	assert_int_equal(largest(ret < 0), 0);
	assert_true(fake_connection(scene.worker.session) != 0);
	assert_true(largest(fake_connection(scene.worker.session)) ==
		    fake_connection(scene.worker.session));
	assert_ok(session_stop(&scene.worker, err));
	scene_release(&scene);
}

static void a_prepare_that_fails_is_an_error_of_every_task(void **state)
{
	struct scene scene;
	struct error err = {0};
	const char *begins;

	(void)state;
	scene_init(&scene);
	set(&scene, FAKE, "locked", "1");
	begins = scene.crew.comm.rank ? "task 0 could not prepare"
				      : "pool_connect: pool0: Permission";
	assert_int_equal(session_start(&scene.worker, &scene.spec, &err), -1);
	assert_int_equal(err.kind, ERROR_IO);
	assert_int_equal(err.code, scene.crew.comm.rank ? 0 : EACCES);
	assert_memory_equal(err.text, begins, strlen(begins));
	assert_false(scene.worker.state.entered);
	assert_ok(session_stop(&scene.worker, err));
	scene_release(&scene);
}

static void handles_pass_through_the_fault_wrapper(void **state)
{
	struct scene scene;
	struct error err = {0};
	int ret;

	(void)state;
	scene_init(&scene);
	set(&scene, FAULT, "operation", "stop"); /* nothing before it goes wrong */
	ret = session_start(&scene.worker, &scene.spec, &err);
	assert_int_equal(largest(ret < 0), 0);
	assert_fails(session_stop(&scene.worker, err), EIO);
	scene_release(&scene);
}

const struct CMUnitTest session_tests[] = {
	cmocka_unit_test(handles_that_task_0_prepared_reach_every_task),
	cmocka_unit_test(a_prepare_that_fails_is_an_error_of_every_task),
	cmocka_unit_test(handles_pass_through_the_fault_wrapper),
};
const size_t session_test_count = LENGTH_OF(session_tests);
