/* Names of files with fields for numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "plan/name_fields.h"

static void assert_name(const char *name, unsigned fields, const char *expanded)
{
	const struct name_numbers numbers = {.task = 17, .node = 2, .slot = 3, .file = 4};
	struct text text = {0};
	struct error err;
	unsigned found;

	assert_int_equal(name_fields_find(name, &found, &err), 0);
	assert_int_equal(found, fields);
	name_fields_expand(name, &numbers, &text);
	assert_string_equal(text_string(&text), expanded);
	text_release(&text);
}

static void fields_become_numbers(void **state)
{
	(void)state;
	assert_name("a/b", 0, "a/b");
	assert_name("%n/d.%t", NAME_NODE | NAME_TASK, "2/d.17");
	assert_name("%04s-%f", NAME_SLOT | NAME_FILE, "0003-4");
	assert_name("100%%%t", NAME_TASK, "100%17");
	assert_name("%t%%", NAME_TASK, "17%");
}

static void assert_refused(const char *name, const char *words)
{
	struct error err = {0};
	unsigned found;

	assert_int_equal(name_fields_find(name, &found, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.text, words));
}

static void what_is_no_field_is_refused(void **state)
{
	(void)state;
	assert_refused("a%", "begins no field");
	assert_refused("a%x", "begins no field");
	assert_refused("a%99t", "begins no field");
	assert_refused("a%t%04f", "two numbers follow each other");
}

static void a_field_before_the_last_slash_makes_several_directories(void **state)
{
	(void)state;
	assert_true(name_fields_in_directory("/mnt/%s/x"));
	assert_false(name_fields_in_directory("/mnt/%%/x.%t"));
	assert_false(name_fields_in_directory("%t"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_become_numbers),
		cmocka_unit_test(what_is_no_field_is_refused),
		cmocka_unit_test(a_field_before_the_last_slash_makes_several_directories),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
