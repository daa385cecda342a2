/* What null alone has: delays. */
#include <stdlib.h>

#include "base/clock.h"
#include "subject.h"

#define DELAY_NS UINT64_C(20000000)

/* How long the named step of open, transfer, sync, close takes. */
enum step { STEP_OPEN, STEP_TRANSFER, STEP_SYNC, STEP_CLOSE, STEPS };

static void time_steps(struct subject *subject, uint64_t taken_ns[STEPS])
{
	uint64_t times[STEPS + 1];
	struct backend_file *file;
	struct error err = {0};

	times[STEP_OPEN] = clock_monotonic_ns();
	file = file_open(subject, "any", ACCESS_WRITE);
	times[STEP_TRANSFER] = clock_monotonic_ns();
	assert_int_equal(move(subject, file, ACCESS_WRITE, NULL, 0, 4096, &err), 4096);
	times[STEP_SYNC] = clock_monotonic_ns();
	assert_ok(subject->backend->sync(file, err));
	times[STEP_CLOSE] = clock_monotonic_ns();
	file_done(subject, file);
	times[STEPS] = clock_monotonic_ns();
	for (int step = 0; step < STEPS; step++)
		taken_ns[step] = times[step + 1] - times[step];
}

static void each_delay_is_taken_where_it_belongs(void **state)
{
	static const char *const keys[STEPS] = {"delay-create", "delay-xfer", "delay-sync",
						"delay_close"};
	struct subject *subject = *state;
	uint64_t taken_ns[STEPS];

	for (int delayed = 0; delayed < STEPS; delayed++) {
		for (int step = 0; step < STEPS; step++)
			subject_option(subject, keys[step], step == delayed ? "20000" : "0");
		assert_ok(subject_start(subject, err));
		time_steps(subject, taken_ns);
		assert_true(taken_ns[delayed] >= DELAY_NS);
		assert_ok(subject_stop(subject, err));
	}
}

static uint64_t transfer_ns_of(struct subject *subject, int task)
{
	uint64_t taken_ns[STEPS];

	subject->start.tasks = 2;
	subject->start.task = task;
	assert_ok(subject_start(subject, err));
	time_steps(subject, taken_ns);
	assert_ok(subject_stop(subject, err));
	return taken_ns[STEP_TRANSFER];
}

static void delays_may_be_for_task_0_only(void **state)
{
	struct subject *subject = *state;

	subject_option(subject, "delay_only_rank0", "1");
	subject_option(subject, "delay_xfer", "20000");
	assert_true(transfer_ns_of(subject, 0) >= DELAY_NS);
	subject_option(subject, "delay_xfer", "20000000"); /* 20 s: it would be noticed */
	assert_true(transfer_ns_of(subject, 1) < 1000 * DELAY_NS);
}

const struct CMUnitTest null_tests[] = {
	TEST_PREPARED(each_delay_is_taken_where_it_belongs),
	TEST_PREPARED(delays_may_be_for_task_0_only),
};
const size_t null_test_count = LENGTH_OF(null_tests);
