/* What nodes say of themselves, and where they differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "environment/compare.h"
#include "environment/gather.h"
#include "environment/lines.h"
#include "environment/variables.h"

static struct like_nodes group(const char *lines, uint32_t count, const uint32_t *nodes)
{
	struct like_nodes made = {.count = count};

	text_add(&made.lines, "%s", lines);
	made.nodes = memory_allocate(count, sizeof(*nodes));
	memcpy(made.nodes, nodes, count * sizeof(*nodes));
	return made;
}

#define GROUP(lines, ...)                                                  \
	group(lines, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), \
	      (uint32_t[]){__VA_ARGS__})

/* Five nodes: 1 and 4 have another governor, 4 also lacks a key and has one of its own. */
static void compare_five(struct environments *environments)
{
	struct like_nodes *groups = memory_allocate(3, sizeof(*groups));

	groups[0] = GROUP("cpu=epyc\ngovernor=performance\nmtu=9000\n", 0, 2, 3);
	groups[1] = GROUP("cpu=epyc\ngovernor=powersave\nmtu=9000\n", 1);
	groups[2] = GROUP("cpu=epyc\ngovernor=powersave\nswap=yes\n", 4);
	*environments = (struct environments){0};
	environments_compare(environments, groups, 3);
}

static void a_key_that_all_nodes_have_alike_is_no_difference(void **state)
{
	struct environments environments;

	(void)state;
	compare_five(&environments);
	assert_int_equal(environments.nodes, 5);
	assert_int_equal(environments.key_count, 3);
	assert_string_equal(text_string(&environments.common),
			    "cpu=epyc\ngovernor=performance\nmtu=9000\n");
	environments_release(&environments);
}

static void nodes_of_several_groups_share_a_value(void **state)
{
	struct environments environments;
	const struct differing_key *key;

	(void)state;
	compare_five(&environments);
	key = &environments.keys[0];
	assert_string_equal(key->key, "governor");
	assert_int_equal(key->count, 2);
	assert_int_equal(key->values[0].count, 3);
	assert_string_equal(key->values[1].value, "powersave");
	assert_int_equal(key->values[1].count, 2);
	assert_int_equal(key->values[1].nodes[0], 1);
	assert_int_equal(key->values[1].nodes[1], 4);
	environments_release(&environments);
}

static void a_node_is_compared_with_most(void **state)
{
	struct environments environments;

	(void)state;
	compare_five(&environments);
	for (size_t i = 0; i < environments.key_count; i++) {
		assert_int_equal(environments_value(&environments.keys[i], 2), 0);
		assert_int_equal(environments_value(&environments.keys[i], 4), 1);
		assert_int_equal(environments_value(&environments.keys[i], 77), 0);
	}
	assert_null(environments.keys[1].values[1].value);
	environments_release(&environments);
}

static void of_two_equal_sides_the_lowest_node_is_usual(void **state)
{
	struct environments environments = {0};
	struct like_nodes *groups = memory_allocate(2, sizeof(*groups));

	(void)state;
	groups[0] = GROUP("a=later\n", 1, 3);
	groups[1] = GROUP("a=first\n", 0, 2);
	environments_compare(&environments, groups, 2);
	assert_string_equal(environments.keys[0].values[0].value, "first");
	environments_release(&environments);
}

static void equal_facts_have_equal_hashes_in_any_order(void **state)
{
	struct text one = {0}, other = {0};

	(void)state;
	lines_add(&one, "b", "2  \t two\n");
	lines_add(&one, "a", "1");
	lines_add(&one, "none", " \n");
	lines_add(&other, "a", "1");
	lines_add(&other, "b", "2 two");
	lines_sort(&one);
	lines_sort(&other);
	assert_string_equal(text_string(&one), "a=1\nb=2 two\n");
	struct lines_hash first = lines_hash(&one), second = lines_hash(&other);

	assert_memory_equal(&first, &second, sizeof(first));
	lines_add(&other, "c", "3");
	second = lines_hash(&other);
	assert_true(first.words[0] != second.words[0] && first.words[1] != second.words[1]);
	text_release(&one);
	text_release(&other);
}

static void long_values_that_differ_at_their_end_stay_different(void **state)
{
	char value[2 * LINE_VALUE];
	struct text one = {0}, other = {0};

	(void)state;
	memset(value, 'x', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	lines_add(&one, "k", value);
	value[sizeof(value) - 2] = 'y';
	lines_add(&other, "k", value);
	assert_true(one.length < LINE_VALUE + 8);
	assert_string_not_equal(one.bytes, other.bytes);
	text_release(&one);
	text_release(&other);
}

static void secrets_and_launchers_variables_are_left_out(void **state)
{
	struct text lines = {0};

	(void)state;
	setenv("FI_PROVIDER", "tcp", 1);
	setenv("FI_X_AUTH_KEY", "hidden1", 1);
	setenv("PMIX_MCA_gds", "hash", 1);
	setenv("PMIX_SERVER_URI2", "hidden2", 1);
	setenv("I_MPI_ADJUST_BCAST", "1", 1);
	setenv("UCX_API_TOKEN", "hidden3", 1);
	setenv("HOME_OF_MINE", "hidden4", 1);
	variables_add_tuning(&lines);
	assert_non_null(strstr(text_string(&lines), "FI_PROVIDER=tcp\n"));
	assert_non_null(strstr(text_string(&lines), "PMIX_MCA_gds=hash\n"));
	assert_non_null(strstr(text_string(&lines), "I_MPI_ADJUST_BCAST=1\n"));
	assert_null(strstr(text_string(&lines), "hidden"));
	text_release(&lines);
}

static bool is_odd_or_big(const void *context, size_t number)
{
	(void)context;
	return number == 1 || number >= 4;
}

static void numbers_are_written_as_ranges(void **state)
{
	struct text range = {0};

	(void)state;
	lines_add_range(&range, 7, is_odd_or_big, NULL);
	assert_string_equal(text_string(&range), "1,4-6");
	text_release(&range);
}

static void this_machine_says_the_same_twice(void **state)
{
	const char *paths[] = {"missing/directory/file"};
	const pid_t own = getpid();
	const struct gather_request request = {&own, 1, paths, 1};
	struct text one = {0}, other = {0};

	(void)state;
	gather_node(&one, &request);
	gather_node(&other, &request);
	assert_string_equal(text_string(&one), text_string(&other));
	assert_non_null(strstr(one.bytes, "\nvm.swappiness="));
	assert_non_null(strstr(one.bytes, "\nlimit.umask="));
	assert_non_null(strstr(one.bytes, "\ntasks.cpus="));
	assert_non_null(strstr(one.bytes, "\ntarget0.mount_point="));
	assert_non_null(strstr(one.bytes, "\nlibrary.mpi_version="));
	text_release(&one);
	text_release(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_that_all_nodes_have_alike_is_no_difference),
		cmocka_unit_test(nodes_of_several_groups_share_a_value),
		cmocka_unit_test(a_node_is_compared_with_most),
		cmocka_unit_test(of_two_equal_sides_the_lowest_node_is_usual),
		cmocka_unit_test(equal_facts_have_equal_hashes_in_any_order),
		cmocka_unit_test(long_values_that_differ_at_their_end_stay_different),
		cmocka_unit_test(secrets_and_launchers_variables_are_left_out),
		cmocka_unit_test(numbers_are_written_as_ranges),
		cmocka_unit_test(this_machine_says_the_same_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
