/*
 * The fault wrapper before what no built-in backend has yet: queued and collective calls. The
 * backend here keeps one file in memory, has a queue of four that completes last in first out, and
 * counts the calls that reach it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backends/fault.h"
#include "subject.h"

#define DEPTH 4
#define ROOM 256

struct backend_options {
	int none;
};

struct backend_session {
	int starts;
	struct completion queue[DEPTH];
	unsigned queued;
};

struct backend_file {
	struct backend_session *session;
	unsigned char bytes[ROOM];
	unsigned opens, closes, transfers, empty;
};

struct backend_directory {
	int number;
};

static int start_ring(struct backend_session *session, const struct backend_start *start,
		      struct error *err)
{
	(void)start, (void)err;
	session->starts++;
	return 0;
}

static int open_ring(struct backend_session *session, struct backend_file *file,
		     const struct backend_open *how, struct error *err)
{
	(void)how, (void)err;
	file->session = session;
	file->opens++;
	return 0;
}

static int close_ring(struct backend_file *file, struct error *err)
{
	(void)err;
	file->session->queued = 0;
	file->closes++;
	return 0;
}

static int64_t transfer_ring(struct backend_file *file, const struct transfer *transfer,
			     struct error *err)
{
	(void)err;
	file->transfers++;
	file->empty += transfer->length == 0;
	if (transfer->access == ACCESS_WRITE)
		memcpy(file->bytes + transfer->offset, transfer->buffer, transfer->length);
	else
		memcpy(transfer->buffer, file->bytes + transfer->offset, transfer->length);
	return (int64_t)transfer->length;
}

static int submit_ring(struct backend_session *session, const struct transfer *transfers,
		       unsigned count, struct error *err)
{
	unsigned taken = 0;

	for (; taken < count && session->queued < DEPTH; taken++) {
		struct completion *done = &session->queue[session->queued++];

		done->cookie = transfers[taken].cookie;
		done->result = transfer_ring(transfers[taken].file, &transfers[taken], err);
	}
	return (int)taken;
}

static int reap_ring(struct backend_session *session, struct completion *completions,
		     unsigned minimum, unsigned maximum, struct error *err)
{
	unsigned count = 0;

	while (count < maximum && session->queued > 0)
		completions[count++] = session->queue[--session->queued];
	return count < minimum ? error_set(err, EINVAL, "reap: would wait for ever") : (int)count;
}

static int open_directory_ring(struct backend_session *session, struct backend_directory *directory,
			       const char *path, struct error *err)
{
	(void)session, (void)err;
	directory->number = atoi(path);
	return 0;
}

static int close_directory_ring(struct backend_directory *directory, struct error *err)
{
	(void)directory, (void)err;
	return 0;
}

/* A name's result is the number of its directory, so that the wrapper's unwrapping is seen. */
static int submit_metadata_ring(struct backend_session *session,
				const struct metadata_operation *operations, unsigned count,
				struct error *err)
{
	unsigned taken = 0;

	(void)err;
	for (; taken < count && session->queued < DEPTH; taken++) {
		const struct metadata_operation *operation = &operations[taken];
		struct completion *done = &session->queue[session->queued++];

		done->cookie = operation->cookie;
		done->result = operation->directory ? operation->directory->number : 0;
	}
	return (int)taken;
}

static const struct option_table ring_options = {
	.prefix = "ring",
	.values_size = sizeof(struct backend_options),
};

static const struct backend ring_backend = {
	.name = "ring",
	.options = &ring_options,
	.session_size = sizeof(struct backend_session),
	.file_size = sizeof(struct backend_file),
	.directory_size = sizeof(struct backend_directory),
	.collective = true,
	.start = start_ring,
	.open = open_ring,
	.close = close_ring,
	.transfer = transfer_ring,
	.submit = submit_ring,
	.reap = reap_ring,
	.open_directory = open_directory_ring,
	.close_directory = close_directory_ring,
	.submit_metadata = submit_metadata_ring,
	.reap_metadata = reap_ring,
};

static const struct registration ring_entry = {
	.name = "ring",
	.backend = &ring_backend,
	.options = &ring_options,
};

static struct subject ring = {.label = "ring behind fault", .entry = &ring_entry, .wrapped = true};

static int prepare(void **state)
{
	struct subject *any = *state;

	ring.scratch = any->scratch;
	*state = &ring;
	return subject_prepared(state);
}

static struct subject *begin(const char *operation, const char *kind)
{
	subject_fault(&ring, "operation", operation);
	subject_fault(&ring, "kind", kind);
	subject_fault(&ring, "after", "1");
	subject_fault(&ring, "error", "ENOSPC");
	assert_ok(subject_start(&ring, err));
	return &ring;
}

static struct backend_file *open_file(enum access access, bool collective)
{
	const struct backend_open how = {.path = "x",
					 .access = access,
					 .comm = MPI_COMM_SELF,
					 .collective = collective,
					 .tasks = 1};
	struct backend_file *file = calloc(1, ring.backend->file_size);

	assert_ok(ring.backend->open(ring.session, file, &how, err));
	return file;
}

/* The ring's own state, which lies at the end of the wrapper's. */
static const struct backend_file *inner_of(const struct backend_file *file)
{
	const char *end = (const char *)file + ring.backend->file_size;

	return (const struct backend_file *)(end - sizeof(struct backend_file));
}

/* Puts four transfers of 16 bytes through the queue; results[i] is that of cookie i. */
static void run_queue(struct backend_file *file, enum access access, unsigned char *buffers,
		      int64_t *results)
{
	struct transfer transfers[DEPTH];
	struct completion completions[DEPTH];
	unsigned reaped = 0;
	struct error err = {0};

	for (unsigned i = 0; i < DEPTH; i++)
		transfers[i] = (struct transfer){.file = file,
						 .buffer = buffers + 16 * i,
						 .offset = 16 * i,
						 .length = 16,
						 .count = 1,
						 .cookie = i,
						 .access = access};
	assert_int_equal(ring.backend->submit(ring.session, transfers, DEPTH, &err), DEPTH);
	while (reaped < DEPTH) {
		int count = ring.backend->reap(ring.session, completions, 1, 3, &err);

		assert_true(count >= 1 && count <= 3);
		for (int i = 0; i < count; i++)
			results[completions[i].cookie] = completions[i].result;
		reaped += (unsigned)count;
	}
	assert_int_equal(ring.backend->reap(ring.session, completions, 0, DEPTH, &err), 0);
}

static void check_results(const int64_t *results, int64_t second)
{
	assert_int_equal(results[0], 16);
	assert_int_equal(results[1], second);
	assert_int_equal(results[2], 16);
	assert_int_equal(results[3], 16);
}

static void a_queued_write_that_fails_completes_with_its_errno(void **state)
{
	struct subject *subject = begin("write", "fail");
	struct backend_file *file = open_file(ACCESS_WRITE, false);
	unsigned char buffers[64];
	int64_t results[DEPTH];

	(void)state;
	run_queue(file, ACCESS_WRITE, buffers, results);
	check_results(results, -ENOSPC);
	assert_int_equal(inner_of(file)->transfers, 3);
	file_done(subject, file);
}

static void a_queued_transfer_may_come_back_short(void **state)
{
	struct subject *subject = begin("transfer", "short");
	struct backend_file *file = open_file(ACCESS_READ, false);
	unsigned char buffers[64];
	int64_t results[DEPTH];

	(void)state;
	run_queue(file, ACCESS_READ, buffers, results);
	check_results(results, 8);
	file_done(subject, file);
}

static unsigned count_other_than(const unsigned char *bytes, unsigned char value)
{
	unsigned count = 0;

	for (unsigned i = 0; i < 64; i++)
		count += bytes[i] != value;
	return count;
}

static void a_queued_write_may_be_corrupted_in_the_file_only(void **state)
{
	struct subject *subject = begin("write", "corrupt");
	struct backend_file *file = open_file(ACCESS_WRITE, false);
	unsigned char buffers[64];
	int64_t results[DEPTH];

	(void)state;
	memset(buffers, 5, sizeof(buffers));
	run_queue(file, ACCESS_WRITE, buffers, results);
	check_results(results, 16);
	assert_int_equal(count_other_than(buffers, 5), 0);
	assert_int_equal(count_other_than(inner_of(file)->bytes, 5), 1);
	assert_int_not_equal(inner_of(file)->bytes[24], 5);
	file_done(subject, file);
}

static void a_queued_write_may_be_lost_and_says_all(void **state)
{
	struct subject *subject = begin("write", "lose");
	struct backend_file *file = open_file(ACCESS_WRITE, false);
	unsigned char buffers[64];
	int64_t results[DEPTH];

	(void)state;
	run_queue(file, ACCESS_WRITE, buffers, results);
	check_results(results, 16);
	assert_int_equal(inner_of(file)->transfers, 3);
	file_done(subject, file);
}

static void a_queued_read_may_be_corrupted_in_the_buffer_only(void **state)
{
	struct subject *subject = begin("read", "corrupt");
	struct backend_file *file = open_file(ACCESS_READ, false);
	unsigned char buffers[64];
	int64_t results[DEPTH];

	(void)state;
	run_queue(file, ACCESS_READ, buffers, results);
	check_results(results, 16);
	assert_int_equal(count_other_than(buffers, 0), 1);
	assert_int_not_equal(buffers[24], 0);
	file_done(subject, file);
}

static void a_full_queue_does_not_count_as_a_call(void **state)
{
	struct subject *subject = begin("write", "short");
	struct backend_file *file = open_file(ACCESS_WRITE, false);
	unsigned char buffer[16] = {0};
	struct transfer transfer = {
		.file = file, .buffer = buffer, .length = 16, .count = 1, .access = ACCESS_WRITE};
	struct completion done[DEPTH];
	struct error err = {0};

	(void)state;
	transfer.access = ACCESS_READ;
	for (int i = 0; i < DEPTH; i++)
		assert_int_equal(subject->backend->submit(subject->session, &transfer, 1, &err), 1);
	transfer.access = ACCESS_WRITE;
	for (int i = 0; i < 3; i++)
		assert_int_equal(subject->backend->submit(subject->session, &transfer, 1, &err), 0);
	assert_int_equal(subject->backend->reap(subject->session, done, DEPTH, DEPTH, &err), DEPTH);
	for (int i = 0; i < 2; i++)
		assert_int_equal(subject->backend->submit(subject->session, &transfer, 1, &err), 1);
	assert_int_equal(subject->backend->reap(subject->session, done, 2, DEPTH, &err), 2);
	assert_int_equal(done[1].result, 16); /* the first write passes, */
	assert_int_equal(done[0].result, 8);  /* the second is the one that was asked for */
	file_done(subject, file);
}

static void what_is_still_queued_is_freed_at_close(void **state)
{
	struct subject *subject = begin("write", "corrupt");
	struct backend_file *file = open_file(ACCESS_WRITE, false);
	unsigned char buffer[16] = {0};
	const struct transfer transfer = {
		.file = file, .buffer = buffer, .length = 16, .count = 1, .access = ACCESS_WRITE};

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_ok(subject->backend->submit(subject->session, &transfer, 1, err));
	file_done(subject, file); /* the sanitizer looks for what is left */
}

static void a_queued_name_that_fails_completes_with_its_errno(void **state)
{
	struct subject *subject = begin("stat", "fail");
	struct backend_directory *directory = directory_open(subject, "7");
	struct metadata_operation stats[3] = {0};
	struct completion done[3];
	struct error err = {0};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		stats[i].kind = METADATA_STAT;
		stats[i].directory = directory;
		stats[i].cookie = i;
	}
	for (int i = 0; i < 3; i++)
		assert_int_equal(subject->backend->submit_metadata(subject->session, stats + i,
								   3 - i, &err),
				 1);
	assert_int_equal(subject->backend->reap_metadata(subject->session, done, 3, 3, &err), 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(done[i].result, done[i].cookie == 1 ? -ENOSPC : 7);
	directory_done(subject, directory);
}

static void a_failed_collective_transfer_still_takes_part(void **state)
{
	struct subject *subject = begin("write", "fail");
	struct backend_file *file = open_file(ACCESS_WRITE, true);
	unsigned char buffer[16] = {0};
	struct error err = {0};

	(void)state;
	assert_int_equal(move(subject, file, ACCESS_WRITE, buffer, 0, 16, &err), 16);
	assert_int_equal(move(subject, file, ACCESS_WRITE, buffer, 16, 16, &err), -1);
	assert_int_equal(err.code, ENOSPC);
	assert_int_equal(inner_of(file)->transfers, 2);
	assert_int_equal(inner_of(file)->empty, 1);
	file_done(subject, file);
}

static void a_failed_open_still_takes_part_and_so_does_its_close(void **state)
{
	struct subject *subject = begin("open", "fail");
	struct backend_file *file;

	(void)state;
	file_done(subject, open_file(ACCESS_WRITE, true));
	assert_fails(file_try(subject, "x", ACCESS_WRITE, &file, err), ENOSPC);
	assert_int_equal(inner_of(file)->opens, 1);
	assert_ok(subject->backend->close(file, err));
	assert_int_equal(inner_of(file)->closes, 1);
	free(file);
}

#define RING(name)                                           \
	{                                                    \
#name, name, prepare, subject_finished, NULL \
	}

const struct CMUnitTest wrapper_tests[] = {
	RING(a_queued_write_that_fails_completes_with_its_errno),
	RING(a_queued_transfer_may_come_back_short),
	RING(a_queued_write_may_be_corrupted_in_the_file_only),
	RING(a_queued_write_may_be_lost_and_says_all),
	RING(a_queued_read_may_be_corrupted_in_the_buffer_only),
	RING(a_full_queue_does_not_count_as_a_call),
	RING(what_is_still_queued_is_freed_at_close),
	RING(a_queued_name_that_fails_completes_with_its_errno),
	RING(a_failed_collective_transfer_still_takes_part),
	RING(a_failed_open_still_takes_part_and_so_does_its_close),
};
const size_t wrapper_test_count = LENGTH_OF(wrapper_tests);
