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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_has_a_name_of_its_own),
		cmocka_unit_test(every_operation_has_a_name_of_its_own),
		cmocka_unit_test(only_phases_of_data_count_bytes),
		cmocka_unit_test(what_creates_items_makes_entries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
