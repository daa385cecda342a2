/* What a find looks for, and the pile its work lies in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/pile.h"
#include "plan/predicates.h"

static void sizes_are_written_as_in_find(void **state)
{
	static const struct {
		const char *text;
		char sign;
		uint64_t count, unit;
	} cases[] = {
		{"8", 0, 8, 512},	  {"8b", 0, 8, 512},	  {"+0", '+', 0, 512},
		{"-1M", '-', 1, 1 << 20}, {"+100c", '+', 100, 1}, {"3w", 0, 3, 2},
		{"-4k", '-', 4, 1024},	  {"2G", 0, 2, 1 << 30},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct size_predicate size;
		struct error err = {0};

		assert_int_equal(size_predicate_parse(cases[i].text, &size, &err), 0);
		assert_int_equal(size.sign, cases[i].sign);
		assert_int_equal(size.count, cases[i].count);
		assert_int_equal(size.unit, cases[i].unit);
	}
}

static void what_is_no_size_is_refused(void **state)
{
	static const char *const cases[] = {"",
					    "+",
					    "k",
					    "1K",
					    "1m",
					    "+-1",
					    "1.5k",
					    "1kb",
					    "--1",
					    " 1",
					    "99999999999999999999"};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct size_predicate size;
		struct error err = {0};

		assert_int_equal(size_predicate_parse(cases[i], &size, &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_non_null(strstr(err.text, "find_size: "));
	}
}

/* Whether a file of so many bytes has this size. */
static bool holds(const char *text, off_t bytes)
{
	struct predicates predicates = {0};
	struct stat status = {.st_size = bytes};
	struct error err = {0};

	assert_int_equal(size_predicate_parse(text, &predicates.size, &err), 0);
	return predicates_stat_holds(&predicates, &status);
}

static void a_begun_unit_counts_as_one(void **state)
{
	(void)state;
	assert_true(holds("-1M", 0));
	assert_false(holds("-1M", 1));
	assert_true(holds("1M", 1));
	assert_true(holds("1M", 1 << 20));
	assert_false(holds("1M", (1 << 20) + 1));
	assert_true(holds("+1M", (1 << 20) + 1));
	assert_true(holds("8", 8 * 512 - 511));
	assert_false(holds("8", 8 * 512 - 512));
	assert_true(holds("100c", 100));
	assert_false(holds("+100c", 100));
}

static void newer_is_later_to_the_nanosecond(void **state)
{
	struct predicates predicates = {.newer = true, .than = {.tv_sec = 7, .tv_nsec = 5}};
	struct stat status = {.st_mtim = {.tv_sec = 7, .tv_nsec = 5}};

	(void)state;
	assert_false(predicates_stat_holds(&predicates, &status));
	status.st_mtim.tv_nsec = 6;
	assert_true(predicates_stat_holds(&predicates, &status));
	status.st_mtim = (struct timespec){.tv_sec = 8};
	assert_true(predicates_stat_holds(&predicates, &status));
	status.st_mtim = (struct timespec){.tv_sec = 6, .tv_nsec = 9};
	assert_false(predicates_stat_holds(&predicates, &status));
}

static void names_match_as_in_the_shell_with_leading_points(void **state)
{
	const struct predicates any = {0}, some = {.name = "*.[ch]"};

	(void)state;
	assert_true(predicates_name_holds(&any, "x"));
	assert_true(predicates_name_holds(&some, "find.c"));
	assert_true(predicates_name_holds(&some, ".hidden.h"));
	assert_false(predicates_name_holds(&some, "find.o"));
	assert_false(predicates_any(&any));
	assert_false(predicates_want_stat(&some));
}

static void add(struct pile *pile, unsigned number)
{
	/* of all lengths, so that none stands at an even place */
	size_t length = 1 + number % 13;

	memset(pile_add(pile, length), (int)number, length);
}

static void check_next(struct pile *pile, unsigned number)
{
	size_t length = 0;
	const char *piece = pile_take(pile, &length);

	assert_non_null(piece);
	assert_int_equal(length, 1 + number % 13);
	for (size_t i = 0; i < length; i++)
		assert_int_equal((unsigned char)piece[i], number);
}

static void the_owner_takes_the_newest(void **state)
{
	struct pile pile = {0};
	size_t length;

	(void)state;
	assert_null(pile_take(&pile, &length));
	for (unsigned i = 0; i < 200; i++)
		add(&pile, i);
	for (unsigned i = 200; i-- > 0;)
		check_next(&pile, i);
	assert_int_equal(pile.count, 0);
	pile_release(&pile);
}

static void others_are_given_the_oldest(void **state)
{
	struct pile pile = {0}, other = {0};
	struct text block = {0};

	(void)state;
	for (unsigned i = 0; i < 200; i++)
		add(&pile, i);
	pile_give(&pile, 50, SIZE_MAX, &block);
	assert_int_equal(pile.count, 150);
	add(&other, 250);
	assert_int_equal(pile_put(&other, block.bytes, block.length), 50);
	for (unsigned i = 50; i-- > 0;)
		check_next(&other, i);
	check_next(&other, 250);
	for (unsigned i = 200; i-- > 50;)
		check_next(&pile, i);
	assert_int_equal(pile.count + other.count, 0);
	text_release(&block);
	pile_release(&pile);
	pile_release(&other);
}

static void no_more_is_given_than_fits_but_one(void **state)
{
	struct pile pile = {0};
	struct text block = {0};

	(void)state;
	for (unsigned i = 0; i < 10; i++)
		memset(pile_add(&pile, 100), 1, 100);
	pile_give(&pile, 10, 250, &block);
	assert_int_equal(pile.count, 8);
	text_clear(&block);
	pile_give(&pile, 10, 5, &block);
	assert_int_equal(pile.count, 7);
	text_clear(&block);
	pile_give(&pile, 100, SIZE_MAX, &block);
	assert_int_equal(pile.count, 0);
	text_release(&block);
	pile_release(&pile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_written_as_in_find),
		cmocka_unit_test(what_is_no_size_is_refused),
		cmocka_unit_test(a_begun_unit_counts_as_one),
		cmocka_unit_test(newer_is_later_to_the_nanosecond),
		cmocka_unit_test(names_match_as_in_the_shell_with_leading_points),
		cmocka_unit_test(the_owner_takes_the_newest),
		cmocka_unit_test(others_are_given_the_oldest),
		cmocka_unit_test(no_more_is_given_than_fits_but_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
