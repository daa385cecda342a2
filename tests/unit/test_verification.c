/* Damaged ranges: counted exactly, listed in order, merged in any order, joined where they adjoin.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "measure/verification.h"

static struct damage range(uint32_t file, uint64_t offset, uint64_t length, enum damage_kind kind)
{
	struct damage damage;

	memset(&damage, 0, sizeof(damage));
	damage.file = file;
	damage.what.offset = offset;
	damage.what.length = damage.what.wrong_bytes = length;
	damage.what.kind = kind;
	return damage;
}

static struct damage from(uint64_t offset, uint64_t length, enum damage_kind kind, uint64_t origin)
{
	struct damage damage = range(0, offset, length, kind);

	damage.what.origin.offset = origin;
	return damage;
}

/* Ranges number `first`, `first + step` … below 1000 in a shuffled order. */
static void fill(struct verification *verification, uint32_t first, uint32_t step)
{
	memset(verification, 0, sizeof(*verification));
	for (uint32_t i = 0; i < 1000; i++) {
		uint32_t number = i * 377 % 1000;
		struct damage damage = range(number / 100, number % 100 * 4096, 10, DAMAGE_BITS);

		damage.task = number % 7;
		if (number % step == first)
			verification_add(verification, &damage);
	}
}

static void the_first_are_listed_and_all_are_counted(void **state)
{
	static struct verification all;

	(void)state;
	fill(&all, 0, 1);
	assert_int_equal(all.ranges, 1000);
	assert_int_equal(all.wrong_bytes, 10000);
	assert_int_equal(all.kinds[DAMAGE_BITS], 1000);
	assert_int_equal(all.listed, DAMAGE_LISTED);
	for (uint32_t i = 0; i < DAMAGE_LISTED; i++) {
		assert_int_equal(all.list[i].file, 0);
		assert_int_equal(all.list[i].what.offset, i * 4096);
	}
}

static void merging_does_not_depend_on_the_order_or_the_grouping(void **state)
{
	enum { PARTS = 5 };
	static struct verification all, parts[PARTS], left, right, pair;

	(void)state;
	fill(&all, 0, 1);
	for (uint32_t i = 0; i < PARTS; i++)
		fill(&parts[i], i, PARTS);
	for (uint32_t i = 0; i < PARTS; i++) {
		verification_merge(&left, &parts[i]);
		verification_merge(&right, &parts[PARTS - 1 - i]);
	}
	assert_memory_equal(&left, &all, sizeof(all));
	assert_memory_equal(&right, &all, sizeof(all));

	pair = parts[3];
	verification_merge(&pair, &parts[4]);
	verification_merge(&parts[0], &parts[1]);
	verification_merge(&parts[2], &pair);
	verification_merge(&parts[0], &parts[2]);
	assert_memory_equal(&parts[0], &all, sizeof(all));
}

static void assert_joins(struct damage a, struct damage b, bool joins)
{
	uint64_t end = b.what.offset + b.what.length,
		 bytes = a.what.wrong_bytes + b.what.wrong_bytes;

	assert_int_equal(damage_join(&a, &b), joins);
	if (!joins)
		return;
	assert_int_equal(a.what.offset + a.what.length, end);
	assert_int_equal(a.what.wrong_bytes, bytes);
}

static void neighbouring_sectors_of_one_kind_are_one_range(void **state)
{
	(void)state;
	assert_joins(range(0, 0, 4096, DAMAGE_ZEROS), range(0, 4096, 512, DAMAGE_ZEROS), true);
	/* a wrong byte that is right by chance, on both sides */
	assert_joins(range(0, 0, 4095, DAMAGE_RANDOM), range(0, 4098, 500, DAMAGE_RANDOM), true);
	/* a whole sector between them is right */
	assert_joins(range(0, 0, 4096, DAMAGE_ZEROS), range(0, 4608, 512, DAMAGE_ZEROS), false);
	assert_joins(range(0, 0, 4096, DAMAGE_ZEROS), range(0, 4096, 512, DAMAGE_RANDOM), false);
	assert_joins(range(0, 0, 4096, DAMAGE_ZEROS), range(1, 4096, 512, DAMAGE_ZEROS), false);
	assert_joins(range(0, 4096, 512, DAMAGE_ZEROS), range(0, 0, 4096, DAMAGE_ZEROS), false);
	/* each flipped bit is one */
	assert_joins(range(0, 511, 1, DAMAGE_BITS), range(0, 512, 1, DAMAGE_BITS), false);
}

static void misplaced_data_is_one_range_as_long_as_it_lay_in_one_piece(void **state)
{
	(void)state;
	assert_joins(from(0, 512, DAMAGE_MISPLACED, 8192), from(512, 512, DAMAGE_MISPLACED, 8704),
		     true);
	assert_joins(from(0, 512, DAMAGE_MISPLACED, 8192), from(512, 512, DAMAGE_MISPLACED, 8192),
		     false);
	struct damage older = from(512, 512, DAMAGE_STALE, 512);

	older.what.origin.repetition = 1;
	assert_joins(from(0, 512, DAMAGE_STALE, 0), from(512, 512, DAMAGE_STALE, 512), true);
	assert_joins(from(0, 512, DAMAGE_STALE, 0), older, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_are_listed_and_all_are_counted),
		cmocka_unit_test(merging_does_not_depend_on_the_order_or_the_grouping),
		cmocka_unit_test(neighbouring_sectors_of_one_kind_are_one_range),
		cmocka_unit_test(misplaced_data_is_one_range_as_long_as_it_lay_in_one_piece),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
