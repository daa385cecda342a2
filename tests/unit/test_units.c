/* Sizes, times and counts as people write them, and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/units.h"

static uint64_t size_of(const char *text)
{
	struct error err;
	uint64_t bytes = 0;

	if (units_parse_size(text, &bytes, &err))
		fail_msg("%s: %s", text, err.text);
	return bytes;
}

static void assert_size_refused(const char *text, const char *message)
{
	struct error err = {0};
	uint64_t bytes = 77;

	assert_int_equal(units_parse_size(text, &bytes, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.text, message);
	assert_int_equal(bytes, 77);
}

static void all_spellings_of_a_kibibyte_are_1024_bytes(void **state)
{
	static const char *const spellings[] = {"4k",  "4K",   "4kb",	"4KB",	 "4kib", "4KiB",
						"4Ki", "4096", "4096b", "4096B", "4.0k", "04k"};

	(void)state;
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++)
		assert_int_equal(size_of(spellings[i]), 4096);
}

static void each_unit_is_1024_of_the_one_before(void **state)
{
	(void)state;
	assert_int_equal(size_of("1m"), MIB);
	assert_int_equal(size_of("1g"), GIB);
	assert_int_equal(size_of("1t"), 1024 * GIB);
	assert_int_equal(size_of("1p"), 1024 * 1024 * GIB);
	assert_int_equal(size_of("1ei"), 1024 * 1024 * 1024 * GIB);
	assert_int_equal(size_of("9920000m"), 9920000 * MIB);
}

static void decimals_count_where_the_bytes_are_whole(void **state)
{
	(void)state;
	assert_int_equal(size_of("1.5k"), 1536);
	assert_int_equal(size_of(".5k"), 512);
	assert_int_equal(size_of("0.0009765625k"), 1);
	assert_int_equal(size_of("1.50000000000000000000000000k"), 1536);
	assert_size_refused("1.3k", "\"1.3k\" is not a whole number of bytes; write for example "
				    "4096, 256k, 1MiB or 1.5g");
	assert_size_refused("0.5", "\"0.5\" is not a whole number of bytes; write for example "
				   "4096, 256k, 1MiB or 1.5g");
}

static void what_is_left_over_is_shown(void **state)
{
	(void)state;
	assert_size_refused("4q", "\"4q\" is not a size: cannot read \"q\"; write for example "
				  "4096, 256k, 1MiB or 1.5g");
	assert_size_refused("4kk", "\"4kk\" is not a size: cannot read \"kk\"; write for example "
				   "4096, 256k, 1MiB or 1.5g");
	assert_size_refused("4 k", "\"4 k\" is not a size: cannot read \" k\"; write for example "
				   "4096, 256k, 1MiB or 1.5g");
	assert_size_refused("-4k", "\"-4k\" is not a size; write for example 4096, 256k, 1MiB or "
				   "1.5g");
	assert_size_refused("", "the value is empty; write for example 4096, 256k, 1MiB or 1.5g");
	assert_size_refused(".", "\".\" is not a size; write for example 4096, 256k, 1MiB or 1.5g");
}

static void two_to_the_63_is_too_large(void **state)
{
	(void)state;
	assert_int_equal(size_of("9223372036854775807"), INT64_MAX);
	assert_size_refused("8EiB", "\"8EiB\" is too large: less than 2^63 is possible");
	assert_size_refused(
		"1e", "\"1e\" is not a size: cannot read \"e\"; write for example 4096, 256k, "
		      "1MiB or 1.5g");
	assert_size_refused("9223372036854775808", "\"9223372036854775808\" has too many digits; "
						   "write for example 4096, 256k, 1MiB or 1.5g");
}

static void seconds_have_units(void **state)
{
	static const struct {
		const char *text;
		double seconds;
	} cases[] = {
		{"30", 30},    {"1.5", 1.5},   {"500ms", 0.5}, {"20us", 20e-6},
		{"30s", 30},   {"5m", 300},    {"2h", 7200},   {"1d", 86400},
		{"5min", 300}, {"10ns", 1e-8}, {"0", 0},       {".5", 0.5},
	};
	struct error err;
	double seconds;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(units_parse_seconds(cases[i].text, &seconds, &err), 0);
		assert_true(seconds > cases[i].seconds * 0.999999999 - 1e-15);
		assert_true(seconds < cases[i].seconds * 1.000000001 + 1e-15);
	}
}

static void times_that_are_none_are_refused(void **state)
{
	static const char *const bad[] = {"",	   "-1", "nan", "inf", "1e3",	      "0x10",
					  "1.2.3", ".",	 "5 m", "5x",  "10000000000", "999999d"};
	struct error err;
	double seconds;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(units_parse_seconds(bad[i], &seconds, &err), -1);
	assert_int_equal(units_parse_seconds("5x", &seconds, &err), -1);
	assert_string_equal(err.text, "\"5x\" is not a time: cannot read \"x\"; write for example "
				      "30, 1.5, 500ms, 5m or 2h");
}

static double rate_of(const char *text)
{
	struct error err;
	double rate = -1;

	if (units_parse_rate(text, &rate, &err))
		fail_msg("%s: %s", text, err.text);
	return rate;
}

static void rates_may_be_less_than_one_in_a_second(void **state)
{
	(void)state;
	assert_true(rate_of("0.5") == 0.5);
	assert_true(rate_of(".25") == 0.25);
	assert_true(rate_of("200") == 200);
	assert_true(rate_of("2k") == 2000);
	assert_true(rate_of("1.5Ki") == 1536);
	assert_true(rate_of("3M") == 3e6);
	assert_true(rate_of("0") == 0);
	assert_true(rate_of("0.000001") == 1e-6);
	assert_true(rate_of("0.1k") == 100);
}

static void rates_that_are_none_are_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"", "the value is empty; write for example 200, 0.5 or 2k"},
		{"-1", "\"-1\" is not a rate; write for example 200, 0.5 or 2k"},
		{"nan", "\"nan\" is not a rate; write for example 200, 0.5 or 2k"},
		{"0,5",
		 "\"0,5\" is not a rate: cannot read \",5\"; write for example 200, 0.5 or 2k"},
		{"1e3",
		 "\"1e3\" is not a rate: cannot read \"e3\"; write for example 200, 0.5 or 2k"},
		{"2kB",
		 "\"2kB\" is not a rate: cannot read \"kB\"; write for example 200, 0.5 or 2k"},
		{"5/s",
		 "\"5/s\" is not a rate: cannot read \"/s\"; write for example 200, 0.5 or 2k"},
		{"0.0000001",
		 "\"0.0000001\" is less than one in eleven days; write for example 200, 0.5 or 2k"},
	};
	struct error err;
	double rate = 77;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(units_parse_rate(cases[i].text, &rate, &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_string_equal(err.text, cases[i].message);
		assert_true(rate == 77);
	}
}

static void counts_may_have_a_suffix_but_no_bytes(void **state)
{
	struct error err;
	uint64_t count;

	(void)state;
	assert_int_equal(units_parse_count("1k", &count, &err), 0);
	assert_int_equal(count, 1024);
	assert_int_equal(units_parse_count("4Ki", &count, &err), 0);
	assert_int_equal(count, 4096);
	assert_int_equal(units_parse_count("1kb", &count, &err), -1);
	assert_int_equal(units_parse_count("1.5", &count, &err), -1);
	assert_string_equal(err.text,
			    "\"1.5\" is not a whole number; write a whole number such as 16 or 1k");
}

static void integers_have_a_sign(void **state)
{
	struct error err;
	int64_t value;

	(void)state;
	assert_int_equal(units_parse_integer("-5", &value, &err), 0);
	assert_int_equal(value, -5);
	assert_int_equal(units_parse_integer("+7", &value, &err), 0);
	assert_int_equal(value, 7);
	assert_int_equal(units_parse_integer("-9223372036854775807", &value, &err), 0);
	assert_int_equal(units_parse_integer("-", &value, &err), -1);
	assert_int_equal(units_parse_integer("1k", &value, &err), -1);
	assert_int_equal(units_parse_integer("9223372036854775808", &value, &err), -1);
}

static void yes_and_no_have_four_spellings(void **state)
{
	static const char *const yes[] = {"1", "true", "YES", "On"};
	static const char *const no[] = {"0", "false", "No", "OFF"};
	struct error err;
	bool value;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		value = false;
		assert_int_equal(units_parse_bool(yes[i], &value, &err), 0);
		assert_true(value);
		assert_int_equal(units_parse_bool(no[i], &value, &err), 0);
		assert_false(value);
	}
	assert_int_equal(units_parse_bool("2", &value, &err), -1);
	assert_string_equal(err.text, "\"2\" is not yes or no; write 1 or 0");
}

static void the_shortest_exact_size_is_written(void **state)
{
	char buffer[32];

	(void)state;
	assert_string_equal(units_format_size(0, buffer, sizeof(buffer)), "0");
	assert_string_equal(units_format_size(47008, buffer, sizeof(buffer)), "47008");
	assert_string_equal(units_format_size(MIB, buffer, sizeof(buffer)), "1MiB");
	assert_string_equal(units_format_size(1536 * KIB, buffer, sizeof(buffer)), "1536KiB");
	assert_string_equal(units_format_size(UINT64_C(1) << 62, buffer, sizeof(buffer)), "4EiB");
}

static void nanoseconds_take_seven_characters_at_most(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {
		{0, "0 ns"},
		{812, "812 ns"},
		{999, "999 ns"},
		{1000, "1.00 us"},
		{1240000, "1.24 ms"},
		{9996000, "10.0 ms"},
		{999600000, "1.00 s"},
		{UINT64_C(12345678901), "12.3 s"},
		{UINT64_C(99999000000000), "99999 s"},
		{UINT64_C(360000000000000), "100 h"},
		{UINT64_MAX, "585 y"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(units_show_ns(cases[i].ns).text, cases[i].text);
	assert_string_equal(units_show_seconds(1.2345678).text, "1.23 s");
}

static void times_in_cells_give_up_digits_for_the_width(void **state)
{
	(void)state;
	assert_string_equal(units_fit_ns(1244000, 6).text, "1.24ms");
	assert_string_equal(units_fit_ns(1244000, 5).text, "1.2ms");
	assert_string_equal(units_fit_ns(69400000, 5).text, "69ms");
	for (double ns = 1; ns < 9e12; ns *= 1.37)
		for (unsigned width = 5; width < 8; width++)
			assert_true(strlen(units_fit_ns((uint64_t)ns, width).text) <= width);
}

static void numbers_keep_to_their_width(void **state)
{
	(void)state;
	for (double value = 1e-6; value < 1e20; value *= 1.37)
		for (unsigned width = 4; width < 9; width++)
			assert_true(strlen(units_fit_number(value, width).text) <= width);
	assert_string_equal(units_fit_number(1234.56, 6).text, "1234.6");
	assert_string_equal(units_fit_number(1234567, 6).text, "1.235M");
	assert_string_equal(units_fit_number(0.0 / 0.0, 6).text, "-");
}

static void bytes_are_shown_with_four_digits(void **state)
{
	(void)state;
	assert_string_equal(units_show_bytes(268435456).text, "256 MiB");
	assert_string_equal(units_show_bytes(47008).text, "45.91 KiB");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_spellings_of_a_kibibyte_are_1024_bytes),
		cmocka_unit_test(each_unit_is_1024_of_the_one_before),
		cmocka_unit_test(decimals_count_where_the_bytes_are_whole),
		cmocka_unit_test(what_is_left_over_is_shown),
		cmocka_unit_test(two_to_the_63_is_too_large),
		cmocka_unit_test(seconds_have_units),
		cmocka_unit_test(times_that_are_none_are_refused),
		cmocka_unit_test(rates_may_be_less_than_one_in_a_second),
		cmocka_unit_test(rates_that_are_none_are_refused),
		cmocka_unit_test(counts_may_have_a_suffix_but_no_bytes),
		cmocka_unit_test(integers_have_a_sign),
		cmocka_unit_test(yes_and_no_have_four_spellings),
		cmocka_unit_test(the_shortest_exact_size_is_written),
		cmocka_unit_test(nanoseconds_take_seven_characters_at_most),
		cmocka_unit_test(times_in_cells_give_up_digits_for_the_width),
		cmocka_unit_test(numbers_keep_to_their_width),
		cmocka_unit_test(bytes_are_shown_with_four_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
