/* What backend.h says of queued transfers, for every backend that has them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "subject.h"

enum { DEEPEST = 4096, ODD = 1000 };

/* A started session with its buffers, and what became of each cookie. */
struct queue {
	struct subject *subject;
	struct backend_file *file;
	unsigned depth;
	uint64_t size; /* of a buffer */
	char *memory;
	void **buffers;
	unsigned *seen; /* completions by cookie */
	int64_t *results;
};

static void queue_start(struct queue *queue, struct subject *subject, unsigned depth, uint64_t size)
{
	const struct backend *backend = subject->backend;

	only_with(backend->submit);
	assert_true(backend->reap && backend->transfer);
	*queue = (struct queue){.subject = subject, .depth = depth, .size = size};
	subject->start.queue_depth = subject->inner_start.queue_depth = depth;
	assert_ok(subject_start(subject, err));
	queue->memory = buffer_make(depth * size);
	queue->buffers = calloc(depth, sizeof(void *));
	queue->seen = calloc(depth, sizeof(*queue->seen));
	queue->results = calloc(depth, sizeof(*queue->results));
	for (unsigned i = 0; i < depth; i++)
		queue->buffers[i] = queue->memory + i * size;
	if (backend->register_buffers)
		assert_ok(backend->register_buffers(subject->session, queue->buffers, depth, size,
						    err));
}

/* The session first: buffers live until stop. */
static void queue_end(struct queue *queue)
{
	assert_ok(subject_stop(queue->subject, err));
	free(queue->memory);
	free(queue->buffers);
	free(queue->seen);
	free(queue->results);
}

/* The transfer of buffer `cookie` with the place in the file that it fills. */
static struct transfer piece(const struct queue *queue, unsigned cookie, enum access access)
{
	return (struct transfer){.file = queue->file,
				 .buffer = queue->buffers[cookie],
				 .offset = cookie * queue->size,
				 .length = queue->size,
				 .count = 1,
				 .cookie = cookie,
				 .access = access};
}

/* The same with two files: odd cookies are of `other`, and both have the same offsets. */
static struct transfer piece_of_two(const struct queue *queue, unsigned cookie, enum access access,
				    struct backend_file *other)
{
	struct transfer transfer = piece(queue, cookie, access);

	transfer.offset = cookie / 2 * queue->size;
	if (cookie % 2)
		transfer.file = other;
	return transfer;
}

static unsigned submit(struct queue *queue, const struct transfer *transfers, unsigned count)
{
	struct error err = {0};
	int taken =
		queue->subject->backend->submit(queue->subject->session, transfers, count, &err);

	if (taken < 0)
		fail_msg("submit: %s", err.text);
	assert_true((unsigned)taken <= count);
	return (unsigned)taken;
}

static unsigned reap(struct queue *queue, unsigned minimum, unsigned maximum)
{
	struct completion *done = calloc(maximum + 1, sizeof(*done));
	struct error err = {0};
	int count;

	done[maximum].cookie = 4711;
	count = queue->subject->backend->reap(queue->subject->session, done, minimum, maximum,
					      &err);
	if (count < 0)
		fail_msg("reap: %s", err.text);
	assert_true((unsigned)count >= minimum && (unsigned)count <= maximum);
	assert_int_equal(done[maximum].cookie, 4711);
	for (int i = 0; i < count; i++) {
		assert_true(done[i].cookie < queue->depth);
		queue->seen[done[i].cookie]++;
		queue->results[done[i].cookie] = done[i].result;
	}
	free(done);
	return (unsigned)count;
}

/* Submits `depth` transfers and reaps them again; each comes back once. */
static void run_all(struct queue *queue, const struct transfer *transfers, unsigned maximum)
{
	memset(queue->seen, 0, queue->depth * sizeof(*queue->seen));
	for (unsigned sent = 0; sent < queue->depth;) {
		unsigned taken = submit(queue, transfers + sent, queue->depth - sent);

		assert_true(taken >= 1); /* there is room for depth */
		sent += taken;
	}
	for (unsigned done = 0; done < queue->depth;)
		done += reap(queue, 1, maximum);
	for (unsigned i = 0; i < queue->depth; i++)
		assert_int_equal(queue->seen[i], 1);
}

static void run(struct queue *queue, enum access access, unsigned maximum)
{
	struct transfer *transfers = calloc(queue->depth, sizeof(*transfers));

	for (unsigned i = 0; i < queue->depth; i++)
		transfers[i] = piece(queue, i, access);
	run_all(queue, transfers, maximum);
	free(transfers);
}

static void check_results(const struct queue *queue, int64_t expected)
{
	for (unsigned i = 0; i < queue->depth; i++)
		assert_int_equal(queue->results[i], expected);
}

/* Through the queue into a file and back. */
static void round_trip(struct subject *subject, unsigned depth, uint64_t size)
{
	const char *path = in_scratch(subject, "file");
	struct queue queue;
	char *expected;

	queue_start(&queue, subject, depth, size);
	pattern(queue.memory, depth * size, depth);
	queue.file = file_open(subject, path, ACCESS_WRITE);
	run(&queue, ACCESS_WRITE, depth);
	check_results(&queue, (int64_t)size);
	file_done(subject, queue.file);
	memset(queue.memory, 0, depth * size);
	queue.file = file_open(subject, path, ACCESS_READ);
	run(&queue, ACCESS_READ, 3);
	check_results(&queue, (int64_t)size);
	file_done(subject, queue.file);
	expected = buffer_make(depth * size);
	pattern(expected, depth * size, depth);
	if (!subject->backend->ignores_buffers)
		assert_memory_equal(queue.memory, expected, depth * size);
	free(expected);
	queue_end(&queue);
}

static void all_cookies_come_back_once_with_the_right_data(void **state)
{
	round_trip(*state, 32, PAGE);
}

static void run_two(struct queue *queue, enum access access, struct backend_file *other)
{
	struct transfer transfers[8];

	for (unsigned i = 0; i < 8; i++)
		transfers[i] = piece_of_two(queue, i, access, other);
	run_all(queue, transfers, 3);
	check_results(queue, PAGE);
}

/* They are opened to read in the other order, as a backend may treat the first one in a way of its
 * own. */
static void two_files_have_transfers_in_flight_together(void **state)
{
	struct subject *subject = *state;
	struct backend_file *other;
	struct queue queue;
	char expected[8 * PAGE];

	queue_start(&queue, subject, 8, PAGE);
	pattern(queue.memory, sizeof(expected), 3);
	memcpy(expected, queue.memory, sizeof(expected));
	queue.file = file_open(subject, in_scratch(subject, "even"), ACCESS_WRITE);
	other = file_open(subject, in_scratch(subject, "odd"), ACCESS_WRITE);
	run_two(&queue, ACCESS_WRITE, other);
	file_done(subject, queue.file);
	file_done(subject, other);
	memset(queue.memory, 0, sizeof(expected));
	other = file_open(subject, in_scratch(subject, "odd"), ACCESS_READ);
	queue.file = file_open(subject, in_scratch(subject, "even"), ACCESS_READ);
	run_two(&queue, ACCESS_READ, other);
	if (!subject->backend->ignores_buffers)
		assert_memory_equal(queue.memory, expected, sizeof(expected));
	file_done(subject, other);
	file_done(subject, queue.file);
	queue_end(&queue);
}

static void odd_sizes_and_a_depth_that_is_no_power_of_two_are_exact(void **state)
{
	round_trip(*state, 13, ODD);
}

static void as_many_as_4096_may_be_in_flight(void **state)
{
	round_trip(*state, DEEPEST, PAGE);
}

static void buffers_need_not_be_fixed_nor_files_registered(void **state)
{
	struct subject *subject = *state;

	only_with(option_find(subject->options.table, "fixed_buffers"));
	subject_option(subject, "fixed_buffers", "0");
	subject_option(subject, "registered_files", "0");
	round_trip(subject, 8, PAGE);
}

static void a_thread_of_the_kernel_may_take_them(void **state)
{
	struct subject *subject = *state;

	only_with(option_find(subject->options.table, "sqpoll"));
	subject_option(subject, "sqpoll", "1");
	subject_option(subject, "sqpoll_idle", "1ms");
	round_trip(subject, 8, PAGE);
}

static void the_queue_is_full_at_its_depth_and_takes_more_after_a_reap(void **state)
{
	struct subject *subject = *state;
	struct transfer transfers[4];
	struct queue queue;
	unsigned taken = 0;

	queue_start(&queue, subject, 4, PAGE);
	queue.file = file_open(subject, in_scratch(subject, "file"), ACCESS_WRITE);
	for (unsigned i = 0; i < 4; i++)
		transfers[i] = piece(&queue, i, ACCESS_WRITE);
	while (taken < 4)
		taken += submit(&queue, transfers + taken, 4 - taken);
	assert_int_equal(submit(&queue, transfers, 4), 0);
	assert_int_equal(reap(&queue, 1, 1), 1);
	for (unsigned i = 0; i < 4; i++)
		if (queue.seen[i])
			assert_int_equal(submit(&queue, &transfers[i], 1), 1);
	assert_int_equal(submit(&queue, transfers, 4), 0);
	assert_int_equal(reap(&queue, 4, 4), 4);
	assert_int_equal(reap(&queue, 0, 4), 0);
	file_done(subject, queue.file);
	queue_end(&queue);
}

static void a_queued_read_at_the_end_is_short_and_past_it_zero(void **state)
{
	struct subject *subject = *state;
	struct queue queue;
	char bytes[PAGE + ODD] = {0};

	only_with(!subject->backend->no_storage);
	queue_start(&queue, subject, 4, PAGE);
	file_put(subject, in_scratch(subject, "file"), bytes, sizeof(bytes));
	queue.file = file_open(subject, in_scratch(subject, "file"), ACCESS_READ);
	run(&queue, ACCESS_READ, 4);
	assert_int_equal(queue.results[0], PAGE);
	assert_int_equal(queue.results[1], ODD);
	assert_int_equal(queue.results[2], 0);
	assert_int_equal(queue.results[3], 0);
	file_done(subject, queue.file);
	queue_end(&queue);
}

/* As the same transfer says it that is not queued. */
static void check_explained(struct queue *queue, enum access access, int code)
{
	struct subject *subject = queue->subject;
	struct transfer transfer = piece(queue, 0, access);
	struct error queued = {0}, alone = {0};

	if (!subject->backend->explain)
		return;
	assert_int_equal(subject->backend->transfer(queue->file, &transfer, &alone), -1);
	assert_int_equal(subject->backend->explain(queue->file, &transfer, code, &queued), -1);
	assert_int_equal(queued.code, alone.code);
	/* The names of the calls differ. */
	assert_string_equal(strstr(queued.text, ": "), strstr(alone.text, ": "));
}

static void a_queued_transfer_that_fails_completes_with_its_errno(void **state)
{
	struct subject *subject = *state;
	struct queue queue;

	only_with(!subject->backend->no_storage);
	queue_start(&queue, subject, 4, PAGE);
	file_put(subject, in_scratch(subject, "file"), "x", 1);
	queue.file = file_open(subject, in_scratch(subject, "file"), ACCESS_READ);
	run(&queue, ACCESS_WRITE, 4);
	check_results(&queue, -EBADF);
	check_explained(&queue, ACCESS_WRITE, EBADF);
	run(&queue, ACCESS_READ, 4); /* and the queue goes on */
	assert_int_equal(queue.results[0], 1);
	file_done(subject, queue.file);
	queue_end(&queue);
}

/* The other file's transfers too: the engine has given up all that is in flight. */
static void what_is_in_flight_at_close_is_over_then(void **state)
{
	struct subject *subject = *state;
	const char *path = in_scratch(subject, "file");
	struct backend_file *other;
	struct transfer transfers[4];
	struct queue queue;

	only_with(!subject->backend->no_storage);
	queue_start(&queue, subject, 4, PAGE);
	pattern(queue.memory, 4 * PAGE, 1);
	queue.file = file_open(subject, path, ACCESS_WRITE);
	other = file_open(subject, in_scratch(subject, "other"), ACCESS_WRITE);
	for (unsigned i = 0; i < 4; i++)
		transfers[i] = piece_of_two(&queue, i, ACCESS_WRITE, other);
	assert_true(submit(&queue, transfers, 4) >= 1);
	file_done(subject, queue.file);
	assert_int_equal(reap(&queue, 0, 4), 0);
	file_done(subject, other);
	queue.file = file_open(subject, path, ACCESS_WRITE);
	assert_int_equal(reap(&queue, 0, 4), 0);
	run(&queue, ACCESS_WRITE, 4);
	check_results(&queue, PAGE);
	file_done(subject, queue.file);
	queue_end(&queue);
}

static void other_memory_than_the_registered_serves_as_well(void **state)
{
	struct subject *subject = *state;
	struct transfer transfer;
	struct queue queue;
	char *other;

	only_with(!subject->backend->no_storage);
	queue_start(&queue, subject, 2, PAGE); /* which skips the test where there are none */
	other = buffer_make(PAGE);
	pattern(other, PAGE, 9);
	queue.file = file_open(subject, in_scratch(subject, "file"), ACCESS_WRITE);
	transfer = piece(&queue, 1, ACCESS_WRITE);
	transfer.buffer = other;
	assert_int_equal(submit(&queue, &transfer, 1), 1);
	assert_int_equal(reap(&queue, 1, 2), 1);
	transfer = piece(&queue, 1, ACCESS_READ);
	assert_int_equal(submit(&queue, &transfer, 1), 1);
	assert_int_equal(reap(&queue, 1, 2), 1);
	assert_memory_equal(queue.buffers[1], other, PAGE);
	file_done(subject, queue.file);
	queue_end(&queue);
	free(other);
}

/* The engine finishes short transfers so, while others are in flight. */
static void a_synchronous_transfer_goes_beside_the_queue(void **state)
{
	struct subject *subject = *state;
	struct transfer transfer;
	struct queue queue;
	struct error err = {0};

	queue_start(&queue, subject, 2, PAGE);
	queue.file = file_open(subject, in_scratch(subject, "file"), ACCESS_WRITE);
	transfer = piece(&queue, 0, ACCESS_WRITE);
	assert_int_equal(submit(&queue, &transfer, 1), 1);
	transfer = piece(&queue, 1, ACCESS_WRITE);
	assert_int_equal(subject->backend->transfer(queue.file, &transfer, &err), PAGE);
	assert_int_equal(reap(&queue, 1, 2), 1);
	assert_int_equal(queue.seen[0], 1);
	assert_int_equal(queue.results[0], PAGE);
	assert_int_equal(reap(&queue, 0, 2), 0);
	file_done(subject, queue.file);
	queue_end(&queue);
}

static void a_misaligned_direct_queued_transfer_says_what_it_needed(void **state)
{
	struct subject *subject = *state;
	struct transfer transfer;
	struct error err = {0};
	struct queue queue;

	only_with(subject->backend->explain && option_find(subject->options.table, "direct"));
	subject_option(subject, "direct", "1");
	queue_start(&queue, subject, 2, PAGE);
	skip_unless(!file_try(subject, in_scratch(subject, "file"), ACCESS_WRITE, &queue.file,
			      &err),
		    "a file system with direct I/O");
	transfer = piece(&queue, 0, ACCESS_WRITE);
	transfer.offset = 13;
	transfer.length = 100;
	assert_int_equal(submit(&queue, &transfer, 1), 1);
	assert_int_equal(reap(&queue, 1, 1), 1);
	if (queue.results[0] < 0) {
		subject->backend->explain(queue.file, &transfer, (int)-queue.results[0], &err);
		assert_int_equal(err.code, EINVAL);
		assert_non_null(strstr(err.text, "multiples of"));
	}
	file_done(subject, queue.file);
	queue_end(&queue);
}

static void direct_queued_transfers_read_back(void **state)
{
	struct subject *subject = *state;
	struct backend_file *file;
	struct error err = {0};

	only_with(subject->backend->submit && option_find(subject->options.table, "direct"));
	subject_option(subject, "direct", "1");
	assert_ok(subject_start(subject, err));
	skip_unless(!file_try(subject, in_scratch(subject, "file"), ACCESS_WRITE, &file, &err),
		    "a file system with direct I/O");
	file_done(subject, file);
	assert_ok(subject_stop(subject, err));
	round_trip(subject, 16, 2 * PAGE);
}

/* In place of libaio's: the kernel takes nothing while a test says so. */
static bool refuses;

int io_submit(void *context, long count, void **blocks);
int io_submit(void *context, long count, void **blocks)
{
	long taken = refuses ? -1 : syscall(SYS_io_submit, context, count, blocks);

	return taken >= 0 ? (int)taken : refuses ? -EAGAIN : -errno;
}

/* A cookie is not free before it comes back. */
static void what_the_kernel_does_not_take_is_told_by_reap(void **state)
{
	struct subject *subject = *state;
	struct completion completions[4];
	struct transfer transfers[4];
	struct queue queue;
	unsigned taken;

	only_with(strcmp(subject->label, "libaio") == 0);
	queue_start(&queue, subject, 4, PAGE);
	queue.file = file_open(subject, in_scratch(subject, "file"), ACCESS_WRITE);
	for (unsigned i = 0; i < 4; i++)
		transfers[i] = piece(&queue, i, ACCESS_WRITE);
	refuses = true;
	taken = submit(&queue, transfers, 4);
	assert_fails(subject->backend->reap(subject->session, completions, 1, 4, err), EAGAIN);
	refuses = false;
	assert_int_equal(taken, 4);
	assert_int_equal(reap(&queue, 4, 4), 4);
	check_results(&queue, PAGE);
	file_done(subject, queue.file);
	queue_end(&queue);
}

/* What close hands over is written from a copy, which must live until then. */
static void a_corrupted_write_in_flight_at_close_is_written(void **state)
{
	enum { LARGE = 1 << 20 }; /* freed, such memory is gone at once */
	struct subject *subject = *state;
	struct transfer transfer;
	struct queue queue;

	only_with(subject->wrapped && !subject->backend->no_storage);
	subject_fault(subject, "operation", "write");
	subject_fault(subject, "kind", "corrupt");
	queue_start(&queue, subject, 2, LARGE);
	pattern(queue.memory, LARGE, 5);
	queue.file = file_open(subject, in_scratch(subject, "file"), ACCESS_WRITE);
	transfer = piece(&queue, 0, ACCESS_WRITE);
	assert_int_equal(submit(&queue, &transfer, 1), 1);
	file_done(subject, queue.file);
	queue.file = file_open(subject, in_scratch(subject, "file"), ACCESS_READ);
	transfer = piece(&queue, 1, ACCESS_READ);
	transfer.offset = 0;
	assert_int_equal(submit(&queue, &transfer, 1), 1);
	assert_int_equal(reap(&queue, 1, 2), 1);
	assert_int_equal(queue.results[1], LARGE);
	assert_memory_equal(queue.buffers[1], queue.buffers[0], LARGE / 2);
	assert_memory_not_equal(queue.buffers[1], queue.buffers[0], LARGE);
	file_done(subject, queue.file);
	queue_end(&queue);
}

const struct CMUnitTest queue_tests[] = {
	TEST_PREPARED(all_cookies_come_back_once_with_the_right_data),
	TEST_PREPARED(two_files_have_transfers_in_flight_together),
	TEST_PREPARED(odd_sizes_and_a_depth_that_is_no_power_of_two_are_exact),
	TEST_PREPARED(as_many_as_4096_may_be_in_flight),
	TEST_PREPARED(buffers_need_not_be_fixed_nor_files_registered),
	TEST_PREPARED(a_thread_of_the_kernel_may_take_them),
	TEST_PREPARED(the_queue_is_full_at_its_depth_and_takes_more_after_a_reap),
	TEST_PREPARED(a_queued_read_at_the_end_is_short_and_past_it_zero),
	TEST_PREPARED(a_queued_transfer_that_fails_completes_with_its_errno),
	TEST_PREPARED(what_is_in_flight_at_close_is_over_then),
	TEST_PREPARED(other_memory_than_the_registered_serves_as_well),
	TEST_PREPARED(a_synchronous_transfer_goes_beside_the_queue),
	TEST_PREPARED(a_misaligned_direct_queued_transfer_says_what_it_needed),
	TEST_PREPARED(direct_queued_transfers_read_back),
	TEST_PREPARED(what_the_kernel_does_not_take_is_told_by_reap),
	TEST_PREPARED(a_corrupted_write_in_flight_at_close_is_written),
};
const size_t queue_test_count = LENGTH_OF(queue_tests);
