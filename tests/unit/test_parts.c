/* Which spans of the order a phase moves, and until when: with a loop that only counts. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/data/data_state.h"
#include "engine/data/parts.h"

#define SECOND UINT64_C(1000000000)

enum { AVAILABLE = 1000, TRANSFER = 4096, PARTS = 4 };

/* What the doubles below see and say. */
static struct {
	struct span spans[PARTS];
	uint64_t until_ns[PARTS];
	uint64_t least[PARTS]; /* of each part: moved before its time is up; UINT64_MAX: all */
	unsigned parts;
	uint64_t fastest; /* of the other tasks */
	bool another_failed;
	unsigned agreed, asked;
	bool together; /* all tasks make the same calls */
	char *mapped;  /* touched by each part */
	uint32_t file; /* the current one */
	uint32_t files[PARTS];
	uint64_t stopped_at; /* the part that a stop request ends, counted from 1; 0: none */
	uint64_t failed_offset;
} scene;

static struct test test;
static struct plan plan;
static struct backend backend;
static struct clock axis;
static struct node_slot slot;
static struct node node = {.own = &slot};
static const struct crew crew;
static struct worker worker;
static struct data_state data;

void transfers_start(struct transfers *transfers, struct worker *of, enum access access,
		     uint32_t source)
{
	*transfers =
		(struct transfers){.worker = of, .setup = {.access = access, .source = source}};
}

void transfers_run(struct transfers *transfers, const struct span *span)
{
	uint64_t most = scene.least[scene.parts];

	scene.spans[scene.parts] = transfers->setup.span = *span;
	scene.files[scene.parts] = scene.file;
	scene.until_ns[scene.parts++] = transfers->worker->until_ns;
	transfers->worker->stopped |= scene.stopped_at == scene.parts;
	transfers->worker->time_is_up = most < span->count || span->wraps;
	transfers->tally.done += most < span->count ? most : span->count;
	if (scene.mapped)
		*(volatile char *)scene.mapped = 1;
}

void files_select(struct worker *of, uint32_t number)
{
	(void)of;
	scene.file = number;
}

void transfers_keep(struct transfers *transfers)
{
	(void)transfers;
}

bool transfers_agree(const struct worker *of)
{
	(void)of;
	return scene.together;
}

void tally_start(struct tally *tally, struct worker *of)
{
	(void)of;
	*tally = (struct tally){0};
}

void comm_most_of_late(const struct comm *comm, uint64_t *numbers, int count,
		       const struct idle *idle)
{
	(void)comm;
	(void)idle;
	assert_int_equal(count, 2);
	scene.agreed++;
	if (scene.fastest > numbers[0])
		numbers[0] = scene.fastest;
	if (scene.another_failed)
		numbers[1] = 1;
}

uint64_t comm_ask(const struct comm *comm, int source, uint64_t mine, const struct idle *idle)
{
	(void)comm;
	(void)idle;
	(void)mine;
	scene.asked++;
	return 100 + (uint64_t)source;
}

void worker_fail(struct worker *of, const struct error *error, const char *operation,
		 uint64_t offset, uint64_t length)
{
	(void)operation;
	assert_int_equal(length, TRANSFER);
	of->failure.error = *error;
	scene.failed_offset = offset;
}

static int set_up(void **state)
{
	static const enum operation operations[] = {OPERATION_WRITE, OPERATION_READ};

	(void)state;
	memset(&scene, 0, sizeof(scene));
	memset(scene.least, 0xff, sizeof(scene.least));
	memset(&test, 0, sizeof(test));
	memset(&backend, 0, sizeof(backend));
	plan.test = &test;
	plan.own_files = 1;
	plan.order = ORDER_SEQUENTIAL;
	plan.geometry = (struct geometry){.tasks = 1, .block = TRANSFER, .segments = 1};
	plan.transfers_per_task = AVAILABLE;
	plan.transfer_bytes = plan.geometry.transfer = TRANSFER;
	data = (struct data_state){0};
	worker = (struct worker){
		.data = &data,
		.crew = &crew,
		.node = &node,
		.clock = &axis,
		.plan = &plan,
		.backend = &backend,
		.available = AVAILABLE,
		.measure = measure_create(operations, 2),
	};
	return worker.measure ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	free(worker.measure);
	return 0;
}

/* A phase that began a second ago. */
static void run(enum phase_kind kind, bool may)
{
	const struct phase_plan phase = {
		.kind = kind, .access = kind == PHASE_WRITE ? ACCESS_WRITE : ACCESS_READ};
	struct loop_times times;

	parts_run(&worker, &phase, 0, may, clock_now(&axis) - SECOND, &times);
}

static void assert_span(unsigned part, uint64_t first, uint64_t count, bool wraps)
{
	assert_true(part < scene.parts);
	assert_int_equal(scene.spans[part].first, first);
	assert_int_equal(scene.spans[part].count, count);
	assert_int_equal(scene.spans[part].wraps, wraps);
}

/* The part's limit lies so long after the phase's begin, and after it was run. */
static void assert_limit(unsigned part, uint64_t since_begin_ns, uint64_t before_ns)
{
	uint64_t until_ns = scene.until_ns[part];

	assert_true(until_ns >= before_ns - SECOND + since_begin_ns);
	assert_true(until_ns <= clock_now(&axis) - SECOND + since_begin_ns);
}

static void without_a_limit_all_are_moved_at_once(void **state)
{
	(void)state;
	run(PHASE_WRITE, true);
	assert_int_equal(scene.parts, 1);
	assert_span(0, 0, AVAILABLE, false);
	assert_true(scene.until_ns[0] == UINT64_MAX);
	assert_int_equal(scene.agreed, 0);
	assert_int_equal(worker.written, AVAILABLE);
	assert_int_equal(worker.measure->wall_bytes, AVAILABLE * TRANSFER);
	assert_int_equal(worker.measure->walled_tasks, 0);
}

static void a_stonewall_counts_from_the_first_transfer(void **state)
{
	uint64_t now_ns = clock_now(&axis);

	(void)state;
	test.stonewall = 5;
	scene.least[0] = 10;
	run(PHASE_WRITE, true);
	assert_int_equal(scene.parts, 1);
	assert_limit(0, 6 * SECOND, now_ns);
	assert_int_equal(worker.written, 10);
	assert_int_equal(worker.measure->wall_bytes, 10 * TRANSFER);
	assert_int_equal(worker.measure->walled_tasks, 1);
}

static void a_duration_counts_from_the_begin_and_wraps(void **state)
{
	uint64_t now_ns = clock_now(&axis);

	(void)state;
	test.duration = 5;
	run(PHASE_READ, true);
	assert_span(0, 0, AVAILABLE, true);
	assert_limit(0, 5 * SECOND, now_ns);
	assert_int_equal(worker.measure->walled_tasks, 1);
}

static void wear_out_goes_on_to_the_count_of_the_fastest(void **state)
{
	uint64_t now_ns = clock_now(&axis);

	(void)state;
	test.stonewall = 5;
	test.wear_out = true;
	scene.least[0] = 10;
	scene.fastest = 300;
	run(PHASE_WRITE, true);
	assert_int_equal(scene.parts, 2);
	assert_span(1, 10, 290, false);
	assert_limit(1, 51 * SECOND, now_ns); /* ten stonewalls */
	assert_int_equal(worker.written, 300);
	assert_int_equal(worker.measure->wall_bytes, 10 * TRANSFER);
	assert_int_equal(worker.measure->unworn_tasks, 0);
}

static void wear_out_moves_no_more_than_there_is_and_tells_when_it_was_cut(void **state)
{
	uint64_t now_ns = clock_now(&axis);

	(void)state;
	test.stonewall = 5;
	test.wear_out = true;
	test.wear_out_limit = 7;
	scene.least[0] = 10;
	scene.least[1] = 20;
	scene.fastest = 5000;
	run(PHASE_WRITE, true);
	assert_span(1, 10, AVAILABLE - 10, false);
	assert_limit(1, 8 * SECOND, now_ns);
	assert_int_equal(worker.written, 30);
	assert_int_equal(worker.measure->unworn_tasks, 1);
}

static void the_fastest_task_has_nothing_to_wear_out(void **state)
{
	(void)state;
	test.stonewall = 5;
	test.wear_out = true;
	scene.least[0] = 10;
	scene.fastest = 10;
	run(PHASE_WRITE, true);
	assert_int_equal(scene.parts, 1);
	assert_int_equal(scene.agreed, 1);
}

static void nobody_wears_out_after_a_failure(void **state)
{
	(void)state;
	test.stonewall = 5;
	test.wear_out = true;
	scene.least[0] = 10;
	scene.fastest = 300;
	scene.another_failed = true;
	run(PHASE_WRITE, true);
	assert_int_equal(scene.parts, 1);
}

static void a_task_that_cannot_move_agrees_all_the_same(void **state)
{
	(void)state;
	test.stonewall = 5;
	test.wear_out = true;
	worker.failure.error.kind = ERROR_IO;
	scene.fastest = 300;
	run(PHASE_WRITE, false);
	assert_int_equal(scene.parts, 0);
	assert_int_equal(scene.agreed, 1);
	assert_int_equal(worker.written, 0);
}

static void a_least_time_goes_round_again(void **state)
{
	uint64_t now_ns = clock_now(&axis);

	(void)state;
	test.min_time_duration = 60;
	run(PHASE_WRITE, true);
	assert_int_equal(scene.parts, 2);
	assert_span(1, 0, AVAILABLE, true);
	assert_limit(1, 60 * SECOND, now_ns);
	assert_int_equal(worker.written, AVAILABLE);
}

static void a_least_time_that_is_over_adds_nothing(void **state)
{
	(void)state;
	test.min_time_duration = 0.5;
	run(PHASE_WRITE, true);
	assert_int_equal(scene.parts, 1);
}

/* Each has a clock of its own, and all must make the same calls. */
static void tasks_that_move_together_enter_the_least_time_together(void **state)
{
	(void)state;
	test.min_time_duration = 0.5;
	scene.together = true;
	run(PHASE_WRITE, true);
	assert_int_equal(scene.agreed, 1);
	assert_int_equal(scene.parts, 2);
}

static void a_verification_takes_as_long_as_it_takes(void **state)
{
	(void)state;
	test.stonewall = 5;
	test.wear_out = true;
	test.min_time_duration = 60;
	run(PHASE_VERIFY, true);
	assert_int_equal(scene.parts, 1);
	assert_span(0, 0, AVAILABLE, false);
	assert_true(scene.until_ns[0] == UINT64_MAX);
}

static void reads_find_what_was_written(void **state)
{
	(void)state;
	assert_int_equal(parts_available(&worker, ACCESS_READ, 3), AVAILABLE);
	worker.status = 77;
	assert_int_equal(parts_available(&worker, ACCESS_READ, 3), 77);
	worker.status = 0;
	test.write_file = true;
	worker.least_written = worker.most_written = 50;
	assert_int_equal(parts_available(&worker, ACCESS_READ, 3), 50);
	assert_int_equal(parts_available(&worker, ACCESS_WRITE, 3), AVAILABLE);
	assert_int_equal(scene.asked, 0);
	worker.most_written = 60;
	/* the source's own answer */
	assert_int_equal(parts_available(&worker, ACCESS_READ, 3), 103);
	test.wear_out_iterations = 20;
	assert_int_equal(parts_available(&worker, ACCESS_READ, 3), 20);
	assert_int_equal(parts_available(&worker, ACCESS_WRITE, 3), 20);
}

static int place_bus_error(struct backend_file *file, const void *address, uint64_t *offset,
			   struct error *err)
{
	(void)file;
	*offset = 5 * TRANSFER + (uint64_t)((const char *)address - scene.mapped) + 9;
	return error_set(err, EIO, "made up");
}

/* A mapping of an empty file has no page to write to. */
static void a_read_without_its_status_file_ends_where_the_file_does(void **state)
{
	(void)state;
	data.held = 70;
	assert_int_equal(parts_available(&worker, ACCESS_READ, 3), AVAILABLE);
	data.reads_what_is_there = true;
	assert_int_equal(parts_available(&worker, ACCESS_READ, 3), 70);
	plan.order = ORDER_REPEATS;
	assert_int_equal(parts_available(&worker, ACCESS_READ, 3), AVAILABLE);
	plan.order = ORDER_PERMUTED;
	assert_int_equal(parts_available(&worker, ACCESS_READ, 3), 70);
	plan.geometry.shared = true;
	plan.geometry.tasks = 2;
	assert_int_equal(parts_available(&worker, ACCESS_READ, 3), 35);
}

static void a_bus_error_is_a_failure_of_the_transfer_it_hit(void **state)
{
	int fd = memfd_create("empty", MFD_CLOEXEC);

	(void)state;
	scene.mapped = mmap(NULL, TRANSFER, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_true(scene.mapped != MAP_FAILED);
	backend.bus_error = place_bus_error;
	run(PHASE_WRITE, true);
	assert_true(worker_failed(&worker));
	assert_int_equal(scene.failed_offset, 5 * TRANSFER);
	assert_int_equal(worker.written, 0);
	munmap(scene.mapped, TRANSFER);
	close(fd);
}

static void files_of_a_load_are_moved_one_after_the_other(void **state)
{
	(void)state;
	plan.own_files = 3;
	plan.geometry.block = plan.file_size = 5 * TRANSFER;
	plan.transfers_per_task = worker.available = 15;
	run(PHASE_WRITE, true);
	assert_int_equal(scene.parts, 3);
	for (unsigned i = 0; i < 3; i++) {
		assert_span(i, 0, 5, false);
		assert_int_equal(scene.files[i], i);
	}
	assert_int_equal(worker.content.file, 2);
	assert_int_equal(worker.written, 15);
	assert_int_equal(scene.file, 0);
}

static void a_stop_ends_the_files_of_a_load(void **state)
{
	(void)state;
	plan.own_files = 3;
	plan.geometry.block = plan.file_size = 5 * TRANSFER;
	plan.transfers_per_task = worker.available = 15;
	scene.stopped_at = 2;
	run(PHASE_WRITE, true);
	assert_int_equal(scene.parts, 2);
	assert_int_equal(worker.written, 10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(files_of_a_load_are_moved_one_after_the_other),
		TEST(a_stop_ends_the_files_of_a_load),
		TEST(without_a_limit_all_are_moved_at_once),
		TEST(a_stonewall_counts_from_the_first_transfer),
		TEST(a_duration_counts_from_the_begin_and_wraps),
		TEST(wear_out_goes_on_to_the_count_of_the_fastest),
		TEST(wear_out_moves_no_more_than_there_is_and_tells_when_it_was_cut),
		TEST(the_fastest_task_has_nothing_to_wear_out),
		TEST(nobody_wears_out_after_a_failure),
		TEST(a_task_that_cannot_move_agrees_all_the_same),
		TEST(a_least_time_goes_round_again),
		TEST(a_least_time_that_is_over_adds_nothing),
		TEST(tasks_that_move_together_enter_the_least_time_together),
		TEST(a_verification_takes_as_long_as_it_takes),
		TEST(reads_find_what_was_written),
		TEST(a_read_without_its_status_file_ends_where_the_file_does),
		TEST(a_bus_error_is_a_failure_of_the_transfer_it_hit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
