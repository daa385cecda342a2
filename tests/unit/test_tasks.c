/* Which tasks take part in a test, how its work is shared, and what memory it occupies. */
#include <inttypes.h>
#include <stdio.h>

#include "tests/unit/plan_scene.h"

#include "base/units.h"

static void assert_tasks_on(const char *words, uint32_t first, uint32_t second, uint32_t third)
{
	const uint32_t wanted[] = {first, second, third};
	struct plan_scene scene;

	plan_scene_start(&scene, 3, 4, 0, words);
	for (uint32_t node = 0; node < 3; node++)
		assert_int_equal(
			node < scene.plan.map.nodes ? node_map_tasks_on(&scene.plan.map, node) : 0,
			wanted[node]);
	plan_scene_stop(&scene);
}

static void placement_says_which_tasks_take_part(void **state)
{
	(void)state;
	assert_tasks_on("iorx", 4, 4, 4);
	assert_tasks_on("iorx -N 5", 4, 1, 0);
	assert_tasks_on("iorx -N 5 --placement=spread", 2, 2, 1);
	assert_tasks_on("iorx -N 5 --placement=packed", 4, 1, 0);
	assert_tasks_on("iorx -N 50", 4, 4, 4);
}

static void what_a_script_says_of_nodes_is_compared(void **state)
{
	(void)state;
	assert_no_plan(3, 4, 0, "iorx -O numNodes=2", "num_nodes: 2 is given");
	assert_no_plan(3, 4, 0, "iorx -O numTasksOnNode0=2", "num_tasks_on_node_0: 2 is given");
}

static void strong_scaling_shares_blocks(void **state)
{
	struct plan_scene scene;

	(void)state;
	plan_scene_start(&scene, 1, 4, 0, "iorx -b 64m -t 1m --scaling=strong");
	assert_int_equal(scene.plan.geometry.block, 16 * MIB);
	assert_int_equal(scene.plan.bytes, 64 * MIB);
	plan_scene_stop(&scene);
	plan_scene_start(&scene, 1, 4, 0, "iorx -b 1m -s 8 -t 1m --scaling=strong");
	assert_int_equal(scene.plan.geometry.segments, 2);
	plan_scene_stop(&scene);
	assert_no_plan(1, 3, 0, "iorx -b 64m -t 1m --scaling=strong",
		       "block_size: 64MiB in transfers of 1MiB");
	assert_no_plan(1, 3, 0, "iorx -b 1m -s 8 -t 1m --scaling=strong",
		       "segment_count: 8 cannot be shared");
}

static void strong_scaling_shares_items_as_evenly_as_can_be(void **state)
{
	struct plan_scene scene;

	(void)state;
	plan_scene_start(&scene, 1, 3, 0, "mdtest -n 200 --scaling=strong");
	assert_int_equal(plan_items_of(&scene.plan, 0), 67);
	assert_int_equal(plan_items_of(&scene.plan, 1), 67);
	assert_int_equal(plan_items_of(&scene.plan, 2), 66);
	assert_int_equal(scene.plan.files, 200);
	plan_scene_stop(&scene);
	assert_no_plan(1, 3, 0, "mdtest -n 200 -S --scaling=strong",
		       "items: 200 cannot be shared by 3 tasks");
	assert_no_plan(1, 3, 0, "mdtest -I 200 --scaling=strong",
		       "scaling: strong shares the items");
}

static void memory_hogs_are_sizes_or_shares_of_a_node(void **state)
{
	struct plan_scene scene;

	(void)state;
	plan_scene_start(&scene, 1, 2, 64 * GIB, "iorx -M 50%");
	assert_int_equal(scene.plan.memory_hog_per_node, 32 * GIB);
	plan_scene_stop(&scene);
	plan_scene_start(&scene, 1, 2, 0, "iorx -M 3g");
	assert_int_equal(scene.plan.memory_hog_per_node, 3 * GIB);
	plan_scene_stop(&scene);
	assert_no_plan(1, 2, 0, "iorx -M 50%",
		       "memory_per_node: the memory of the nodes is not known");
	assert_no_plan(1, 2, 64 * GIB, "iorx -M 50%%", "memory_per_node: \"50%%\" is no share");
	assert_no_plan(1, 2, 4 * GIB, "iorx -M 4g", "memory_per_node: a memory hog of 4096 MiB");
}

/* A memory hog fits if it and what the two tasks need themselves are not more than the memory. */
static void assert_fits_exactly(const char *words, uint64_t hog_mib, const char *option)
{
	const uint64_t runtime = 64 << 20; /* of a task: the program and its MPI library */
	struct plan_scene scene;
	char refused[200];

	plan_scene_plan(&scene, 1, 2, words);
	const uint64_t needed = (hog_mib << 20) + 2 * (scene.plan.memory_per_task + runtime);

	plan_scene_stop(&scene);
	plan_scene_start(&scene, 1, 2, needed, words);
	assert_int_equal(scene.ret, 0);
	plan_scene_stop(&scene);
	snprintf(refused, sizeof(refused),
		 "%s: a memory hog of %" PRIu64 " MiB and the memory that 2 tasks need themselves "
		 "do not fit into the %" PRIu64 " MiB",
		 option, hog_mib, (needed - 1) >> 20);
	assert_no_plan(1, 2, needed - 1, words, refused);
}

static void memory_hogs_leave_room_for_the_tasks(void **state)
{
	(void)state;
	assert_fits_exactly("iorx -M 4g", 4096, "memory_per_node");
	assert_fits_exactly("iorx --memory-per-task=1g", 2048, "memory_per_task");
	assert_no_plan(1, 2, 64 * GIB, "iorx -M 101%", "memory_per_node: \"101%\" is no share");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(placement_says_which_tasks_take_part),
		cmocka_unit_test(what_a_script_says_of_nodes_is_compared),
		cmocka_unit_test(strong_scaling_shares_blocks),
		cmocka_unit_test(strong_scaling_shares_items_as_evenly_as_can_be),
		cmocka_unit_test(memory_hogs_are_sizes_or_shares_of_a_node),
		cmocka_unit_test(memory_hogs_leave_room_for_the_tasks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
