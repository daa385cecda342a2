/* What a task observed beside its operations: its row, what it could not read, what the kernel
 * tells of it and of its node, and its counts while a load runs. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <cmocka.h>

#include "measure/interval.h"
#include "measure/kernel.h"
#include "measure/node_activity.h"
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

static void a_measure_gets_what_two_readings_differ_by(void **state)
{
	const struct kernel_usage before = {
		.user_ns = 100,
		.system_ns = 200,
		.voluntary_switches = 3,
		.involuntary_switches = 4,
		.io = {.tasks = 1,
		       .rchar = 1000,
		       .wchar = 500,
		       .syscr = 10,
		       .syscw = 20,
		       .read_bytes = 4096,
		       .write_bytes = 8192,
		       .cancelled_write_bytes = 30},
		.own_bytes = 100,
	};
	const struct kernel_usage after = {
		.user_ns = 150,
		.system_ns = 290,
		.voluntary_switches = 8,
		.involuntary_switches = 10,
		.io = {.tasks = 1,
		       .rchar = 1700,
		       .wchar = 900,
		       .syscr = 15,
		       .syscw = 27,
		       .read_bytes = 12288,
		       .write_bytes = 8192 + 512,
		       .cancelled_write_bytes = 31},
	};
	const struct kernel_usage no_io = {.user_ns = 160, .system_ns = 295};
	struct measure *measure = measure_create(NULL, 0);

	(void)state;
	kernel_usage_add(measure, &before, &after);
	assert_int_equal(measure->user_ns, 50);
	assert_int_equal(measure->system_ns, 90);
	assert_int_equal(measure->voluntary_switches, 5);
	assert_int_equal(measure->involuntary_switches, 6);
	assert_int_equal(measure->io.tasks, 1);
	assert_int_equal(measure->io.rchar, 600);
	assert_int_equal(measure->io.wchar, 400);
	assert_int_equal(measure->io.syscr, 4);
	assert_int_equal(measure->io.syscw, 7);
	assert_int_equal(measure->io.read_bytes, 8192);
	assert_int_equal(measure->io.write_bytes, 512);
	assert_int_equal(measure->io.cancelled_write_bytes, 1);
	kernel_usage_add(measure, &after, &no_io);
	assert_int_equal(measure->user_ns, 60);
	assert_int_equal(measure->io.tasks, 1);
	assert_int_equal(measure->io.wchar, 400);
	free(measure);
}

enum { KIB = 1024 };

/* Of 1 MiB, the first 64 KiB and 64 KiB from 512 KiB on are data, all else is holes. */
static void make_sparse(char *path, size_t size)
{
	int fd = make_file(path, size);
	char *bytes = calloc(1, 64 * KIB);

	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(pwrite(fd, bytes, 64 * KIB, 0), 64 * KIB);
	assert_int_equal(pwrite(fd, bytes, 64 * KIB, 512 * KIB), 64 * KIB);
	assert_int_equal(ftruncate(fd, BYTES), 0);
	free(bytes);
	close(fd);
}

static void assert_source(const char *path, uint64_t end, uint64_t bytes, uint64_t holes)
{
	struct source_state source = {0};

	kernel_source_add(&source, path, end);
	assert_int_equal(source.files, 1);
	assert_int_equal(source.bytes, bytes);
	assert_int_equal(source.holes, holes);
}

static void holes_are_counted_up_to_the_end_of_what_is_read(void **state)
{
	struct source_state source = {0};
	char path[4096];

	(void)state;
	make_sparse(path, sizeof(path));
	kernel_source_add(&source, path, BYTES);
	if (!source.holes) {
		unlink(path);
		print_message("needs a file system that reports holes\n");
		skip();
	}
	assert_source(path, BYTES, BYTES, (448 + 448) * KIB);
	assert_source(path, 2 * BYTES, BYTES, (448 + 448) * KIB);
	assert_source(path, 576 * KIB, 576 * KIB, 448 * KIB);
	assert_source(path, 256 * KIB, 256 * KIB, 192 * KIB);
	assert_source(path, 64 * KIB, 64 * KIB, 0);
	unlink(path);
	kernel_source_add(&source, path, BYTES);
	assert_int_equal(source.files, 1);
}

static void a_file_without_holes_has_none(void **state)
{
	char path[4096];
	int fd = make_file(path, sizeof(path));

	(void)state;
	assert_int_equal(fsync(fd), 0);
	assert_source(path, BYTES, BYTES, 0);
	close(fd);
	unlink(path);
}

/* --- nodes ---------------------------------------------------------------------------------- */

static void a_node_counts_only_what_both_readings_know(void **state)
{
	const struct node_counters before = {
		.has_device = true,
		.has_stalls = true,
		.at_ns = 1000,
		.read_bytes = 512,
		.written_bytes = 1024,
		.dirty_bytes = 70,
		.cpu_stall_ns = 10,
	};
	struct node_counters after = {
		.has_device = true,
		.has_stalls = true,
		.at_ns = 3500,
		.read_bytes = 1536,
		.written_bytes = 5120,
		.dirty_bytes = 9000,
		.cpu_stall_ns = 60,
	};
	struct node_activity activity = {0};

	(void)state;
	node_activity_add(&activity, &before, &after);
	assert_int_equal(activity.watched_ns, 2500);
	assert_int_equal(activity.devices, 1);
	assert_int_equal(activity.read_bytes, 1024);
	assert_int_equal(activity.written_bytes, 4096);
	assert_int_equal(activity.dirty_bytes, 70);
	assert_int_equal(activity.stall_nodes, 1);
	assert_int_equal(activity.cpu_stall_ns, 50);
	after.has_device = after.has_stalls = false;
	node_activity_add(&activity, &before, &after);
	node_activity_add(&activity, &after, &before);
	assert_int_equal(activity.devices, 1);
	assert_int_equal(activity.dirty_bytes, 70);
	assert_int_equal(activity.stall_nodes, 1);
	assert_int_equal(activity.cpu_stall_ns, 50);
}

/* Finds a device that has moved data; false: there is none. */
static bool find_device(dev_t *device, uint64_t *read, uint64_t *written)
{
	FILE *file = fopen("/proc/diskstats", "re");
	unsigned long numbers[11];
	bool found = false;
	char line[512];

	while (file && !found && fgets(line, sizeof(line), file)) {
		char *rest = line;

		for (unsigned i = 0; i < 2; i++)
			numbers[i] = strtoul(rest, &rest, 10);
		rest += strspn(rest, " ");
		rest += strcspn(rest, " "); /* the name */
		for (unsigned i = 3; i < 11; i++)
			numbers[i] = strtoul(rest, &rest, 10);
		*device = makedev((unsigned)numbers[0], (unsigned)numbers[1]);
		/* Linux, admin-guide/iostats.rst: the third and the seventh count sectors. */
		*read = numbers[5] * 512;
		*written = numbers[9] * 512;
		found = *read && *written;
	}
	if (file)
		fclose(file);
	return found;
}

static void bytes_of_a_device_are_those_of_its_sectors(void **state)
{
	struct node_counters counters, none;
	uint64_t read[2], written[2];
	dev_t device;

	(void)state;
	if (!find_device(&device, &read[0], &written[0])) {
		print_message("needs a device in /proc/diskstats\n");
		skip();
	}
	node_counters_read(&counters, device);
	find_device(&device, &read[1], &written[1]);
	assert_true(counters.has_device);
	assert_in_range(counters.read_bytes, read[0], read[1]);
	assert_in_range(counters.written_bytes, written[0], written[1]);
	node_counters_read(&none, 0);
	assert_false(none.has_device);
	assert_int_equal(none.read_bytes + none.written_bytes + none.dirty_bytes, 0);
	assert_true(none.at_ns >= counters.at_ns);
}

static void a_file_has_the_device_of_the_folder_it_will_lie_in(void **state)
{
	(void)state;
	assert_int_equal(node_device("/no/such/file"), node_device("/"));
	assert_int_equal(node_device("/proc/self/stat"), 0);
}

/* --- operations of a load while it runs ------------------------------------------------------- */

static void an_interval_adds_up_reads_writes_and_metadata(void **state)
{
	struct interval interval = {0};

	(void)state;
	assert_int_equal(interval_kind_of(OPERATION_READ), INTERVAL_READ);
	assert_int_equal(interval_kind_of(OPERATION_WRITE), INTERVAL_WRITE);
	assert_int_equal(interval_kind_of(OPERATION_STAT), INTERVAL_METADATA);
	assert_int_equal(interval_kind_of(OPERATION_READ_FILE), INTERVAL_METADATA);
	interval_add(&interval.sides[INTERVAL_READ], 4096, 1000);
	interval_add(&interval.sides[INTERVAL_READ], 4096, 3000);
	interval_add(&interval.sides[INTERVAL_WRITE], 8192, 2000);
	interval_add(&interval.sides[INTERVAL_METADATA], 0, 500);
	interval_add_response(&interval.sides[INTERVAL_READ], 7000);
	assert_int_equal(interval_operations(&interval), 4);
	assert_int_equal(interval_bytes(&interval), 16384);
	assert_int_equal(interval.sides[INTERVAL_READ].operations, 2);
	assert_int_equal(interval.sides[INTERVAL_READ].service_ns, 4000);
	assert_int_equal(interval.sides[INTERVAL_READ].response_ns, 7000);
	assert_int_equal(interval.sides[INTERVAL_WRITE].response_ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_of_a_task_lie_between_its_stamps),
		cmocka_unit_test(the_first_unread_names_are_kept_whoever_saw_them),
		cmocka_unit_test(what_reading_the_counters_moves_is_taken_off),
		cmocka_unit_test(dropped_pages_are_no_longer_resident),
		cmocka_unit_test(a_measure_gets_what_two_readings_differ_by),
		cmocka_unit_test(holes_are_counted_up_to_the_end_of_what_is_read),
		cmocka_unit_test(a_file_without_holes_has_none),
		cmocka_unit_test(a_node_counts_only_what_both_readings_know),
		cmocka_unit_test(bytes_of_a_device_are_those_of_its_sectors),
		cmocka_unit_test(a_file_has_the_device_of_the_folder_it_will_lie_in),
		cmocka_unit_test(an_interval_adds_up_reads_writes_and_metadata),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
