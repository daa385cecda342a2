/* The table of phase kinds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "pattern/phase.h"

static void every_kind_has_a_name_of_its_own(void **state)
{
	(void)state;
	for (int kind = 0; kind < PHASE_KINDS; kind++) {
		assert_non_null(phase_name((enum phase_kind)kind));
		for (int other = 0; other < kind; other++)
			assert_string_not_equal(phase_name((enum phase_kind)kind),
						phase_name((enum phase_kind)other));
	}
}

static void every_operation_has_a_name_of_its_own(void **state)
{
	(void)state;
	for (int operation = 0; operation < OPERATIONS; operation++) {
		assert_non_null(operation_name((enum operation)operation));
		for (int other = 0; other < operation; other++)
			assert_string_not_equal(operation_name((enum operation)operation),
						operation_name((enum operation)other));
	}
}

static void only_phases_of_data_count_bytes(void **state)
{
	(void)state;
	for (int kind = 0; kind < PHASE_KINDS; kind++) {
		const bool moves_data = phase_moves_data((enum phase_kind)kind);

		assert_int_equal(phase_traits[kind].amount == AMOUNT_BYTES, moves_data);
		assert_int_equal(operation_is_on_metadata(phase_operation((enum phase_kind)kind)),
				 !moves_data);
	}
}

static void what_creates_items_makes_entries(void **state)
{
	(void)state;
	for (int kind = 0; kind < PHASE_KINDS; kind++) {
		const struct phase_traits *traits = &phase_traits[kind];

		assert_true(traits->stride < STRIDES);
		assert_true(traits->makes_entries || !traits->creates_items);
		assert_false(traits->makes_entries && traits->removes_entries);
	}
}

static bool ends_with(const char *name, const char *end)
{
	const size_t length = strlen(name), least = strlen(end);

	return length >= least && !strcmp(name + length - least, end);
}

/* The names of phases on directories and files say what they do. */
static void the_name_of_a_phase_says_what_it_does_to_entries(void **state)
{
	static const struct {
		const char *end;
		unsigned stride; /* of mdtest -N */
	} verbs[] = {{"-create", 0}, {"-stat", 1}, {"-read", 2}, {"-remove", 3}};

	(void)state;
	for (int kind = PHASE_TREE_CREATE; kind <= PHASE_TREE_REMOVE; kind++) {
		const struct phase_traits *traits = &phase_traits[kind];
		const bool of_tree = !strncmp(traits->name, "tree-", 5);
		const bool of_directories = of_tree || !strncmp(traits->name, "dir-", 4);

		assert_int_equal(traits->of_files, !of_directories);
		assert_int_equal(traits->makes_entries, ends_with(traits->name, "-create"));
		assert_int_equal(traits->removes_entries, ends_with(traits->name, "-remove"));
		assert_int_equal(traits->creates_items, traits->makes_entries && !of_tree);
		for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
			if (ends_with(traits->name, verbs[i].end))
				assert_int_equal(traits->stride, of_tree ? 0 : verbs[i].stride);
	}
	assert_false(phase_traits[PHASE_LOAD].makes_entries);
	assert_false(phase_traits[PHASE_WRITE].creates_items);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_has_a_name_of_its_own),
		cmocka_unit_test(every_operation_has_a_name_of_its_own),
		cmocka_unit_test(only_phases_of_data_count_bytes),
		cmocka_unit_test(what_creates_items_makes_entries),
		cmocka_unit_test(the_name_of_a_phase_says_what_it_does_to_entries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
