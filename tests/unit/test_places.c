/* How many tasks of a node can run at the same time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "comm/places.h"

static void unbound_tasks_have_as_many_places_as_there_are_cpus(void **state)
{
	unsigned char masks[40][2];

	(void)state;
	memset(masks, 0xff, sizeof(masks));
	assert_int_equal(places_for(masks[0], 2, 40), 16);
	assert_int_equal(places_for(masks[0], 2, 16), 16);
	assert_int_equal(places_for(masks[0], 2, 5), 5);
}

static void bound_tasks_have_one_each(void **state)
{
	const unsigned char masks[] = {1, 2, 4, 8, 16, 32, 64, 128};

	(void)state;
	assert_int_equal(places_for(masks, 1, 8), 8);
}

/* There are 8 CPUs for 8 tasks, but 4 of them may use only two. */
static void narrow_masks_that_overlap_crowd(void **state)
{
	const unsigned char masks[] = {0x03, 0x03, 0xfc, 0xfc, 0xfc, 0xfc, 0x03, 0x03};

	(void)state;
	assert_int_equal(places_for(masks, 1, 8), 6);
	assert_int_equal(places_for(masks, 1, 6), 6);
}

/* Each one that came first has to move on for the last. */
static void those_that_can_make_room_do(void **state)
{
	const unsigned char masks[] = {0x03, 0x06, 0x0c, 0x01};

	(void)state;
	assert_int_equal(places_for(masks, 1, 4), 4);
}

static void who_may_use_nothing_has_no_place(void **state)
{
	const unsigned char masks[] = {0x01, 0x00, 0x02};

	(void)state;
	assert_int_equal(places_for(masks, 1, 3), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unbound_tasks_have_as_many_places_as_there_are_cpus),
		cmocka_unit_test(bound_tasks_have_one_each),
		cmocka_unit_test(narrow_masks_that_overlap_crowd),
		cmocka_unit_test(those_that_can_make_room_do),
		cmocka_unit_test(who_may_use_nothing_has_no_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
