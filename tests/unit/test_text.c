/* A growing string, and the comparisons of names. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/near.h"
#include "base/text.h"

static void an_empty_text_is_an_empty_string(void **state)
{
	struct text text = {0};

	(void)state;
	assert_string_equal(text_string(&text), "");
	text_clear(&text);
	text_release(&text);
}

static void a_text_grows_with_what_is_added(void **state)
{
	struct text text = {0};

	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		text_add(&text, "%u,", i % 10);
	assert_int_equal(text.length, 2000);
	assert_int_equal(strlen(text.bytes), 2000);
	text_add(&text, "%0500d", 7);
	assert_int_equal(text.length, 2500);
	assert_int_equal(text.bytes[2499], '7');
	text_clear(&text);
	assert_string_equal(text_string(&text), "");
	text_add_bytes(&text, "a\0b", 3);
	assert_int_equal(text.length, 3);
	assert_memory_equal(text.bytes, "a\0b", 4);
	text_release(&text);
	assert_null(text.bytes);
}

static void a_copy_is_the_callers(void **state)
{
	char *whole = text_copy("block"), *part = text_copy_n("block", 2);

	(void)state;
	assert_string_equal(whole, "block");
	assert_string_equal(part, "bl");
	free(whole);
	free(part);
}

static void keys_match_without_case_and_dashes(void **state)
{
	(void)state;
	assert_true(text_same_key("transferSize", "transfer_size"));
	assert_true(text_same_key("Transfer-Size", "TRANSFERSIZE"));
	assert_true(text_same_key("transfer_size_", "-transfersize"));
	assert_false(text_same_key("transfer_size", "transfer_sizes"));
	assert_false(text_same_key("transfer_size", "transfer.size"));
	assert_false(text_same_key("a", ""));
}

static void distance_counts_single_mistakes(void **state)
{
	(void)state;
	assert_int_equal(text_distance("fsync", "FSYNC", 3), 0);
	assert_int_equal(text_distance("block_size", "blockSize", 3), 0);
	assert_int_equal(text_distance("fsync", "fsnc", 3), 1);
	assert_int_equal(text_distance("fsync", "fsyync", 3), 1);
	assert_int_equal(text_distance("fsync", "fsinc", 3), 1);
	assert_int_equal(text_distance("fsync", "fysnc", 3), 1);
	assert_int_equal(text_distance("", "abc", 3), 3);
	assert_int_equal(text_distance("", "abcd", 3), 4);
}

static void distance_stops_counting_above_the_limit(void **state)
{
	char long_key[200];

	(void)state;
	memset(long_key, 'a', sizeof(long_key) - 1);
	long_key[sizeof(long_key) - 1] = '\0';
	assert_int_equal(text_distance("posix", "mmap", 2), 3);
	assert_int_equal(text_distance(long_key, "a", 2), 3);
}

static void the_hash_is_fnv_1a(void **state)
{
	(void)state;
	assert_int_equal(text_hash("", 0), UINT64_C(0xcbf29ce484222325));
	assert_int_equal(text_hash("a", 1), UINT64_C(0xaf63dc4c8601ec8c));
	assert_int_equal(text_hash("foobar", 6), UINT64_C(0x85944171f73967e8));
}

static void the_directory_of_a_path_is_told_if_it_fits(void **state)
{
	char directory[8];

	(void)state;
	assert_true(text_directory("file", directory, sizeof(directory)));
	assert_string_equal(directory, ".");
	assert_true(text_directory("/file", directory, sizeof(directory)));
	assert_string_equal(directory, "/");
	assert_true(text_directory("a/b/file", directory, sizeof(directory)));
	assert_string_equal(directory, "a/b");
	assert_false(text_directory("too/long/for/it", directory, sizeof(directory)));
}

static void what_is_not_there_lies_in_the_next_above_it(void **state)
{
	static const char *const places[][2] = {
		{"/", "/"},
		{".", "."},
		{"none-of-these/a/b", "."},
		{"none", "."},
		{"/none/of/these", "/"},
		{"/dev/none/of/these", "/dev"},
		{"/dev/null/a/b", "/dev/null"},
		{"/dev/", "/dev/"},
	};
	char near[NEAR_SIZE], name[300];
	struct stat status, expected;

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		assert_int_equal(near_path(places[i][0], near, &status), 0);
		assert_string_equal(near, places[i][1]);
		assert_int_equal(stat(near, &expected), 0);
		assert_true(status.st_dev == expected.st_dev && status.st_ino == expected.st_ino);
	}
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(near_path(name, near, &status), -1);
	assert_int_equal(errno, ENAMETOOLONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_there_lies_in_the_next_above_it),
		cmocka_unit_test(the_directory_of_a_path_is_told_if_it_fits),
		cmocka_unit_test(an_empty_text_is_an_empty_string),
		cmocka_unit_test(a_text_grows_with_what_is_added),
		cmocka_unit_test(a_copy_is_the_callers),
		cmocka_unit_test(keys_match_without_case_and_dashes),
		cmocka_unit_test(distance_counts_single_mistakes),
		cmocka_unit_test(distance_stops_counting_above_the_limit),
		cmocka_unit_test(the_hash_is_fnv_1a),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
