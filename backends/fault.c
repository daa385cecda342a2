/* The fault wrapper: when a call fails, and the operations on sessions and data. */
#include "backends/fault.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/fault_state.h"

#define PAGE 4096

/* --- the decision --------------------------------------------------------------------------- */

static bool matches(const struct backend_options *options, enum fault_operation operation)
{
	if (options->operation == FAULT_ANY)
		return fault_is_transfer(operation) || !fault_changes_data(options);
	if (options->operation == FAULT_TRANSFER)
		return fault_is_transfer(operation);
	return options->operation == (int)operation;
}

static void sleep_for(double seconds)
{
	struct timespec left = {.tv_sec = (time_t)seconds};

	left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

enum fault_kind fault_strike(struct backend_session *session, enum fault_operation operation)
{
	const struct backend_options *options = session->options;
	uint64_t number;

	if (!session->armed || !matches(options, operation))
		return FAULT_NOTHING;
	number = session->seen++;
	if (number < options->after ||
	    (options->count && number - options->after >= options->count))
		return FAULT_NOTHING;
	if (options->kind == FAULT_STALL)
		sleep_for(options->stall);
	else if (options->kind == FAULT_CRASH)
		raise(SIGKILL);
	else if (options->kind == FAULT_HALT)
		raise(SIGSTOP);
	else
		return options->kind;
	return FAULT_NOTHING;
}

int fault_error(const struct backend_session *session, enum fault_operation operation,
		struct error *err)
{
	return error_set(err, session->code, "%s: %s (asked for by fault.operation)",
			 fault_operation_name(operation), strerror(session->code));
}

bool fault_fails(struct backend_session *session, enum fault_operation operation, struct error *err)
{
	if (fault_strike(session, operation) != FAULT_FAIL)
		return false;
	fault_error(session, operation, err);
	return true;
}

/*
 * The outcome of a collective call, which reaches inner in any case: inner's own error if it had
 * one, else the fault's.
 */
static int outcome(struct backend_session *session, enum fault_operation operation, bool fails,
		   int ret, struct error *err)
{
	return ret == 0 && fails ? fault_error(session, operation, err) : ret;
}

/* --- session -------------------------------------------------------------------------------- */

static int fault_prepare(const struct backend_start *start, void *blob, size_t *size,
			 struct error *err)
{
	return start->inner->prepare(start->inner_start, blob, size, err);
}

/* Wrong options are wrong on every task, so no task starts inner. */
static int fault_start(struct backend_session *session, const struct backend_start *start,
		       struct error *err)
{
	void *inner = session + 1;
	bool fails;
	int ret = 0;

	session->backend = start->inner;
	session->inner = inner;
	if (fault_arm(session, start, err) < 0)
		return -1;
	fails = fault_strike(session, FAULT_START) == FAULT_FAIL;
	session->started = true;
	if (start->inner->start)
		ret = start->inner->start(session->inner, start->inner_start, err);
	return outcome(session, FAULT_START, fails, ret, err);
}

static int fault_stop(struct backend_session *session, struct error *err)
{
	bool fails;
	int ret = 0;

	if (!session->started)
		return 0;
	fails = fault_strike(session, FAULT_STOP) == FAULT_FAIL;
	if (session->backend->stop)
		ret = session->backend->stop(session->inner, err);
	fault_queue_release(&session->held);
	return outcome(session, FAULT_STOP, fails, ret, err);
}

/* --- data ----------------------------------------------------------------------------------- */

static int fault_open(struct backend_session *session, struct backend_file *file,
		      const struct backend_open *how, struct error *err)
{
	bool fails = fault_strike(session, FAULT_OPEN) == FAULT_FAIL;
	struct backend_open behind = *how;
	void *inner = file + 1;
	int ret;

	file->session = session;
	file->inner = inner;
	file->collective = how->collective;
	file->access = how->access;
	behind.directory = fault_behind(how->directory);
	ret = session->backend->open(session->inner, file->inner, &behind, err);
	return outcome(session, FAULT_OPEN, fails, ret, err);
}

static int fault_close(struct backend_file *file, struct error *err)
{
	struct backend_session *session = file->session;
	bool fails = fault_strike(session, FAULT_CLOSE) == FAULT_FAIL;
	int ret = session->backend->close(file->inner, err);

	/* not earlier: what is in flight until then may be written from the copies held here */
	fault_queue_release(&session->held);
	return outcome(session, FAULT_CLOSE, fails, ret, err);
}

static bool fault_left_open(struct backend_session *session)
{
	return session->backend->left_open(session->inner);
}

static int fault_sync(struct backend_file *file, struct error *err)
{
	struct backend_session *session = file->session;
	bool fails = fault_strike(session, FAULT_SYNC) == FAULT_FAIL;

	if (fails && !session->backend->sync_together)
		return fault_error(session, FAULT_SYNC, err);
	return outcome(session, FAULT_SYNC, fails, session->backend->sync(file->inner, err), err);
}

static int fault_sync_data(struct backend_file *file, struct error *err)
{
	struct backend_session *session = file->session;

	if (fault_strike(session, FAULT_SYNC) == FAULT_FAIL)
		return fault_error(session, FAULT_SYNC, err);
	return session->backend->sync_data(file->inner, err);
}

static int fault_allocate(struct backend_file *file, uint64_t offset, uint64_t length,
			  struct error *err)
{
	return file->session->backend->allocate(file->inner, offset, length, err);
}

static int fault_lock(struct backend_file *file, enum file_lock lock, uint64_t offset,
		      uint64_t length, struct error *err)
{
	return file->session->backend->lock(file->inner, lock, offset, length, err);
}

static int fault_size(struct backend_session *session, const char *path, uint64_t *bytes,
		      uint64_t *allocated, struct error *err)
{
	if (fault_fails(session, FAULT_SIZE, err))
		return -1;
	return session->backend->size(session->inner, path, bytes, allocated, err);
}

static int fault_is_own(struct backend_session *session, const char *path, bool *own,
			struct error *err)
{
	return session->backend->is_own(session->inner, path, own, err);
}

static int fault_truncate(struct backend_session *session, const char *path, uint64_t bytes,
			  struct error *err)
{
	if (fault_fails(session, FAULT_TRUNCATE, err))
		return -1;
	return session->backend->truncate(session->inner, path, bytes, err);
}

static int fault_alignment(struct backend_session *session, const char *path,
			   struct backend_alignment *alignment, struct error *err)
{
	return session->backend->alignment(session->inner, path, alignment, err);
}

static int fault_check(struct backend_session *session, const struct backend_open *how,
		       struct error *err)
{
	return session->backend->check(session->inner, how, err);
}

static uint64_t fault_define_ns(struct backend_file *file)
{
	return file->session->backend->define_ns(file->inner);
}

static int fault_bus_error(struct backend_file *file, const void *address, uint64_t *offset,
			   struct error *err)
{
	return file->session->backend->bus_error(file->inner, address, offset, err);
}

static int fault_register_buffers(struct backend_session *session, void *const *buffers,
				  unsigned count, uint64_t size, struct error *err)
{
	return session->backend->register_buffers(session->inner, buffers, count, size, err);
}

/* Whole pages, so that a direct transfer stays aligned. */
void fault_shorten(const struct transfer *transfer, struct transfer *shorter)
{
	uint64_t half = transfer->length / 2;

	*shorter = *transfer;
	if (transfer->count > 1) {
		shorter->count = transfer->count / 2;
		shorter->length = transfer->length / transfer->count * shorter->count;
		return;
	}
	shorter->length = half < PAGE ? half : half - half % PAGE;
}

void fault_flip(void *buffer, uint64_t length)
{
	unsigned char *bytes = buffer;

	if (length > 0)
		bytes[length / 2] ^= 0xff;
}

void *fault_corrupted_copy(const struct transfer *transfer, struct error *err)
{
	uint64_t bytes = transfer->length;
	void *copy;

	if (posix_memalign(&copy, PAGE, bytes ? bytes : 1) != 0) {
		error_set(err, ENOMEM, "fault: %s", strerror(ENOMEM));
		return NULL;
	}
	memcpy(copy, transfer->buffer, bytes);
	fault_flip(copy, bytes);
	return copy;
}

static int64_t hand_on(struct backend_file *file, const struct transfer *transfer,
		       struct error *err)
{
	return file->session->backend->transfer(file->inner, transfer, err);
}

/* Takes part in a collective call with no data, as the other tasks wait in it. */
static int join_call(struct backend_file *file, const struct transfer *transfer, struct error *err)
{
	struct transfer none = *transfer;

	none.length = 0;
	return file->collective && hand_on(file, &none, err) < 0 ? -1 : 0;
}

static int64_t transfer_corrupted(struct backend_file *file, const struct transfer *transfer,
				  struct error *err)
{
	struct transfer changed = *transfer;
	int64_t moved;

	if (transfer->access == ACCESS_READ) {
		moved = hand_on(file, transfer, err);
		fault_flip(transfer->buffer, moved > 0 ? (uint64_t)moved : 0);
		return moved;
	}
	changed.buffer = fault_corrupted_copy(transfer, err);
	if (!changed.buffer)
		return -1;
	moved = hand_on(file, &changed, err);
	free(changed.buffer);
	return moved;
}

static int64_t fault_transfer(struct backend_file *file, const struct transfer *transfer,
			      struct error *err)
{
	struct transfer shorter;

	switch (fault_strike(file->session, fault_of_access(transfer->access))) {
	case FAULT_FAIL:
		return join_call(file, transfer, err) < 0
			       ? -1
			       : fault_error(file->session, fault_of_access(transfer->access), err);
	case FAULT_CORRUPT:
		return transfer_corrupted(file, transfer, err);
	case FAULT_LOSE:
		return join_call(file, transfer, err) < 0 ? -1 : (int64_t)transfer->length;
	case FAULT_SHORT:
		fault_shorten(transfer, &shorter);
		return hand_on(file, &shorter, err);
	default:
		return hand_on(file, transfer, err);
	}
}

/* --- the wrapper ---------------------------------------------------------------------------- */

bool fault_hides(const struct backend_options *options)
{
	return options->kind == FAULT_LOSE;
}

void fault_wrap(const struct backend *inner, struct backend *wrapper)
{
	*wrapper = *inner;
	wrapper->session_size = sizeof(struct backend_session) + inner->session_size;
	wrapper->file_size = sizeof(struct backend_file) + inner->file_size;
	wrapper->directory_size = sizeof(struct backend_directory) + inner->directory_size;
	wrapper->begins_with_descriptor = false;
	wrapper->prepare = inner->prepare ? fault_prepare : NULL;
	wrapper->start = fault_start;
	wrapper->stop = fault_stop;
	wrapper->check = inner->check ? fault_check : NULL;
	wrapper->open = inner->open ? fault_open : NULL;
	wrapper->close = inner->close ? fault_close : NULL;
	wrapper->left_open = inner->left_open ? fault_left_open : NULL;
	wrapper->sync = inner->sync ? fault_sync : NULL;
	wrapper->sync_data = inner->sync_data ? fault_sync_data : NULL;
	wrapper->allocate = inner->allocate ? fault_allocate : NULL;
	wrapper->lock = inner->lock ? fault_lock : NULL;
	wrapper->size = inner->size ? fault_size : NULL;
	wrapper->is_own = inner->is_own ? fault_is_own : NULL;
	wrapper->truncate = inner->truncate ? fault_truncate : NULL;
	wrapper->alignment = inner->alignment ? fault_alignment : NULL;
	wrapper->settings = NULL; /* reading them would need one more open */
	wrapper->define_ns = inner->define_ns ? fault_define_ns : NULL;
	wrapper->transfer = inner->transfer ? fault_transfer : NULL;
	wrapper->bus_error = inner->bus_error ? fault_bus_error : NULL;
	wrapper->register_buffers = inner->register_buffers ? fault_register_buffers : NULL;
	fault_wrap_metadata(inner, wrapper);
	fault_wrap_queue(inner, wrapper);
}
