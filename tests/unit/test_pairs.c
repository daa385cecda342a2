/* Lists of pairs as users write them: "read:70, write:30". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "pattern/pairs.h"

static void assert_pair(const char **list, const char *left, const char *right, const char *at)
{
	struct pair pair;

	assert_true(pair_next(list, ':', &pair));
	assert_string_equal(pair.left, left);
	assert_string_equal(pair.right, right);
	assert_int_equal(pair.complete, *left && *right);
	assert_int_equal(strncmp(pair.at, at, strlen(at)), 0);
	assert_false(pair.cut);
}

static void assert_end(const char *list)
{
	struct pair pair;

	assert_false(pair_next(&list, ':', &pair));
}

static void pairs_are_cut_at_commas_and_blanks_do_not_count(void **state)
{
	const char *list = "read:70,\twrite : 30 , stat:x y";

	(void)state;
	assert_pair(&list, "read", "70", "read:");
	assert_pair(&list, "write", "30", "write ");
	assert_pair(&list, "stat", "x y", "stat:");
	assert_end(list);
	assert_end("");
	assert_end("  ");
}

static void pairs_without_one_side_are_incomplete(void **state)
{
	const char *list = "read,:5,a:,  ,b:1:2,";

	(void)state;
	assert_pair(&list, "read", "", "read");
	assert_pair(&list, "", "5", ":5");
	assert_pair(&list, "a", "", "a:");
	assert_pair(&list, "", "", ",b");
	assert_pair(&list, "b", "1:2", "b:1");
	assert_end(list);
}

static void sides_of_more_than_31_bytes_are_cut(void **state)
{
	static const char fits[] = "0123456789abcdef0123456789abcde";
	static const char list[] = "0123456789abcdef0123456789abcde:1,"
				   "0123456789abcdef0123456789abcdef:1,"
				   "x:0123456789abcdef0123456789abcdef";
	const char *rest = list;
	struct pair pair;

	(void)state;
	assert_pair(&rest, fits, "1", fits);
	assert_true(pair_next(&rest, ':', &pair));
	assert_true(pair.cut);
	assert_string_equal(pair.left, fits);
	assert_string_equal(pair.right, "1");
	assert_true(pair_next(&rest, ':', &pair));
	assert_true(pair.cut);
	assert_string_equal(pair.right, fits);
}

static void shares_are_decimal_numbers_with_or_without_a_percent_sign(void **state)
{
	static const struct {
		const char *text;
		double share; /* negative: refused */
	} cases[] = {
		{"70", 70},  {"0", 0},	   {"0.5", 0.5}, {".25", 0.25}, {" 70 %", 70}, {"70%", 70},
		{"70 ", 70}, {"", -1},	   {"%", -1},	 {"-1", -1},	{"1e3", -1},   {"inf", -1},
		{"7 0", -1}, {"70%%", -1}, {"70%x", -1}, {"1.2.", -1},	{"0x10", -1},  {"+5", -1},
	};
	char huge[500];
	double share;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(pair_parse_share(cases[i].text, &share),
				 cases[i].share < 0 ? -1 : 0);
		if (cases[i].share >= 0)
			assert_float_equal(share, cases[i].share, 0);
	}
	memset(huge, '9', sizeof(huge));
	huge[sizeof(huge) - 1] = '\0';
	assert_int_equal(pair_parse_share(huge, &share), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_are_cut_at_commas_and_blanks_do_not_count),
		cmocka_unit_test(pairs_without_one_side_are_incomplete),
		cmocka_unit_test(sides_of_more_than_31_bytes_are_cut),
		cmocka_unit_test(shares_are_decimal_numbers_with_or_without_a_percent_sign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
