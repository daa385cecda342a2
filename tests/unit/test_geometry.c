/* The layout: every byte of the file exactly once, whoever moves it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "pattern/geometry.h"

static uint32_t roll(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*state >> 33) % below);
}

static struct geometry random_geometry(uint64_t *seed, bool shared)
{
	uint64_t transfer = 1 + roll(seed, 7);

	return (struct geometry){
		.tasks = 1 + roll(seed, 9),
		.transfer = transfer,
		.block = transfer * (1 + roll(seed, 6)),
		.segments = 1 + roll(seed, 5),
		.shared = shared,
	};
}

static void mark(unsigned char *file, const struct geometry *geometry, uint64_t task)
{
	struct placement at;

	for (uint64_t i = 0; i < geometry_transfers(geometry); i++) {
		geometry_locate(geometry, task, i, &at);
		assert_true(at.offset + geometry->transfer <= geometry_file_size(geometry));
		for (uint64_t byte = 0; byte < geometry->transfer; byte++)
			file[at.offset + byte]++;
	}
}

static void each_byte_is_marked_once(const unsigned char *file, uint64_t size)
{
	for (uint64_t i = 0; i < size; i++)
		assert_int_equal(file[i], 1);
}

static void every_byte_of_a_shared_file_is_moved_exactly_once(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 1000; round++) {
		struct geometry geometry = random_geometry(&seed, true);
		unsigned char *file = calloc(1, geometry_file_size(&geometry));

		for (uint64_t task = 0; task < geometry.tasks; task++)
			mark(file, &geometry, task);
		each_byte_is_marked_once(file, geometry_file_size(&geometry));
		free(file);
	}
}

static void every_byte_of_each_own_file_is_moved_exactly_once(void **state)
{
	uint64_t seed = 2;

	(void)state;
	for (int round = 0; round < 1000; round++) {
		struct geometry geometry = random_geometry(&seed, false);

		for (uint64_t task = 0; task < geometry.tasks; task++) {
			unsigned char *file = calloc(1, geometry_file_size(&geometry));

			mark(file, &geometry, task);
			each_byte_is_marked_once(file, geometry_file_size(&geometry));
			free(file);
		}
	}
}

static void the_cursor_goes_where_place_says(void **state)
{
	uint64_t seed = 3;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct geometry geometry = random_geometry(&seed, roll(&seed, 2));
		uint64_t task = roll(&seed, (uint32_t)geometry.tasks);
		struct cursor cursor;
		struct placement at;

		uint64_t first = roll(&seed, (uint32_t)geometry_transfers(&geometry));

		if (round % 2)
			first = 0;
		cursor_start(&cursor, &geometry, task, first);
		for (uint64_t i = first; i < geometry_transfers(&geometry); i++) {
			geometry_locate(&geometry, task, i, &at);
			assert_int_equal(cursor.at.offset, at.offset);
			assert_int_equal(cursor.at.segment, at.segment);
			cursor_step(&cursor);
		}
	}
}

static void offsets_are_those_of_ior(void **state)
{
	const struct geometry shared = {
		.tasks = 4, .block = 8, .transfer = 2, .segments = 3, .shared = true};
	struct placement at;

	(void)state;
	/* seg * N * b + p * b + j * t with seg 2, p 3, j 1 */
	geometry_locate(&shared, 3, 2 * 4 + 1, &at);
	assert_int_equal(at.offset, 2 * 4 * 8 + 3 * 8 + 1 * 2);
	assert_int_equal(geometry_file_size(&shared), 4 * 8 * 3);
}

static void offsets_beyond_four_gibibytes_are_exact(void **state)
{
	const struct geometry large = {.tasks = 1000000,
				       .block = UINT64_C(1) << 30,
				       .transfer = UINT64_C(1) << 20,
				       .segments = 4,
				       .shared = true};
	struct placement at;

	(void)state;
	geometry_locate(&large, 999999, 3 * 1024 + 1023, &at);
	assert_true(at.offset == geometry_file_size(&large) - large.transfer);
}

static void what_a_cut_file_holds_is_counted_for_each_task(void **state)
{
	uint64_t seed = 3;

	(void)state;
	for (int round = 0; round < 1000; round++) {
		struct geometry geometry = random_geometry(&seed, round % 2);
		uint64_t planned = geometry_file_size(&geometry) / geometry.transfer;
		uint64_t held = roll(&seed, (uint32_t)planned + 1);

		for (uint64_t task = 0; task < geometry.tasks; task++) {
			struct placement at;
			uint64_t count = 0;

			for (uint64_t i = 0; i < geometry_transfers(&geometry); i++) {
				geometry_locate(&geometry, task, i, &at);
				count += at.offset < held * geometry.transfer;
			}
			assert_int_equal(geometry_transfers_within(&geometry, task, held), count);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte_of_a_shared_file_is_moved_exactly_once),
		cmocka_unit_test(every_byte_of_each_own_file_is_moved_exactly_once),
		cmocka_unit_test(the_cursor_goes_where_place_says),
		cmocka_unit_test(what_a_cut_file_holds_is_counted_for_each_task),
		cmocka_unit_test(offsets_are_those_of_ior),
		cmocka_unit_test(offsets_beyond_four_gibibytes_are_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
