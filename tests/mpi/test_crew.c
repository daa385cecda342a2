/*
 * A set of two crews on interleaved slots and nodes. Ranks are dealt to two pretended nodes in
 * turn; the crew of even tasks has ranks 0, 2 and 3, so slots 0 and 1 of node 0 and slot 1 of node
 * 1, that of odd tasks ranks 1 and 4. With fewer ranks a crew may be smaller or missing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "comm/crew.h"
#include "comm/offsets.h"
#include "engine/core/agree.h"
#include "tests/mpi/tasks.h"

enum { EVEN, ODD, CREWS, NODES = 2 };

static const int crew_of_rank[] = {EVEN, ODD, EVEN, EVEN, ODD};
static const uint32_t odd_nodes[] = {1, 0};
static const uint32_t first_slots[CREWS][NODES] = {{0, 1}, {0, 2}};

static struct world real, world; /* world: the same tasks on pretended nodes */

struct scene {
	struct node node;
	struct clock clock;
	struct node_map maps[CREWS];
	struct crew crews[CREWS], set;
	int mine;
	struct worker worker;
	struct idle idle;
};

static void poll_stop(void *context)
{
	stop_poll(&((struct worker *)context)->stop);
}

static void pretend_nodes(void)
{
	world = real;
	world.map = (struct node_map){0};
	for (int rank = 0; rank < world.all.size; rank++)
		node_map_append(&world.map, (uint32_t)rank % NODES, 1);
	world.node = (uint32_t)world.all.rank % NODES;
	world.slot = (uint32_t)world.all.rank / NODES;
	world.node_tasks = node_map_tasks_on(&world.map, world.node);
}

static void start_crews(struct scene *scene)
{
	for (int crew = 0; crew < CREWS; crew++) {
		struct seats seats = {
			.map = &scene->maps[crew],
			.node_of = crew == ODD ? odd_nodes : NULL,
			.slot_of = first_slots[crew],
		};

		for (int rank = 0; rank < world.all.size; rank++)
			if (crew_of_rank[rank] == crew)
				node_map_append(&scene->maps[crew],
						(uint32_t)rank % NODES ^ (crew == ODD), 1);
		if (scene->maps[crew].tasks)
			crew_start(&scene->crews[crew], &world, seats);
	}
}

static void scene_start(struct scene *scene)
{
	struct error err = {0};

	*scene = (struct scene){.mine = crew_of_rank[world.all.rank]};
	assert_int_equal(node_start(&scene->node, &world, 0, &err), 0);
	clock_start(&scene->clock);
	start_crews(scene);
	scene->set = crew_of_world(&world);
	scene->idle = (struct idle){poll_stop, &scene->worker};
	scene->worker = (struct worker){
		.crew = &scene->crews[scene->mine],
		.set = &scene->set,
		.node = &scene->node,
		.node_number = world.node,
		.idle = &scene->idle,
		.task = (uint32_t)scene->crews[scene->mine].comm.rank,
		.host = world.host,
		.clock = &scene->clock,
	};
	scene->worker.stop.node = &scene->node;
}

static void scene_stop(struct scene *scene)
{
	comm_wait_for_all(&world.all, NULL);
	for (int crew = 0; crew < CREWS; crew++) {
		if (scene->maps[crew].tasks)
			crew_stop(&scene->crews[crew]);
		node_map_release(&scene->maps[crew]);
	}
	node_finish(&scene->node);
}

static void each_task_is_in_one_crew(void **state)
{
	struct scene scene;

	(void)state;
	scene_start(&scene);
	const struct crew *crew = &scene.crews[scene.mine];

	assert_int_equal(crew->comm.size, (int)crew->seats.map->tasks);
	assert_int_equal(seats_task(&crew->seats, world.node, world.slot), crew->comm.rank);
	if (scene.maps[!scene.mine].tasks && crew->seats.map->tasks < world.map.tasks)
		assert_true(scene.crews[!scene.mine].comm.handle == MPI_COMM_NULL);
	scene_stop(&scene);
}

static void a_failure_is_the_crews_and_the_stop_is_the_sets(void **state)
{
	(void)state;
	for (int from = 0; from < world.all.size; from++) {
		struct scene scene;
		struct agreement end;
		const struct error error = {.kind = ERROR_IO, .text = "made"};
		bool same_crew = crew_of_rank[from] == crew_of_rank[world.all.rank];

		scene_start(&scene);
		stop_start(&scene.worker.stop, &scene.node, &scene.set);
		if (world.all.rank == from) {
			scene.worker.failure =
				(struct failure){.error = error, .task = scene.worker.task};
			stop_request(&scene.node, STOP_FAILURE);
		}
		while (stop_poll(&scene.worker.stop) == STOP_NONE)
			;
		agreement_start(&end, &scene.worker);
		agree(&scene.worker, &end);
		agree_on_stop(&scene.worker, &end);
		stop_settle(&scene.worker.stop, end.stop);
		assert_int_equal(end.failed_tasks, same_crew);
		assert_int_equal(end.failure.error.kind, same_crew ? ERROR_IO : ERROR_NONE);
		assert_int_equal(end.stop, STOP_FAILURE);
		scene_stop(&scene);
	}
}

static void both_crews_start_at_one_moment(void **state)
{
	struct scene scene;

	(void)state;
	scene_start(&scene);
	offsets_estimate(&scene.set, &scene.node, &scene.clock, NODE_TIME_BEFORE);
	start_together(&scene.worker, scene.worker.set);
	uint64_t at_ns[] = {scene.worker.start.at_ns, ~scene.worker.start.at_ns};

	comm_most(&world.all, at_ns, 2);
	assert_true(at_ns[0] == ~at_ns[1]);
	scene_stop(&scene);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_task_is_in_one_crew),
		cmocka_unit_test(a_failure_is_the_crews_and_the_stop_is_the_sets),
		cmocka_unit_test(both_crews_start_at_one_moment),
	};
	int failed;

	world_start(&argc, &argv, &real);
	world_find_nodes(&real);
	pretend_nodes();
	failed = tasks_run_tests(&world, tests);
	node_map_release(&world.map);
	world_finish(&real);
	return failed;
}
