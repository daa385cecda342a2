/* Talking: joining, sharing, stopping and clocks, with as many "nodes" as there are tasks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "comm/offsets.h"
#include "comm/relay.h"
#include "comm/steal.h"
#include "comm/stop.h"
#include "comm/world.h"
#include "measure/fold.h"
#include "tests/mpi/tasks.h"

static struct world world;

enum { WORDS = 3 }; /* that each task counts */

static void append(void *context, struct text *mine, const void *theirs, size_t length)
{
	(void)context;
	text_add_bytes(mine, theirs, length);
}

static void joining_keeps_the_order_of_the_tasks(void **state)
{
	struct text blob = {0};

	(void)state;
	text_add(&blob, "<%d>", world.all.rank);
	comm_fold(&world.all, &blob, append, NULL, NULL);
	if (world.all.rank == 0) {
		struct text expected = {0};

		for (int i = 0; i < world.all.size; i++)
			text_add(&expected, "<%d>", i);
		assert_string_equal(text_string(&blob), text_string(&expected));
		text_release(&expected);
	}
	text_release(&blob);
}

static void what_task_0_has_all_get(void **state)
{
	struct text bytes = {0};

	(void)state;
	if (world.all.rank == 0)
		for (int i = 0; i < 100000; i++)
			text_add(&bytes, "%d,", i);
	else
		text_add(&bytes, "something else");
	comm_share(&world.all, &bytes, NULL);
	assert_int_equal(bytes.length, 588890);
	assert_memory_equal(bytes.bytes + bytes.length - 6, "99999,", 6);
	text_release(&bytes);
}

static void nothing_can_be_shared_too(void **state)
{
	struct text bytes = {0};

	(void)state;
	if (world.all.rank)
		text_add(&bytes, "old");
	comm_share(&world.all, &bytes, NULL);
	assert_int_equal(bytes.length, 0);
	text_release(&bytes);
}

static void tasks_on_this_machine_are_one_node(void **state)
{
	(void)state;
	assert_int_equal(world.map.nodes, 1);
	assert_int_equal(world.map.tasks, world.all.size);
	assert_int_equal(world.slot, world.all.rank);
	if (world.all.rank == 0)
		assert_string_equal(world.hosts[0], world.host);
	else
		assert_null(world.hosts);
}

static void slots_are_seen_by_the_neighbours(void **state)
{
	struct error err = {0};
	struct node node;

	(void)state;
	assert_int_equal(node_start(&node, &world, WORDS, &err), 0);
	atomic_store(&node.own->operations, 100 + (uint64_t)world.all.rank);
	comm_wait_for_all(&world.all, NULL);
	if (node.tasks > 1)
		for (uint32_t i = 0; i < node.tasks; i++)
			assert_int_equal(atomic_load(&node.shared->slots[i].operations), 100 + i);
	comm_wait_for_all(&world.all, NULL);
	node_finish(&node);
}

/* Each task a node of its own, with memory of its own. */
struct island {
	struct node_map map;
	struct crew crew;
	struct node node;
};

static void island_start(struct island *island)
{
	const size_t counts = sizeof(struct node_counts) + WORDS * sizeof(uint64_t) + 128;
	size_t size = sizeof(struct node_shared) + sizeof(struct node_slot) + counts;

	*island = (struct island){0};
	for (int i = 0; i < world.all.size; i++)
		node_map_append(&island->map, (uint32_t)i, 1);
	island->crew = (struct crew){.comm = world.all, .seats = {.map = &island->map}};
	island->node.shared = aligned_alloc(128, (size + 127) / 128 * 128);
	memset(island->node.shared, 0, size);
	island->node.own = &island->node.shared->slots[0];
	island->node.tasks = 1;
	island->node.words = WORDS;
}

static void island_finish(struct island *island)
{
	node_map_release(&island->map);
	free(island->node.shared);
}

static void poll_it(void *context)
{
	stop_poll(context);
}

static void a_stop_request_reaches_every_node_from_any(void **state)
{
	(void)state;
	for (int from = 0; from < world.all.size; from++) {
		struct island island;
		struct stop stop;
		struct idle idle = {poll_it, &stop};

		island_start(&island);
		stop_start(&stop, &island.node, &island.crew);
		if (world.all.rank == from)
			stop_request(&island.node, STOP_FAILURE);
		while (stop_poll(&stop) == STOP_NONE)
			;
		comm_wait_for_all(&world.all, &idle);
		stop_settle(&stop, STOP_FAILURE);
		island_finish(&island);
	}
}

static void without_a_request_nothing_is_left_over(void **state)
{
	(void)state;
	for (int round = 0; round < 3; round++) {
		struct island island;
		struct stop stop;

		island_start(&island);
		stop_start(&stop, &island.node, &island.crew);
		assert_int_equal(stop_poll(&stop), STOP_NONE);
		stop_settle(&stop, STOP_NONE);
		comm_wait_for_all(&world.all, NULL);
		assert_int_equal(atomic_load(&island.node.shared->stop), STOP_NONE);
		island_finish(&island);
	}
}

static void clocks_that_are_hours_apart_are_found_to_the_round_trip(void **state)
{
	struct error err;
	struct island island;
	struct clock clock;

	(void)state;
	clock_start(&clock);
	assert_int_equal(clock_calibrate(&clock, CLOCK_SOURCE_AUTO, &err), 0);
	if (clock.source != CLOCK_SOURCE_TSC) {
		print_message("needs a kernel whose clocksource is the TSC\n");
		skip();
	}
	/* Task p's clock goes p hours ahead. */
	const uint64_t ahead_ns = (uint64_t)world.all.rank * 3600 * UINT64_C(1000000000);

	clock.anchor_ns += ahead_ns;
	island_start(&island);
	for (enum node_time_when when = NODE_TIME_BEFORE; when < NODE_TIMES; when++) {
		struct node_time *time = &island.node.shared->times[when];

		offsets_estimate(&island.crew, &island.node, &clock, when);
		int64_t error_ns = atomic_load(&time->offset_ns) + (int64_t)ahead_ns;
		uint64_t residual_ns = atomic_load(&time->residual_ns);

		/* Both clocks are this machine's: what is left is the error; the residual covers
		 * it. */
		assert_true((uint64_t)llabs(error_ns) <= residual_ns + 2000);
		assert_true(world.all.rank == 0 || residual_ns > 0);
	}
	assert_true(node_time_drift(island.node.shared->times) <=
		    2 * node_time_residual(island.node.shared->times) + 4000);
	comm_wait_for_all(&world.all, NULL);
	island_finish(&island);
}

static void each_learns_the_number_of_another(void **state)
{
	int size = world.all.size, rank = world.all.rank;

	(void)state;
	for (int shift = 0; shift < size; shift++) {
		int source = (rank + shift) % size;

		assert_int_equal(comm_ask(&world.all, source, 1000 + (uint64_t)rank, NULL),
				 1000 + source);
		comm_wait_for_all(&world.all, NULL);
	}
}

static void the_largest_of_each_number_is_known_to_all(void **state)
{
	uint64_t numbers[] = {(uint64_t)world.all.rank, UINT64_MAX - (uint64_t)world.all.rank};
	uint64_t late[] = {7, (uint64_t)world.all.rank};

	(void)state;
	comm_most(&world.all, numbers, 2);
	assert_int_equal(numbers[0], world.all.size - 1);
	assert_int_equal(numbers[1], UINT64_MAX);
	comm_most_of_late(&world.all, late, 2, NULL);
	assert_int_equal(late[0], 7);
	assert_int_equal(late[1], world.all.size - 1);
}

static void a_gate_opens_when_the_last_task_has_come(void **state)
{
	struct comm other;
	struct gate gate;

	(void)state;
	comm_group(&world.all, true, &other);
	for (int last = 0; last < world.all.size; last++) {
		if (world.all.rank != last) {
			gate_enter(&gate, &world.all);
			assert_false(gate_is_open(&gate));
		}
		comm_wait_for_all(&other, NULL);
		if (world.all.rank == last)
			gate_enter(&gate, &world.all);
		gate_wait(&gate, NULL);
		assert_true(gate_is_open(&gate));
	}
	comm_release(&other);
}

static void a_group_holds_the_tasks_that_say_so(void **state)
{
	struct comm group;
	int half = (world.all.size + 1) / 2;

	(void)state;
	comm_group(&world.all, world.all.rank % 2 == 0, &group);
	if (world.all.rank % 2 == 0) {
		int value = world.all.rank == 0 ? 42 : 0;

		assert_int_equal(group.size, half);
		assert_int_equal(group.rank, world.all.rank / 2);
		comm_share_fixed(&group, &value, sizeof(value), NULL);
		assert_int_equal(value, 42);
	} else {
		assert_true(group.handle == MPI_COMM_NULL);
	}
	comm_release(&group);
	comm_wait_for_all(&world.all, NULL);
}

/* The interval that is taken next, on task 0. */
static struct relay_sums *take(struct relay *relay, struct relay_sums *sums)
{
	return relay_take(relay, sums) ? sums : NULL;
}

/* The last task takes its second interval late, with the third. */
static void sums_of_all_nodes_come_to_the_first_task(void **state)
{
	const uint64_t size = (uint64_t)world.all.size, rank = (uint64_t)world.all.rank;
	struct relay_sums *sums = calloc(1, sizeof(*sums) + WORDS * sizeof(uint64_t));
	const bool late = rank == size - 1;
	struct island island;
	struct relay relay;
	uint64_t *words;

	(void)state;
	island_start(&island);
	words = node_counts(&island.node, 0)->words;
	words[1] = 1000; /* of an earlier phase */
	relay_init(&relay, &island.node);
	relay_prepare(&relay, &island.crew, (uint32_t)rank);
	comm_wait_for_all(&world.all, NULL);
	relay_start(&relay, 5000, 100);
	words[0] += rank + 1;
	words[2] += 7;
	assert_int_equal(relay_sample(&relay, 5099), 5100);
	assert_int_equal(relay_sample(&relay, 5101), 5200);
	words[0] += 10;
	if (!late)
		assert_int_equal(relay_sample(&relay, 5200), 5300);
	relay_poll(&relay);
	words[0] += 100;
	assert_int_equal(relay_sample(&relay, 5300), 5400);
	words[0] += 1000;
	relay_poll(&relay);
	relay_leave(&relay, 5350);
	comm_wait_for_all(&world.all, NULL);
	relay_settle(&relay);
	assert_int_equal(relay_sample(&relay, 9999), UINT64_MAX);
	if (rank == 0) {
		uint64_t row = 0, seen = 0;

		while (take(&relay, sums)) {
			assert_int_equal(sums->number, ++row);
			assert_int_equal(sums->nodes, row == 2 ? size - 1 : size);
			assert_int_equal(sums->words[1], 0);
			assert_int_equal(sums->words[2], row == 1 ? 7 * size : 0);
			if (row == 1)
				assert_int_equal(sums->words[0], size * (size + 1) / 2);
			if (row == 4)
				assert_int_equal(sums->length_ns, 50 * size);
			seen += sums->words[0];
		}
		assert_int_equal(row, 4);
		assert_int_equal(seen, size * (size + 1) / 2 + 1110 * size);
	}
	relay_release(&relay);
	island_finish(&island);
	free(sums);
}

static void the_first_task_ends_the_phase_of_all(void **state)
{
	struct island island;
	struct relay relay;

	(void)state;
	island_start(&island);
	relay_init(&relay, &island.node);
	for (uint64_t round = 0; round < 3; round++) {
		relay_prepare(&relay, &island.crew, (uint32_t)world.all.rank);
		comm_wait_for_all(&world.all, NULL);
		relay_start(&relay, 5000, 100);
		if (world.all.rank == 0 && round < 2)
			relay_end_at(&relay, 777 + round);
		for (int i = 0; i < 5000 && round < 2 && !relay_end(&relay); i++) {
			relay_poll(&relay);
			usleep(1000);
		}
		assert_int_equal(relay_end(&relay), round < 2 ? 777 + round : 0);
		relay_leave(&relay, 5001);
		comm_wait_for_all(&world.all, NULL);
		relay_settle(&relay);
		assert_int_equal(relay_end(&relay), 0);
	}
	relay_release(&relay);
	island_finish(&island);
}

static void news_wake_those_who_sleep(void **state)
{
	struct node node;
	struct error err = {0};

	(void)state;
	assert_int_equal(node_start(&node, &world, WORDS, &err), 0);
	node_find_leaders(&node, &world);
	for (int round = 1; round <= 3; round++) {
		int news = world.all.rank == 0 ? 100 * round : -1;

		if (world.all.rank == 0)
			usleep(20000);
		node_broadcast(&node, &news, sizeof(news));
		assert_int_equal(news, 100 * round);
		comm_wait_for_all(&world.all, NULL);
	}
	node_finish(&node);
}

/* A piece of work is a number: 0 is done, any other makes two of one less. */
static void add_work(struct pile *pile, uint64_t number)
{
	memcpy(pile_add(pile, sizeof(number)), &number, sizeof(number));
}

static uint64_t work(struct steal *steal, struct pile *pile, uint64_t most)
{
	uint64_t done = 0;

	do {
		const char *piece;
		uint64_t number;
		size_t length;

		while ((piece = pile_take(pile, &length))) {
			memcpy(&number, piece, sizeof(number));
			for (int i = 0; number && i < 2; i++)
				add_work(pile, number - 1);
			if (++done == most)
				steal_give_up(steal);
			steal_serve(steal);
			/* Else one may be done before the others came. */
			if (done % 16 == 0)
				usleep(1000);
		}
	} while (steal_wait(steal, NULL));
	return done;
}

/* All work done together, and of this task. */
static uint64_t work_together(uint64_t depth, uint64_t most, uint64_t *own)
{
	struct pile pile = {0};
	struct steal *steal = steal_create(&world.all, &pile);
	uint64_t all;

	if (world.all.rank == world.all.size - 1)
		add_work(&pile, depth);
	*own = work(steal, &pile, most);
	assert_true(*own > 0 || steal_taken(steal) == 0);
	steal_free(steal);
	pile_release(&pile);
	MPI_Allreduce(own, &all, 1, MPI_UINT64_T, MPI_SUM, world.all.handle);
	return all;
}

static void work_is_done_once_by_all_together(void **state)
{
	uint64_t own;

	(void)state;
	/* Nothing, little, and enough for all. */
	assert_int_equal(work_together(0, UINT64_MAX, &own), 1);
	assert_int_equal(work_together(1, UINT64_MAX, &own), 3);
	assert_int_equal(work_together(12, UINT64_MAX, &own), (1 << 13) - 1);
	/* Some half a second of it: nobody can have done it alone. */
	assert_true(world.all.size == 1 || own < (1 << 13) - 1);
}

static void a_task_that_gives_up_keeps_nobody_waiting(void **state)
{
	const uint64_t whole = (1 << 11) - 1;
	uint64_t own, all;

	(void)state;
	all = work_together(10, world.all.rank % 2 ? 20 : UINT64_MAX, &own);
	assert_true(all <= whole);
	assert_true(world.all.rank % 2 == 0 || own <= 20);
	/* Nothing of it is left for the next one. */
	assert_int_equal(work_together(8, UINT64_MAX, &own), (1 << 9) - 1);
}

static void measures_of_all_tasks_become_one(void **state)
{
	static const enum operation operations[] = {OPERATION_WRITE};
	struct measure *measure = measure_create(operations, 1);
	const uint64_t tasks = (uint64_t)world.all.size;

	(void)state;
	measure->tasks = 1;
	measure->bytes = (uint64_t)world.all.rank;
	measure_add(&measure->records[0], 1000 + (uint64_t)world.all.rank, 1, 0,
		    (uint32_t)world.all.rank, 0);
	measure_fold(&world.all, measure, NULL);
	if (!world.all.rank) {
		assert_int_equal(measure->tasks, tasks);
		assert_int_equal(measure->bytes, tasks * (tasks - 1) / 2);
		assert_int_equal(measure->records[0].histogram.count, tasks);
		assert_int_equal(measure->records[0].worst.task, tasks - 1);
	}
	free(measure);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joining_keeps_the_order_of_the_tasks),
		cmocka_unit_test(what_task_0_has_all_get),
		cmocka_unit_test(nothing_can_be_shared_too),
		cmocka_unit_test(tasks_on_this_machine_are_one_node),
		cmocka_unit_test(slots_are_seen_by_the_neighbours),
		cmocka_unit_test(a_stop_request_reaches_every_node_from_any),
		cmocka_unit_test(without_a_request_nothing_is_left_over),
		cmocka_unit_test(clocks_that_are_hours_apart_are_found_to_the_round_trip),
		cmocka_unit_test(each_learns_the_number_of_another),
		cmocka_unit_test(the_largest_of_each_number_is_known_to_all),
		cmocka_unit_test(a_gate_opens_when_the_last_task_has_come),
		cmocka_unit_test(a_group_holds_the_tasks_that_say_so),
		cmocka_unit_test(sums_of_all_nodes_come_to_the_first_task),
		cmocka_unit_test(the_first_task_ends_the_phase_of_all),
		cmocka_unit_test(news_wake_those_who_sleep),
		cmocka_unit_test(work_is_done_once_by_all_together),
		cmocka_unit_test(a_task_that_gives_up_keeps_nobody_waiting),
		cmocka_unit_test(measures_of_all_tasks_become_one),
	};
	int failed;

	world_start(&argc, &argv, &world);
	world_find_nodes(&world);
	failed = tasks_run_tests(&world, tests);
	world_finish(&world);
	return failed;
}
