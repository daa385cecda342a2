/* Tasks that are far from the mean of all: which are counted, and by which step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "result/outliers.h"

static const uint64_t begin_ns = 1000000000000;

/* The mean task starts at once, opens for 1 s, transfers for 10 s and closes for 1 s. */
static struct outliers new_outliers(double threshold)
{
	return (struct outliers){
		.threshold = threshold,
		.since_ns = begin_ns,
		.mean = {[STEP_OPEN] = 1,
			 [STEP_TRANSFER] = 10,
			 [STEP_CLOSE] = 1,
			 [STEP_TOTAL] = 12},
	};
}

static uint64_t after(double seconds)
{
	return begin_ns + (uint64_t)(seconds * 1e9);
}

/* A task of node 3 that takes so many seconds for its steps, one directly after the other. */
static struct task_row new_row(uint32_t task, double start, double open, double transfer,
			       double close)
{
	return (struct task_row){
		.task = task,
		.node = 3,
		.begin_ns = after(start),
		.open_end_ns = after(start + open),
		.first_issue_ns = after(start + open),
		.last_completion_ns = after(start + open + transfer),
		.close_end_ns = after(start + open + transfer + close),
	};
}

static void a_task_counts_once_by_its_most_distant_step(void **state)
{
	struct outliers outliers = new_outliers(2);
	const struct task_row slow = new_row(7, 0, 1, 15, 4), fast = new_row(8, 0, 1, 5, 1);
	const struct task_row late = new_row(9, 8, 1, 10, 1), usual = new_row(10, 1, 2, 9, 1);

	(void)state;
	outliers_add(&outliers, &slow);
	outliers_add(&outliers, &fast);
	outliers_add(&outliers, &late);
	outliers_add(&outliers, &usual);
	assert_int_equal(outliers.count, 3);
	assert_int_equal(outliers.kept_count, 3);
	/* 5 s more in the transfer, 3 s more in the close, 8 s more in total */
	assert_int_equal(outliers.kept[0].task, 7);
	assert_int_equal(outliers.kept[0].node, 3);
	assert_int_equal(outliers.kept[0].step, STEP_TOTAL);
	assert_float_equal(outliers.kept[0].seconds, 20, 1e-6);
	/* of two steps that are as distant the first is named */
	assert_int_equal(outliers.kept[1].task, 8);
	assert_int_equal(outliers.kept[1].step, STEP_TRANSFER);
	assert_float_equal(outliers.kept[1].seconds, 5, 1e-6);
	assert_int_equal(outliers.kept[2].task, 9);
	assert_int_equal(outliers.kept[2].step, STEP_START);
	assert_float_equal(outliers.kept[2].seconds, 8, 1e-6);
}

static void a_task_at_the_threshold_is_no_outlier(void **state)
{
	struct outliers outliers = new_outliers(2);
	const struct task_row at = new_row(0, 2, 1, 10, 1), beyond = new_row(1, 2.001, 1, 10, 1);

	(void)state;
	outliers_add(&outliers, &at);
	assert_int_equal(outliers.count, 0);
	outliers_add(&outliers, &beyond);
	assert_int_equal(outliers.count, 1);
}

static void without_a_threshold_no_task_is_an_outlier(void **state)
{
	struct outliers outliers = new_outliers(0);
	const struct task_row row = new_row(0, 100, 100, 100, 100);

	(void)state;
	outliers_add(&outliers, &row);
	assert_int_equal(outliers.count, 0);
	assert_int_equal(outliers.kept_count, 0);
}

static void the_first_16_outliers_are_kept_and_all_are_counted(void **state)
{
	struct outliers outliers = new_outliers(2);

	(void)state;
	for (uint32_t task = 0; task < 20; task++) {
		const struct task_row row = new_row(task, 0, 1, 100 + task, 1);

		outliers_add(&outliers, &row);
	}
	assert_int_equal(outliers.count, 20);
	assert_int_equal(outliers.kept_count, 16);
	assert_int_equal(outliers.kept[15].task, 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_counts_once_by_its_most_distant_step),
		cmocka_unit_test(a_task_at_the_threshold_is_no_outlier),
		cmocka_unit_test(without_a_threshold_no_task_is_an_outlier),
		cmocka_unit_test(the_first_16_outliers_are_kept_and_all_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
