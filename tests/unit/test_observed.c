/* What one task observed beside its operations: its row, what it could not read, what the kernel
 * tells. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "measure/kernel.h"
#include "measure/task_row.h"
#include "measure/unread.h"

enum { BYTES = 1 << 20 };

static void steps_of_a_task_lie_between_its_stamps(void **state)
{
	const uint64_t ms = 1000000;
	const struct task_row row = {
		.begin_ns = 10 * ms,
		.open_end_ns = 12 * ms,
		.first_issue_ns = 13 * ms,
		.last_completion_ns = 20 * ms,
		.sync_end_ns = 24 * ms,
		.close_end_ns = 25 * ms,
	};

	(void)state;
	assert_true(task_row_seconds(&row, STEP_START, 7 * ms) == 0.003);
	assert_true(task_row_seconds(&row, STEP_OPEN, 0) == 0.002);
	assert_true(task_row_seconds(&row, STEP_TRANSFER, 0) == 0.007);
	assert_true(task_row_seconds(&row, STEP_CLOSE, 0) == 0.005);
	assert_true(task_row_seconds(&row, STEP_TOTAL, 0) == 0.015);
	/* A task may have begun before task 0. */
	assert_true(task_row_seconds(&row, STEP_START, 11 * ms) == -0.001);
	for (enum task_step step = 0; step < STEPS; step++)
		assert_non_null(task_step_name(step));
}

static void the_first_unread_names_are_kept_whoever_saw_them(void **state)
{
	struct unread left[UNREAD_NAMED] = {0}, right[UNREAD_NAMED] = {0};

	(void)state;
	for (int i = 9; i >= 0; i--) {
		struct unread unread = {.code = (uint32_t)i};

		snprintf(unread.path, sizeof(unread.path), "dir%d", i);
		unread_add(i % 2 ? left : right, &unread);
	}
	unread_merge(left, right);
	for (uint32_t i = 0; i < UNREAD_NAMED; i++) {
		char name[8];

		snprintf(name, sizeof(name), "dir%u", i);
		assert_string_equal(left[i].path, name);
		assert_int_equal(left[i].code, i);
	}
}

/* A file below $TEST_TMPDIR with BYTES bytes in it; its descriptor. */
static int make_file(char *path, size_t size)
{
	const char *folder = getenv("TEST_TMPDIR");
	char *bytes = calloc(1, BYTES);

	snprintf(path, size, "%s/file.XXXXXX", folder ? folder : "/tmp");
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, BYTES), BYTES);
	free(bytes);
	return fd;
}

static void what_reading_the_counters_moves_is_taken_off(void **state)
{
	static const enum operation operations[] = {OPERATION_WRITE};
	struct measure *measure = measure_create(operations, 1);
	struct kernel_usage before, after;
	char path[4096];

	(void)state;
	kernel_usage_read(&before);
	if (!before.io.tasks) {
		free(measure);
		print_message("needs /proc/self/io\n");
		skip();
	}
	int fd = make_file(path, sizeof(path));

	kernel_usage_read(&after);
	kernel_usage_add(measure, &before, &after);
	assert_int_equal(measure->io.tasks, 1);
	assert_int_equal(measure->io.wchar, BYTES);
	assert_int_equal(measure->io.syscw, 1);
	assert_int_equal(measure->io.rchar, 0);
	assert_int_equal(measure->io.syscr, 0);
	close(fd);
	unlink(path);
	free(measure);
}

static void dropped_pages_are_no_longer_resident(void **state)
{
	struct cache_state there = {0}, dropped = {0};
	char path[4096];
	int fd = make_file(path, sizeof(path));
	const bool known = kernel_cache_add(&there, path);

	(void)state;
	if (known) {
		assert_int_equal(there.files, 1);
		assert_int_equal(there.bytes, BYTES);
		assert_int_equal(there.resident, BYTES);
		assert_int_equal(kernel_cache_drop(path), 0);
		assert_true(kernel_cache_add(&dropped, path));
		assert_int_equal(dropped.dirty, 0);
		/* tmpfs keeps its pages */
		assert_true(dropped.resident == 0 || dropped.resident == BYTES);
	}
	close(fd);
	unlink(path);
	assert_false(kernel_cache_add(&dropped, path));
	assert_int_equal(kernel_cache_drop(path), -1);
	if (!known) {
		print_message("needs Linux 6.5, which has cachestat\n");
		skip();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_of_a_task_lie_between_its_stamps),
		cmocka_unit_test(the_first_unread_names_are_kept_whoever_saw_them),
		cmocka_unit_test(what_reading_the_counters_moves_is_taken_off),
		cmocka_unit_test(dropped_pages_are_no_longer_resident),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
