/* The node map: compact, and right for any placement. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "plan/node_map.h"
#include "plan/reader_map.h"

/* A map from an array of nodes, appended task by task. */
static struct node_map map_of(const uint32_t *nodes, uint32_t tasks)
{
	struct node_map map = {0};

	for (uint32_t i = 0; i < tasks; i++)
		node_map_append(&map, nodes[i], 1);
	return map;
}

/* Small numbers that look random and are the same everywhere. */
static uint32_t roll(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*state >> 33) % below);
}

/* Nodes in the order of their first task, as the world numbers them. */
static uint32_t random_placement(uint64_t *state, uint32_t *nodes, uint32_t tasks)
{
	uint32_t count = 0;
	uint32_t current = 0;

	for (uint32_t i = 0; i < tasks; i++) {
		if (i == 0 || roll(state, 3) == 0)
			current = roll(state, count + 1);
		if (current == count)
			count++;
		nodes[i] = current;
	}
	return count;
}

static void a_million_tasks_in_blocks_are_one_run(void **state)
{
	struct node_map map = {0};

	(void)state;
	for (uint32_t task = 0; task < 1000000; task++)
		node_map_append(&map, task / 100, 1);
	assert_int_equal(map.tasks, 1000000);
	assert_int_equal(map.nodes, 10000);
	assert_int_equal(map.count, 1);
	assert_true(map.capacity * sizeof(*map.runs) < 4096);
	assert_int_equal(node_map_node(&map, 123456), 1234);
	assert_int_equal(node_map_slot(&map, 123456), 56);
	node_map_release(&map);
}

static void a_million_tasks_dealt_round_stay_below_four_mebibytes(void **state)
{
	struct node_map map = {0};

	(void)state;
	for (uint32_t task = 0; task < 1000000; task++)
		node_map_append(&map, task % 10000, 1);
	assert_int_equal(map.count, 100);
	assert_true(map.capacity * sizeof(*map.runs) < 4 << 20);
	assert_int_equal(node_map_position(&map, 10001), 101);
	assert_int_equal(node_map_at(&map, 101), 10001);
	node_map_release(&map);
}

static void the_first_tasks_of_each_node_keep_their_order_and_node(void **state)
{
	uint64_t seed = 7;
	uint32_t nodes[60], most[60];

	(void)state;
	for (int round = 0; round < 200; round++) {
		uint32_t count = random_placement(&seed, nodes, 60), taken[60] = {0}, task = 0;
		struct node_map map = map_of(nodes, 60), part = {0};

		for (uint32_t i = 0; i < count; i++)
			most[i] = roll(&seed, 4) + 1;
		node_map_within(&part, &map, most);
		for (uint32_t i = 0; i < 60; i++) {
			if (taken[nodes[i]] == most[nodes[i]])
				continue;
			assert_int_equal(node_map_node(&part, task), nodes[i]);
			assert_int_equal(node_map_slot(&part, task), taken[nodes[i]]);
			assert_int_equal(node_map_in_slot(&part, nodes[i], taken[nodes[i]]), task);
			taken[nodes[i]]++;
			task++;
		}
		assert_int_equal(part.tasks, task);
		assert_int_equal(part.nodes, count);
		node_map_release(&part);
		node_map_release(&map);
	}
}

static void any_placement_is_told_as_it_was_given(void **state)
{
	uint64_t seed = 1;
	uint32_t nodes[60];

	(void)state;
	for (int round = 0; round < 500; round++) {
		uint32_t tasks = 1 + roll(&seed, 60);
		uint32_t count = random_placement(&seed, nodes, tasks);
		struct node_map map = map_of(nodes, tasks);
		uint32_t on[61] = {0};

		assert_int_equal(map.tasks, tasks);
		assert_int_equal(map.nodes, count);
		for (uint32_t i = 0; i < tasks; i++) {
			assert_int_equal(node_map_node(&map, i), nodes[i]);
			assert_int_equal(node_map_slot(&map, i), on[nodes[i]]++);
			assert_int_equal(node_map_at(&map, node_map_position(&map, i)), i);
		}
		for (uint32_t i = 0; i < count; i++)
			assert_int_equal(node_map_tasks_on(&map, i), on[i]);
		node_map_release(&map);
	}
}

static void two_halves_joined_equal_the_whole(void **state)
{
	uint64_t seed = 2;
	uint32_t nodes[60];

	(void)state;
	for (int round = 0; round < 500; round++) {
		uint32_t tasks = 2 + roll(&seed, 58);
		uint32_t cut = 1 + roll(&seed, tasks - 1);

		random_placement(&seed, nodes, tasks);
		struct node_map whole = map_of(nodes, tasks);
		struct node_map first = map_of(nodes, cut);
		struct node_map rest = map_of(nodes + cut, tasks - cut);

		node_map_append_map(&first, &rest);
		assert_int_equal(first.count, whole.count);
		assert_int_equal(first.tasks, whole.tasks);
		assert_memory_equal(first.runs, whole.runs, whole.count * sizeof(*whole.runs));
		node_map_release(&whole);
		node_map_release(&first);
		node_map_release(&rest);
	}
}

static void a_prefix_holds_the_first_tasks(void **state)
{
	uint64_t seed = 3;
	uint32_t nodes[60];

	(void)state;
	for (int round = 0; round < 300; round++) {
		uint32_t tasks = 1 + roll(&seed, 60);
		uint32_t cut = 1 + roll(&seed, tasks);

		random_placement(&seed, nodes, tasks);
		struct node_map whole = map_of(nodes, tasks);
		struct node_map first = {0};

		node_map_prefix(&first, &whole, cut);
		assert_int_equal(first.tasks, cut);
		for (uint32_t i = 0; i < cut; i++)
			assert_int_equal(node_map_node(&first, i), nodes[i]);
		node_map_release(&whole);
		node_map_release(&first);
	}
}

static uint32_t count_same_node(const struct reader_map *readers, const struct node_map *map,
				const uint32_t *nodes)
{
	uint32_t same = 0;

	for (uint32_t i = 0; i < map->tasks; i++)
		same += nodes[i] == nodes[reader_map_source(readers, map, i)];
	return same;
}

static void readers_are_a_permutation_that_counts_its_stay_at_homes(void **state)
{
	uint64_t seed = 4;
	uint32_t nodes[60];

	(void)state;
	for (int round = 0; round < 500; round++) {
		uint32_t tasks = 1 + roll(&seed, 60);
		bool seen[60] = {false};
		struct reader_map readers;

		random_placement(&seed, nodes, tasks);
		struct node_map map = map_of(nodes, tasks);

		reader_map_build(&readers, &map, true, roll(&seed, 4));
		for (uint32_t i = 0; i < tasks; i++) {
			uint32_t source = reader_map_source(&readers, &map, i);

			assert_true(source < tasks);
			assert_false(seen[source]);
			seen[source] = true;
		}
		assert_int_equal(readers.same_node, count_same_node(&readers, &map, nodes));
		node_map_release(&map);
	}
}

static void uneven_nodes_send_as_many_readers_away_as_possible(void **state)
{
	uint64_t seed = 5;
	uint32_t nodes[60];

	(void)state;
	for (int round = 0; round < 500; round++) {
		uint32_t tasks = 2 + roll(&seed, 58);
		struct reader_map readers;

		random_placement(&seed, nodes, tasks);
		struct node_map map = map_of(nodes, tasks);
		uint32_t most = node_map_most_tasks(&map);

		reader_map_build(&readers, &map, true, 1);
		if (map.nodes > 1)
			assert_int_equal(readers.same_node,
					 2 * most > tasks ? 2 * most - tasks : 0);
		node_map_release(&map);
	}
}

static void blocks_shift_by_whole_nodes_as_ior_does(void **state)
{
	const uint32_t nodes[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
	struct node_map map = map_of(nodes, 9);
	struct reader_map readers;

	(void)state;
	reader_map_build(&readers, &map, true, 1);
	for (uint32_t i = 0; i < 9; i++)
		assert_int_equal(reader_map_source(&readers, &map, i), (i + 3) % 9);
	assert_int_equal(readers.same_node, 0);
	node_map_release(&map);
}

static void dealt_tasks_shift_by_one_as_ior_does(void **state)
{
	const uint32_t nodes[] = {0, 1, 2, 0, 1, 2};
	struct node_map map = map_of(nodes, 6);
	struct reader_map readers;

	(void)state;
	reader_map_build(&readers, &map, true, 2);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(reader_map_source(&readers, &map, i), (i + 2) % 6);
	node_map_release(&map);
}

static void one_node_shifts_by_one_and_says_so(void **state)
{
	const uint32_t nodes[] = {0, 0, 0, 0};
	struct node_map map = map_of(nodes, 4);
	struct reader_map readers;

	(void)state;
	reader_map_build(&readers, &map, true, 1);
	assert_int_equal(reader_map_source(&readers, &map, 3), 0);
	assert_int_equal(readers.same_node, 4);
	node_map_release(&map);
}

/* Each task's data has one reader, and those that stay at home are counted. */
static void assert_readers(const struct reader_map *readers, const struct node_map *map,
			   const uint32_t *nodes)
{
	bool seen[60] = {false};

	for (uint32_t i = 0; i < map->tasks; i++) {
		uint32_t source = reader_map_source(readers, map, i);

		assert_true(source < map->tasks);
		assert_false(seen[source]);
		seen[source] = true;
	}
	assert_int_equal(readers->same_node, count_same_node(readers, map, nodes));
}

static void random_readers_are_permutations(const uint32_t *nodes, uint32_t tasks)
{
	struct node_map map = map_of(nodes, tasks);
	uint32_t most = node_map_most_tasks(&map), fewest = 2 * most > tasks ? 2 * most - tasks : 0;

	for (uint64_t seed = 0; seed < 100; seed++) {
		struct reader_map readers;

		reader_map_build_random(&readers, &map, false, seed);
		assert_readers(&readers, &map, nodes);
		reader_map_build_random(&readers, &map, true, seed);
		assert_readers(&readers, &map, nodes);
		if (map.nodes > 1)
			assert_int_equal(readers.same_node, fewest);
		else if (tasks > 1)
			assert_int_not_equal(reader_map_source(&readers, &map, 0), 0);
	}
	node_map_release(&map);
}

static void random_readers_fit_every_placement(void **state)
{
	static const uint32_t seven_and_one[] = {0, 0, 0, 0, 0, 0, 0, 1};
	static const uint32_t three_by_two[] = {0, 0, 1, 1, 2, 2};
	static const uint32_t dealt[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
	uint64_t seed = 6;
	uint32_t nodes[60];

	(void)state;
	random_readers_are_permutations(seven_and_one, 8);
	random_readers_are_permutations(three_by_two, 6);
	random_readers_are_permutations(dealt, 9);
	for (int round = 0; round < 100; round++) {
		uint32_t tasks = 1 + roll(&seed, 60);

		random_placement(&seed, nodes, tasks);
		random_readers_are_permutations(nodes, tasks);
	}
}

static void random_readers_follow_from_the_seed(void **state)
{
	const uint32_t nodes[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
	struct node_map map = map_of(nodes, 12);
	struct reader_map a, b;

	(void)state;
	for (int shifted = 0; shifted < 2; shifted++) {
		unsigned others = 0;

		for (uint64_t seed = 0; seed < 20; seed++) {
			bool same = true;

			reader_map_build_random(&a, &map, shifted, seed);
			reader_map_build_random(&b, &map, shifted, seed + 1);
			for (uint32_t i = 0; i < 12; i++)
				same &= reader_map_source(&a, &map, i) ==
					reader_map_source(&b, &map, i);
			others += !same;
			reader_map_build_random(&b, &map, shifted, seed);
			for (uint32_t i = 0; i < 12; i++)
				assert_int_equal(reader_map_source(&a, &map, i),
						 reader_map_source(&b, &map, i));
		}
		assert_true(others >= 12); /* of 20; seven distances are possible */
	}
	node_map_release(&map);
}

/* From the placement of two tasks and the first node's count: right for blocks and dealing alone.
 */
static void iors_readers_follow_from_the_first_two_tasks(void **state)
{
	static const struct {
		uint32_t tasks, q, shift, same_node, nodes[8];
	} jobs[] = {
		{8, 1, 7, 6, {0, 0, 0, 0, 0, 0, 0, 1}}, /* 7+1 */
		{6, 1, 2, 0, {0, 0, 1, 1, 2, 2}},
		{6, 2, 4, 0, {0, 0, 1, 1, 2, 2}},
		{6, 1, 1, 0, {0, 1, 2, 0, 1, 2}},
		{6, 3, 3, 6, {0, 1, 2, 0, 1, 2}},
		{6, 1, 3, 0, {0, 0, 0, 1, 1, 2}},
		{4, 1, 0, 4, {0, 0, 0, 0}}, /* one node: the task itself */
		{1, 1, 0, 1, {0}},
	};

	(void)state;
	for (size_t j = 0; j < sizeof(jobs) / sizeof(jobs[0]); j++) {
		struct node_map map = map_of(jobs[j].nodes, jobs[j].tasks);
		struct reader_map readers;

		reader_map_build_ior(&readers, &map, jobs[j].q);
		assert_readers(&readers, &map, jobs[j].nodes);
		assert_int_equal(readers.same_node, jobs[j].same_node);
		for (uint32_t i = 0; i < jobs[j].tasks; i++)
			assert_int_equal(reader_map_source(&readers, &map, i),
					 (i + jobs[j].shift) % jobs[j].tasks);
		node_map_release(&map);
	}
}

static void iors_readers_are_permutations_in_every_placement(void **state)
{
	uint64_t seed = 9;
	uint32_t nodes[60];

	(void)state;
	for (int round = 0; round < 300; round++) {
		uint32_t tasks = 1 + roll(&seed, 60);
		struct reader_map readers;

		random_placement(&seed, nodes, tasks);
		struct node_map map = map_of(nodes, tasks);

		reader_map_build_ior(&readers, &map, roll(&seed, 100));
		assert_readers(&readers, &map, nodes);
		node_map_release(&map);
	}
}

/* A stride's maps where nodes are uneven: each another where there is one, none with more at home.
 */
static void maps_that_came_out_the_same_are_parted(void **state)
{
	static const struct {
		uint32_t tasks, nodes[8], sources[3][8];
	} jobs[] = {
		{4, {0, 0, 1, 2}, {{2, 3, 0, 1}, {3, 2, 1, 0}, {2, 3, 0, 1}}},
		{4, {0, 1, 1, 2}, {{2, 3, 0, 1}, {1, 0, 3, 2}, {2, 3, 0, 1}}},
		{4, {0, 0, 0, 1}, {{3, 0, 1, 2}, {1, 2, 3, 0}, {2, 3, 0, 1}}},
		/* by number: it stays */
		{4, {0, 0, 1, 1}, {{2, 3, 0, 1}, {0, 1, 2, 3}, {2, 3, 0, 1}}},
	};

	(void)state;
	for (size_t j = 0; j < sizeof(jobs) / sizeof(jobs[0]); j++) {
		struct node_map map = map_of(jobs[j].nodes, jobs[j].tasks);
		struct reader_map maps[3];

		for (uint64_t i = 0; i < 3; i++)
			reader_map_build(&maps[i], &map, true, i + 1);
		reader_map_make_distinct(maps, 3, &map);
		for (unsigned i = 0; i < 3; i++) {
			assert_readers(&maps[i], &map, jobs[j].nodes);
			for (uint32_t task = 0; task < jobs[j].tasks; task++)
				assert_int_equal(reader_map_source(&maps[i], &map, task),
						 jobs[j].sources[i][task]);
		}
		node_map_release(&map);
	}
}

static void parted_maps_are_permutations_in_every_placement(void **state)
{
	uint64_t seed = 12;
	uint32_t nodes[60];

	(void)state;
	for (int round = 0; round < 500; round++) {
		uint32_t tasks = 1 + roll(&seed, 60), stride = 1 + roll(&seed, 5);
		struct reader_map maps[3], before;

		random_placement(&seed, nodes, tasks);
		struct node_map map = map_of(nodes, tasks);

		for (uint64_t i = 0; i < 3; i++)
			reader_map_build(&maps[i], &map, true, (i + 1) * stride);
		before = maps[1];
		reader_map_make_distinct(maps, 3, &map);
		for (unsigned i = 0; i < 3; i++)
			assert_readers(&maps[i], &map, nodes);
		assert_int_equal(maps[1].same_node, before.same_node);
		node_map_release(&map);
	}
}

/* Who verifies: a permutation; with three tasks or more never the writer of a shifted map. */
static void assert_verifiers(const struct node_map *map, const uint32_t *nodes,
			     const struct reader_map *readers, uint64_t q)
{
	struct reader_map verifiers;
	uint32_t met = 0;

	reader_map_build_verifiers(&verifiers, map, readers, q);
	assert_readers(&verifiers, map, nodes);
	for (uint32_t task = 0; task < map->tasks; task++) {
		uint32_t source = reader_map_source(&verifiers, map, task);

		if (readers->order != READERS_PERMUTED && map->tasks > 1)
			assert_int_not_equal(source, task);
		met += source == reader_map_source(readers, map, task);
	}
	if (map->tasks > 2)
		assert_int_equal(met, 0);
}

static void verifiers_are_neither_writers_nor_later_readers(void **state)
{
	uint64_t seed = 11;
	uint32_t nodes[60];

	(void)state;
	for (int round = 0; round < 500; round++) {
		uint32_t tasks = 1 + roll(&seed, 30), q = roll(&seed, 4);
		struct reader_map readers;

		random_placement(&seed, nodes, tasks);
		struct node_map map = map_of(nodes, tasks);

		reader_map_build(&readers, &map, true, q);
		assert_verifiers(&map, nodes, &readers, q);
		reader_map_build(&readers, &map, false, q);
		assert_verifiers(&map, nodes, &readers, q);
		reader_map_build_random(&readers, &map, true, (uint64_t)round);
		assert_verifiers(&map, nodes, &readers, q);
		reader_map_build_random(&readers, &map, false, (uint64_t)round);
		assert_verifiers(&map, nodes, &readers, q);
		reader_map_build_ior(&readers, &map, q);
		assert_verifiers(&map, nodes, &readers, q);
		node_map_release(&map);
	}
}

static void verifiers_are_a_node_further_where_there_is_one(void **state)
{
	const uint32_t blocks[] = {0, 0, 1, 1, 2, 2}, dealt[] = {0, 1, 0, 1, 0, 1}, two[] = {0, 1};
	const struct {
		const uint32_t *nodes;
		uint32_t tasks, shift;
	} cases[] = {{blocks, 6, 4}, {dealt, 6, 3}, {two, 2, 1}};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct node_map map = map_of(cases[i].nodes, cases[i].tasks);
		struct reader_map readers, verifiers;

		reader_map_build(&readers, &map, true, 1);
		reader_map_build_verifiers(&verifiers, &map, &readers, 1);
		assert_int_equal(verifiers.shift, cases[i].shift);
		assert_int_equal(verifiers.same_node, 0);
		node_map_release(&map);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_million_tasks_in_blocks_are_one_run),
		cmocka_unit_test(a_million_tasks_dealt_round_stay_below_four_mebibytes),
		cmocka_unit_test(the_first_tasks_of_each_node_keep_their_order_and_node),
		cmocka_unit_test(any_placement_is_told_as_it_was_given),
		cmocka_unit_test(two_halves_joined_equal_the_whole),
		cmocka_unit_test(maps_that_came_out_the_same_are_parted),
		cmocka_unit_test(parted_maps_are_permutations_in_every_placement),
		cmocka_unit_test(a_prefix_holds_the_first_tasks),
		cmocka_unit_test(readers_are_a_permutation_that_counts_its_stay_at_homes),
		cmocka_unit_test(uneven_nodes_send_as_many_readers_away_as_possible),
		cmocka_unit_test(blocks_shift_by_whole_nodes_as_ior_does),
		cmocka_unit_test(dealt_tasks_shift_by_one_as_ior_does),
		cmocka_unit_test(one_node_shifts_by_one_and_says_so),
		cmocka_unit_test(iors_readers_follow_from_the_first_two_tasks),
		cmocka_unit_test(iors_readers_are_permutations_in_every_placement),
		cmocka_unit_test(random_readers_fit_every_placement),
		cmocka_unit_test(random_readers_follow_from_the_seed),
		cmocka_unit_test(verifiers_are_neither_writers_nor_later_readers),
		cmocka_unit_test(verifiers_are_a_node_further_where_there_is_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
