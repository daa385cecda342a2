/* Items that are not there: against a plain map of each item. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "plan/gaps.h"

enum { ITEMS = 60 };

static void check(const struct gaps *gaps, const bool *missing)
{
	uint64_t below = 0, place = 0;

	for (uint64_t i = 1; i < gaps->count; i++)
		assert_true(gaps->at[i].first > gaps->at[i - 1].first + gaps->at[i - 1].count);
	for (uint64_t item = 0; item < ITEMS; below += missing[item++]) {
		uint64_t next = item;

		assert_true(gaps_below(gaps, item) == below);
		if (missing[item])
			continue;
		assert_true(gaps_item(gaps, place++) == item);
		while (next < ITEMS && !missing[next])
			next++;
		assert_true(next == ITEMS ? gaps_run(gaps, item) >= next - item
					  : gaps_run(gaps, item) == next - item);
	}
}

static void every_item_that_is_there_has_a_place(void **state)
{
	(void)state;
	srand(7);
	for (int round = 0; round < 300; round++) {
		struct gaps gaps = {0};
		bool missing[ITEMS] = {false};

		for (int i = 0; i < round % 12; i++) {
			uint64_t first = (uint64_t)rand() % ITEMS;
			uint64_t count = 1 + (uint64_t)rand() % (round % 2 ? 2 : 9);

			if (count > ITEMS - first)
				count = ITEMS - first;
			gaps_add(&gaps, first, count);
			memset(missing + first, true, count);
			check(&gaps, missing);
		}
		gaps_clear(&gaps);
		assert_true(gaps.count == 0 && gaps_item(&gaps, 5) == 5);
	}
}

static void neighbours_become_one(void **state)
{
	struct gaps gaps = {0};

	(void)state;
	gaps_add(&gaps, 10, 2);
	gaps_add(&gaps, 14, 2);
	gaps_add(&gaps, 4, 1);
	assert_true(gaps.count == 3);
	gaps_add(&gaps, 12, 2);
	assert_true(gaps.count == 2 && gaps.at[1].first == 10 && gaps.at[1].count == 6);
	gaps_add(&gaps, 0, 100);
	assert_true(gaps.count == 1 && gaps.at[0].first == 0 && gaps.at[0].count == 100);
	gaps_clear(&gaps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_item_that_is_there_has_a_place),
		cmocka_unit_test(neighbours_become_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
