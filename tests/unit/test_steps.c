/* The steps of a set, and loads beside the phases of others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "plan/steps.h"

static const struct test
	writer_test = {.name = "checkpoint"},
	unnamed_test,
	long_test = {.name = "a test with a name that is too long to be shown whole beside others"};
static const struct load beside = {.beside = true}, ordinary;

static struct plan data_plan(const struct test *test)
{
	return (struct plan){.test = test,
			     .phases = {{.kind = PHASE_WRITE}, {.kind = PHASE_READ}},
			     .phase_count = 2};
}

static struct plan load_plan(const struct load *load)
{
	return (struct plan){.test = &unnamed_test,
			     .load = load,
			     .load_seconds = 30,
			     .phases = {{.kind = PHASE_WRITE}, {.kind = PHASE_LOAD}},
			     .phase_count = 2};
}

static void a_load_beside_others_has_a_phase_for_each_of_their_steps(void **state)
{
	struct plan plans[] = {load_plan(&beside), data_plan(&writer_test), load_plan(&ordinary)};

	(void)state;
	assert_false(plans_have_beside(plans, 3));
	plans_put_beside(plans, 3, 4);
	assert_true(plans_have_beside(plans, 3));
	assert_int_equal(plans_steps(plans, 3), 2);
	assert_int_equal(plans[0].phase_count, 3);
	assert_true(plans[0].load_seconds <= 0);
	assert_ptr_equal(plan_layout(&plans[0]), &plans[0].phases[0]);
	assert_string_equal(plan_step(&plans[0], 0)->beside, "write of checkpoint, load of test 6");
	assert_string_equal(plan_step(&plans[0], 1)->beside, "read of checkpoint");
	assert_null(plan_step(&plans[0], 2));
	assert_true(plans[2].load_seconds > 0);
	assert_int_equal(plans[2].phase_count, 2);
}

static void names_that_do_not_fit_are_left_out(void **state)
{
	struct plan plans[] = {load_plan(&beside), data_plan(&writer_test), data_plan(&long_test),
			       data_plan(&writer_test)};

	(void)state;
	plans_put_beside(plans, 4, 0);
	assert_string_equal(plan_step(&plans[0], 0)->beside, "write of checkpoint, …");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_load_beside_others_has_a_phase_for_each_of_their_steps),
		cmocka_unit_test(names_that_do_not_fit_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
