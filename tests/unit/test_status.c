/* What a status file tells, and its text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/status.h"

static void prints(const struct status *status, const char *expected)
{
	struct text lines = {0};
	struct status again = {0};
	struct text twice = {0};

	status_print(status, &lines);
	assert_string_equal(lines.bytes, expected);
	assert_true(status_parse(lines.bytes, &again));
	status_print(&again, &twice);
	assert_string_equal(twice.bytes, expected);
	text_release(&lines);
	text_release(&twice);
	status_release(&again);
}

static void one_number_tells_what_is_alike(void **state)
{
	struct status status = {0};

	(void)state;
	status_note(&status, 0, STATUS_DIRECTORIES, 7);
	status_note(&status, 0, STATUS_FILES, 7);
	status_note(&status, 1, STATUS_FILES, 7);
	prints(&status, "7\n");
	status_note(&status, 1, STATUS_FILES, 9);
	prints(&status, "9\nrepetition 0 directories 7\nrepetition 0 files 7\nrepetition 1 files 9\n");
	assert_int_equal(status_count(&status, 0, STATUS_FILES), 7);
	assert_int_equal(status_count(&status, 1, STATUS_FILES), 9);
	assert_int_equal(status_count(&status, 1, STATUS_DIRECTORIES), 0);
	status_release(&status);
}

static void what_is_not_told_is_as_planned(void **state)
{
	struct status status = {0};

	(void)state;
	assert_int_equal(status_limit(&status, 3, STATUS_TRANSFERS, 50), 50);
	assert_true(status_parse(" 20", &status));
	assert_int_equal(status_limit(&status, 3, STATUS_TRANSFERS, 50), 20);
	assert_int_equal(status_limit(&status, 3, STATUS_FILES, 10), 10);
}

static void other_texts_tell_nothing(void **state)
{
	static const char *const texts[] = {
		"", "x", "-1", "+1", "5 x", "5\nrepetition 0 files\n", "5\nrepetition 0 blocks 3\n",
		"5\nrepetition 0 files 3", "5\nrepetition -1 files 3\n", "5\nrepetition 0 files 3\n4\n",
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct status status = {0};

		assert_false(status_parse(texts[i], &status));
		assert_int_equal(status.number, 0);
		assert_null(status.entries);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_number_tells_what_is_alike),
		cmocka_unit_test(what_is_not_told_is_as_planned),
		cmocka_unit_test(other_texts_tell_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
