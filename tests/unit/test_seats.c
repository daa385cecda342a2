/* Where the tasks of a crew sit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan/seats.h"

/*
 * Four slots on each of three nodes of a job. Crew a has slots 2 and 3 of node 0 and slots 0 and 1
 * of node 2; crew b has slots 0 and 1 of node 0, all of node 1 and slot 3 of node 2. The last node
 * in a's list is behind its two nodes.
 */
static const uint32_t a_nodes[] = {2, 0, 1}, a_slots[] = {0, 2};
static const uint32_t b_slots[] = {0, 0, 3};
static struct node_map a_map, b_map;
static const struct seats a = {.map = &a_map, .node_of = a_nodes, .slot_of = a_slots},
			  b = {.map = &b_map, .slot_of = b_slots}, first_slots = {.map = &b_map};

static int set_up(void **state)
{
	(void)state;
	node_map_append(&a_map, 0, 2);
	node_map_append(&a_map, 1, 2);
	node_map_append(&b_map, 0, 2);
	node_map_append(&b_map, 1, 4);
	node_map_append(&b_map, 2, 1);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	node_map_release(&a_map);
	node_map_release(&b_map);
	return 0;
}

static void a_crew_counts_its_own_nodes(void **state)
{
	(void)state;
	assert_int_equal(seats_node(&a, 2), 0);
	assert_int_equal(seats_node(&a, 0), 1);
	assert_int_equal(seats_node(&a, 1), SEATS_NONE);
	assert_int_equal(seats_node(&b, 2), 2);
	assert_int_equal(seats_node(&b, 3), SEATS_NONE);
}

static void tasks_are_counted_by_the_node_of_the_job(void **state)
{
	(void)state;
	assert_int_equal(seats_count(&a, 0), 2);
	assert_int_equal(seats_count(&a, 1), 0);
	assert_int_equal(seats_count(&b, 1), 4);
	assert_int_equal(seats_first_slot(&a, 0), 2);
	assert_int_equal(seats_first_slot(&a, 2), 0);
	assert_int_equal(seats_first_slot(&first_slots, 2), 0);
}

static void every_slot_has_at_most_one_task_of_both_crews(void **state)
{
	uint32_t of_a = 0, of_b = 0;

	(void)state;
	for (uint32_t node = 0; node < 3; node++) {
		for (uint32_t slot = 0; slot < 4; slot++) {
			const int64_t in_a = seats_task(&a, node, slot),
				      in_b = seats_task(&b, node, slot);

			assert_true(in_a == SEATS_NONE || in_b == SEATS_NONE);
			of_a += in_a != SEATS_NONE;
			of_b += in_b != SEATS_NONE;
		}
	}
	assert_int_equal(of_a, a_map.tasks);
	assert_int_equal(of_b, b_map.tasks);
}

static void a_slot_leads_to_its_task(void **state)
{
	(void)state;
	assert_int_equal(seats_task(&a, 2, 0), 0);
	assert_int_equal(seats_task(&a, 0, 3), 3);
	assert_int_equal(seats_task(&a, 0, 1), SEATS_NONE);
	assert_int_equal(seats_task(&b, 2, 3), 6);
	assert_int_equal(seats_task(&b, 2, 2), SEATS_NONE);
	assert_int_equal(seats_task(&first_slots, 2, 0), 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crew_counts_its_own_nodes),
		cmocka_unit_test(tasks_are_counted_by_the_node_of_the_job),
		cmocka_unit_test(every_slot_has_at_most_one_task_of_both_crews),
		cmocka_unit_test(a_slot_leads_to_its_task),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
