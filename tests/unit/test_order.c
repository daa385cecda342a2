/* Random orders: permutations for every geometry, and random as far as a file system can tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "pattern/random_cursor.h"

static uint64_t roll(uint64_t *state, uint64_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (*state >> 33) % below;
}

static void assert_permutation(uint64_t count, uint64_t seed)
{
	unsigned char *seen = calloc(1, count);
	struct order order;

	order_init(&order, count, seed);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t number = order_at(&order, i);

		assert_int_equal(order_index(&order, number), i);
		if (number >= count || seen[number]++)
			fail_msg("count %lu seed %lu: %lu comes again", (unsigned long)count,
				 (unsigned long)seed, (unsigned long)number);
	}
	free(seen);
}

static void each_number_comes_once(void **state)
{
	uint64_t random = 7;

	(void)state;
	for (uint64_t count = 1; count <= 300; count++)
		for (uint64_t seed = 0; seed < 10; seed++)
			assert_permutation(count, seed);
	for (int i = 0; i < 100; i++)
		assert_permutation(1 + roll(&random, 100000), roll(&random, UINT32_MAX));
	assert_permutation(1 << 20, 3);
	assert_permutation((1 << 20) + 1, UINT64_MAX);
}

static void very_large_counts_stay_in_range(void **state)
{
	static const uint64_t counts[] = {UINT64_C(1) << 63, (UINT64_C(1) << 63) - 1,
					  (UINT64_C(1) << 62) + 1, UINT64_C(1000000000)};

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct order order;

		order_init(&order, counts[i], i);
		for (uint64_t k = 0; k < 10000; k++) {
			assert_true(order_at(&order, counts[i] - 1 - k) < counts[i]);
			assert_true(order_draw(&order, k) < counts[i]);
			assert_int_equal(order_at(&order, order_index(&order, k)), k);
		}
	}
}

static void assert_batch(const struct order *order, uint64_t index)
{
	uint64_t numbers[ORDER_BATCH];

	order_batch(order, index, numbers);
	for (uint64_t i = 0; i < ORDER_BATCH && index + i < order->count; i++)
		assert_int_equal(numbers[i], order_at(order, index + i));
}

/* A batch may start anywhere: also across the borders of high parts and past the last number. */
static void a_batch_is_what_comes_one_by_one(void **state)
{
	static const uint64_t counts[] = {1,
					  31,
					  100,
					  1000,
					  4096,
					  65537,
					  1000000000,
					  (UINT64_C(1) << 47) + 5,
					  UINT64_C(1) << 62,
					  (UINT64_C(1) << 63) - 1};
	uint64_t random = 11;

	(void)state;
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++)
		for (uint64_t seed = 0; seed < 2000; seed++) {
			uint64_t index = ((roll(&random, 1u << 31) << 32) + seed) % counts[c];
			struct order order;

			order_init(&order, counts[c], seed);
			assert_batch(&order, index);
		}
}

/* An order must not change with the machine, the compiler or the version. */
static void the_order_is_the_same_everywhere(void **state)
{
	static const uint64_t expected[] = {170, 716, 904, 6, 415, 512, 516, 896};
	static const uint64_t drawn[] = {28, 477, 966, 921, 183, 849, 843, 118};
	struct order order;

	(void)state;
	order_init(&order, 1000, 42);
	for (uint64_t i = 0; i < 8; i++) {
		assert_int_equal(order_at(&order, i), expected[i]);
		assert_int_equal(order_draw(&order, i), drawn[i]);
	}
}

/* Sum of (seen - expected)^2 / expected: about bins - 1 when all bins are alike. */
static double chi_square(const uint64_t *bins, size_t count)
{
	double sum = 0, all = 0;

	for (size_t i = 0; i < count; i++)
		all += (double)bins[i];
	for (size_t i = 0; i < count; i++) {
		double off = (double)bins[i] - all / (double)count;

		sum += off * off / (all / (double)count);
	}
	return sum;
}

/* Six standard deviations: a good order fails once in a billion runs, and seeds are fixed. */
static void assert_even(const uint64_t *bins, size_t count)
{
	double sum = chi_square(bins, count), freedom = (double)count - 1;
	double off = sum - freedom;

	if (off * off > 36 * 2 * freedom)
		fail_msg("chi-square %.1f for %.0f degrees of freedom", sum, freedom);
}

static void any_number_may_stand_anywhere(void **state)
{
	static const uint64_t counts[] = {3, 7, 10, 16, 100, 257};

	(void)state;
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++)
		for (uint64_t place = 0; place < counts[c]; place += 1 + counts[c] / 4) {
			uint64_t bins[257] = {0};

			for (uint64_t seed = 0; seed < 100 * counts[c]; seed++) {
				struct order order;

				order_init(&order, counts[c], seed);
				bins[order_at(&order, place)]++;
			}
			assert_even(bins, counts[c]);
		}
}

enum { MANY = 1 << 20 };

/* Steps from one transfer to the next: as often up as down, of every length, to no place more
 * often. */
static void neighbours_have_nothing_in_common(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 8; seed++) {
		uint64_t count = MANY - 12345 * seed;
		uint64_t steps[256] = {0}, pairs[256] = {0}, next = 0;
		struct order order;

		order_init(&order, count, seed);
		for (uint64_t i = 0; i + 1 < count; i++) {
			uint64_t a = order_at(&order, i), b = order_at(&order, i + 1);

			steps[(a < b ? b - a : b + count - a) * 256 / count]++;
			pairs[a * 16 / count * 16 + b * 16 / count]++;
			next += b == a + 1;
		}
		assert_even(steps, 256);
		assert_even(pairs, 256);
		assert_true(next < 12); /* one is expected */
	}
}

/* Whatever part of the order has been done, it lies evenly over the file. */
static void any_stretch_is_spread_over_all(void **state)
{
	enum { STRETCH = 20000 };

	(void)state;
	for (uint64_t from = 0; from + STRETCH < MANY; from += MANY / 16) {
		uint64_t bins[64] = {0};
		struct order order;

		order_init(&order, MANY, 5);
		for (uint64_t i = from; i < from + STRETCH; i++)
			bins[order_at(&order, i) * 64 / MANY]++;
		/* a permutation is even evener than chance: only the upper end tells anything */
		assert_true(chi_square(bins, 64) < 63 + 6 * 11.3);
	}
}

static void seeds_have_nothing_in_common(void **state)
{
	struct order a, b;
	uint64_t same = 0;

	(void)state;
	order_init(&a, MANY, 1);
	order_init(&b, MANY, 2);
	for (uint64_t i = 0; i < MANY; i++)
		same += order_at(&a, i) == order_at(&b, i);
	assert_true(same < 12);
}

static void draws_are_even_and_repeat(void **state)
{
	uint64_t bins[1000] = {0}, absent = 0;
	struct order order;

	(void)state;
	order_init(&order, 1000, 9);
	for (uint64_t i = 0; i < 100000; i++)
		bins[order_draw(&order, i)]++;
	assert_even(bins, 1000);
	memset(bins, 0, sizeof(bins));
	for (uint64_t i = 0; i < 1000; i++)
		bins[order_draw(&order, i)]++;
	for (uint64_t i = 0; i < 1000; i++)
		absent += !bins[i];
	assert_in_range(absent, 300, 440); /* 1000 / e */
}

/* Cursors */

static struct geometry random_geometry(uint64_t *random, bool shared)
{
	uint64_t transfer = 1 + roll(random, 7);

	return (struct geometry){
		.tasks = 1 + roll(random, 9),
		.transfer = transfer,
		.block = transfer * (1 + roll(random, 40)),
		.segments = 1 + roll(random, 9),
		.shared = shared,
	};
}

static void assert_place_is_right(const struct geometry *geometry, const struct placement *at)
{
	uint64_t block = at->offset / geometry->block;

	assert_int_equal(at->offset % geometry->transfer, 0);
	assert_int_equal(at->segment, geometry->shared ? block / geometry->tasks : block);
	if (geometry->shared)
		assert_int_equal(at->block, block % geometry->tasks);
}

/* Marks the places of a task's transfers. */
static void walk(const struct geometry *geometry, enum order_kind kind, uint64_t seed,
		 uint64_t task, unsigned char *marks)
{
	struct random_cursor cursor;

	random_cursor_start(&cursor, geometry, kind, seed, task, 0);
	for (uint64_t i = 0; i < geometry_transfers(geometry); i++) {
		if (cursor.at->offset + geometry->transfer > geometry_file_size(geometry))
			fail_msg("offset %lu is outside", (unsigned long)cursor.at->offset);
		assert_place_is_right(geometry, cursor.at);
		if (!geometry->shared)
			assert_int_equal(cursor.at->block, task);
		marks[cursor.at->offset / geometry->transfer]++;
		random_cursor_step(&cursor);
	}
}

static void all_tasks_together_move_a_shared_file_once(void **state)
{
	uint64_t random = 1;

	(void)state;
	for (int round = 0; round < 1000; round++) {
		struct geometry geometry = random_geometry(&random, true);
		uint64_t count = geometry_file_size(&geometry) / geometry.transfer;
		unsigned char *marks = calloc(1, count);
		uint64_t seed = roll(&random, UINT32_MAX);

		for (uint64_t task = 0; task < geometry.tasks; task++)
			walk(&geometry, ORDER_PERMUTED, seed, task, marks);
		for (uint64_t i = 0; i < count; i++)
			assert_int_equal(marks[i], 1);
		free(marks);
	}
}

static void each_task_moves_its_own_file_once(void **state)
{
	uint64_t random = 2;

	(void)state;
	for (int round = 0; round < 1000; round++) {
		struct geometry geometry = random_geometry(&random, false);
		uint64_t count = geometry_transfers(&geometry), seed = roll(&random, UINT32_MAX);
		unsigned char *marks = calloc(1, count);

		walk(&geometry, ORDER_PERMUTED, seed, roll(&random, geometry.tasks), marks);
		for (uint64_t i = 0; i < count; i++)
			assert_int_equal(marks[i], 1);
		free(marks);
	}
}

static void tasks_with_files_of_their_own_differ(void **state)
{
	const struct geometry geometry = {.tasks = 2, .block = 1000, .transfer = 1, .segments = 1};
	struct random_cursor a, b;
	unsigned same = 0;

	(void)state;
	random_cursor_start(&a, &geometry, ORDER_PERMUTED, 1, 0, 0);
	random_cursor_start(&b, &geometry, ORDER_PERMUTED, 1, 1, 0);
	for (int i = 0; i < 1000; i++) {
		same += a.at->offset == b.at->offset;
		random_cursor_step(&a);
		random_cursor_step(&b);
	}
	assert_true(same < 12);
}

/* Of all tasks' draws from a shared file about 1 - 1/e of it is hit, and not by all tasks alike. */
static void repeats_come_from_the_whole_file(void **state)
{
	const struct geometry geometry = {
		.tasks = 4, .block = 250 * 8, .transfer = 8, .segments = 10, .shared = true};
	unsigned char marks[10000] = {0};
	unsigned hit = 0;

	(void)state;
	for (uint64_t task = 0; task < 4; task++)
		walk(&geometry, ORDER_REPEATS, 3, task, marks);
	for (int i = 0; i < 10000; i++)
		hit += marks[i] > 0;
	assert_in_range(hit, 6000, 6650);
}

/* Whatever sizes were given. */
static void repeats_come_from_what_the_file_has(void **state)
{
	static const struct geometry cases[] = {
		{.tasks = 3, .block = 40, .transfer = 8, .segments = 4, .shared = true},
		{.tasks = 3, .block = 40, .transfer = 8, .segments = 1, .shared = true},
		{.tasks = 3, .block = 40, .transfer = 8, .segments = 4},
		{.tasks = 1, .block = 40, .transfer = 8, .segments = 1},
		{.tasks = 3,
		 .block = UINT64_C(1) << 30,
		 .transfer = 8,
		 .segments = 10000000,
		 .shared = true},
	};
	enum { MOST = 200 };

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++)
		for (uint64_t drawn = 1; drawn <= MOST; drawn++) {
			struct random_cursor cursor;
			bool hit[MOST] = {false};

			random_cursor_start(&cursor, &cases[c], ORDER_REPEATS, 11, 0, drawn);
			for (int i = 0; i < 20 * MOST; i++) {
				assert_true(cursor.at->offset < drawn * 8);
				assert_place_is_right(&cases[c], cursor.at);
				hit[cursor.at->offset / 8] = true;
				random_cursor_step(&cursor);
			}
			for (uint64_t i = 0; i < drawn; i++)
				assert_true(hit[i]);
		}
}

static void a_permutation_is_of_what_the_file_has(void **state)
{
	const struct geometry geometry = {.tasks = 3,
					  .block = UINT64_C(1) << 30,
					  .transfer = 8,
					  .segments = 10000000,
					  .shared = true};
	enum { HELD = 31 };
	bool hit[HELD] = {false};
	unsigned moved = 0;

	(void)state;
	for (uint64_t task = 0; task < geometry.tasks; task++) {
		struct random_cursor cursor;

		random_cursor_start(&cursor, &geometry, ORDER_PERMUTED, 1, task, HELD);
		for (uint64_t i = 0; i < HELD / geometry.tasks; i++) {
			assert_true(cursor.at->offset < HELD * 8);
			assert_place_is_right(&geometry, cursor.at);
			moved += !hit[cursor.at->offset / 8];
			hit[cursor.at->offset / 8] = true;
			random_cursor_step(&cursor);
		}
	}
	assert_int_equal(moved, HELD / 3 * 3);
}

/* So many transfers that inverses no longer divide exactly. */
static void vast_files_are_divided_exactly(void **state)
{
	static const struct geometry cases[] = {
		{.tasks = 3,
		 .block = (UINT64_C(1) << 40) - 1,
		 .transfer = 1,
		 .segments = 1000003,
		 .shared = true},
		{.tasks = 999983,
		 .block = (UINT64_C(1) << 21) + 2,
		 .transfer = 2,
		 .segments = 4000037,
		 .shared = true},
		{.tasks = 1, .block = UINT64_C(1) << 61, .transfer = 1, .segments = 3},
	};

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++)
		for (int kind = ORDER_PERMUTED; kind <= ORDER_REPEATS; kind++) {
			struct random_cursor cursor;

			random_cursor_start(&cursor, &cases[c], kind, 1, cases[c].tasks - 1, 0);
			for (int i = 0; i < 10000; i++) {
				assert_place_is_right(&cases[c], cursor.at);
				random_cursor_step(&cursor);
			}
		}
}

static void a_jump_leads_where_steps_lead(void **state)
{
	uint64_t random = 3;

	(void)state;
	for (int round = 0; round < 100; round++) {
		struct geometry geometry = random_geometry(&random, round % 2);
		enum order_kind kind = round % 3 ? ORDER_PERMUTED : ORDER_REPEATS;
		struct random_cursor steps, jump;

		random_cursor_start(&steps, &geometry, kind, 4, geometry.tasks - 1, 0);
		random_cursor_start(&jump, &geometry, kind, 4, geometry.tasks - 1, 0);
		for (uint64_t i = 0; i < geometry_transfers(&geometry); i++) {
			random_cursor_jump(&jump, i);
			assert_int_equal(jump.at->offset, steps.at->offset);
			random_cursor_step(&steps);
		}
	}
}

/* Processor time of a thousand starts. */
static clock_t time_starts(uint64_t block, uint64_t segments)
{
	const struct geometry geometry = {.tasks = 1000,
					  .block = block,
					  .transfer = 1 << 10,
					  .segments = segments,
					  .shared = true};
	struct random_cursor cursor;
	const clock_t begin = clock();

	for (uint64_t task = 0; task < 1000; task++)
		random_cursor_start(&cursor, &geometry, ORDER_PERMUTED, task, task, 0);
	return clock() - begin;
}

static void a_billion_transfers_start_at_once(void **state)
{
	const clock_t few = time_starts(1 << 10, 1), many = time_starts(1 << 30, 1000);

	(void)state;
	/* there are a billion times as many */
	assert_true(many < 1000 * (few + 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_number_comes_once),
		cmocka_unit_test(very_large_counts_stay_in_range),
		cmocka_unit_test(a_batch_is_what_comes_one_by_one),
		cmocka_unit_test(the_order_is_the_same_everywhere),
		cmocka_unit_test(any_number_may_stand_anywhere),
		cmocka_unit_test(neighbours_have_nothing_in_common),
		cmocka_unit_test(any_stretch_is_spread_over_all),
		cmocka_unit_test(seeds_have_nothing_in_common),
		cmocka_unit_test(draws_are_even_and_repeat),
		cmocka_unit_test(all_tasks_together_move_a_shared_file_once),
		cmocka_unit_test(each_task_moves_its_own_file_once),
		cmocka_unit_test(tasks_with_files_of_their_own_differ),
		cmocka_unit_test(repeats_come_from_the_whole_file),
		cmocka_unit_test(repeats_come_from_what_the_file_has),
		cmocka_unit_test(a_permutation_is_of_what_the_file_has),
		cmocka_unit_test(vast_files_are_divided_exactly),
		cmocka_unit_test(a_jump_leads_where_steps_lead),
		cmocka_unit_test(a_billion_transfers_start_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
