/* The libaio backend's transfers: submits control blocks and reads completions from the ring. */
#include "backends/libaio_state.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "backends/common/descriptor.h"

enum { EVENTS = 64 }; /* most events of one io_getevents */

static void libaio_queue_fill(struct iocb *block, const struct transfer *transfer)
{
	block->data = (void *)(uintptr_t)transfer->cookie;
	block->aio_lio_opcode = transfer->access == ACCESS_WRITE ? IO_CMD_PWRITE : IO_CMD_PREAD;
	block->aio_fildes = transfer->file->fd;
	block->u.c.buf = transfer->buffer;
	block->u.c.nbytes = transfer->length;
	block->u.c.offset = (long long)transfer->offset;
}

/* The kernel refused the first waiting transfer: the transfer completes with that error. */
static void refuse_first(struct backend_session *session, int result)
{
	session->results[session->refused++] = (struct completion){
		.cookie = (uintptr_t)session->queue[0]->data,
		.result = result,
	};
	session->waiting--;
	memmove(session->queue, session->queue + 1, session->waiting * sizeof(*session->queue));
}

/* Submits the waiting transfers. If the kernel has no room, the rest waits for a completion. */
static int hand_over(struct backend_session *session, struct error *err)
{
	while (session->waiting) {
		int taken = io_submit(session->context, (long)session->waiting, session->queue);

		if (taken > 0) {
			session->waiting -= (unsigned)taken;
			memmove(session->queue, session->queue + taken,
				session->waiting * sizeof(*session->queue));
		} else if (taken == -EAGAIN) {
			if (session->in_flight > session->waiting + session->refused)
				return 0;
			return error_set(err, EAGAIN, "io_submit: %s", strerror(EAGAIN));
		} else if (taken != -EINTR) {
			refuse_first(session, taken < 0 ? taken : -EIO);
		}
	}
	return 0;
}

int libaio_submit(struct backend_session *session, const struct transfer *transfers, unsigned count,
		  struct error *err)
{
	unsigned room = session->depth - session->in_flight;

	if (count > room)
		count = room;
	for (unsigned i = 0; i < count; i++) {
		struct iocb *block = &session->blocks[transfers[i].cookie];

		libaio_queue_fill(block, &transfers[i]);
		session->queue[session->waiting++] = block;
	}
	session->in_flight += count;
	/* The transfers stay in the queue, so reap reports the error if it persists. */
	if (hand_over(session, err) < 0)
		err->kind = ERROR_NONE;
	return (int)count;
}

/* Takes one event; false if its transfer must be submitted again. */
static bool complete(struct backend_session *session, const struct io_event *event,
		     struct completion *completion)
{
	uint64_t cookie = (uintptr_t)event->data;
	int64_t result = (int64_t)event->res;

	if (__builtin_expect(result == -EAGAIN || result == -EINTR, 0)) {
		session->queue[session->waiting++] = &session->blocks[cookie];
		return false;
	}
	*completion = (struct completion){.cookie = cookie, .result = result};
	session->in_flight--;
	return true;
}

static unsigned take_refused(struct backend_session *session, struct completion *completions,
			     unsigned maximum)
{
	unsigned count = 0;

	while (session->refused && count < maximum)
		completions[count++] = session->results[--session->refused];
	session->in_flight -= count;
	return count;
}

/* Takes up to `maximum` completions from the ring, without a system call. */
static unsigned libaio_queue_take(struct backend_session *session, struct completion *completions,
				  unsigned maximum)
{
	struct libaio_ring *ring = session->ring;
	unsigned count = 0;

	if (!ring)
		return 0;
	unsigned head = ring->head;
	const unsigned tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);

	while (head != tail && count < maximum) {
		count += complete(session, &ring->events[head], &completions[count]);
		head = head + 1 == ring->entries ? 0 : head + 1;
	}
	__atomic_store_n(&ring->head, head, __ATOMIC_RELEASE);
	return count;
}

/* Waits by io_getevents. Returns the number of stored completions, or -1 with *err. */
static int wait_for(struct backend_session *session, struct completion *completions,
		    unsigned minimum, unsigned maximum, struct error *err)
{
	struct timespec at_once = {0};
	struct io_event events[EVENTS];
	unsigned count = 0;
	int got;

	if (maximum > EVENTS)
		maximum = EVENTS;
	if (minimum > maximum)
		minimum = maximum;
	got = io_getevents(session->context, (long)minimum, (long)maximum, events,
			   minimum ? NULL : &at_once);
	if (got < 0 && got != -EINTR)
		return error_set(err, -got, "io_getevents: %s", strerror(-got));
	for (int i = 0; i < got; i++)
		count += complete(session, &events[i], &completions[count]);
	return (int)count;
}

int libaio_reap(struct backend_session *session, struct completion *completions, unsigned minimum,
		unsigned maximum, struct error *err)
{
	unsigned count = take_refused(session, completions, maximum);

	count += libaio_queue_take(session, completions + count, maximum - count);
	if (session->ring && count >= minimum && !session->waiting)
		return (int)count;
	do {
		unsigned missing, running;
		int got;

		if (session->waiting && hand_over(session, err) < 0)
			return count ? (int)count : -1;
		count += take_refused(session, completions + count, maximum - count);
		running = session->in_flight - session->waiting - session->refused;
		missing = minimum > count ? minimum - count : 0;
		missing = missing < running ? missing : running;
		got = wait_for(session, completions + count, missing, maximum - count, err);
		if (got < 0)
			return count ? (int)count : -1;
		count += (unsigned)got;
	} while (count < minimum && session->in_flight);
	return (int)count;
}

int libaio_explain(struct backend_file *file, const struct transfer *transfer, int code,
		   struct error *err)
{
	return descriptor_explain(file->fd, file->session->direct,
				  transfer->access == ACCESS_WRITE ? "aio write" : "aio read",
				  transfer, code, err);
}

/* Synchronous transfers bypass the queue: the rest of a short transfer, and checks of files. */
int64_t libaio_transfer(struct backend_file *file, const struct transfer *transfer,
			struct error *err)
{
	struct backend_session *session = file->session;
	struct transfer alone = *transfer;
	struct completion done;

	if (session->depth > 1 || session->in_flight)
		return descriptor_transfer(file->fd, session->direct, transfer, err);
	alone.file = file;
	alone.cookie = 0;
	if (libaio_submit(session, &alone, 1, err) < 0 ||
	    libaio_reap(session, &done, 1, 1, err) < 0)
		return -1;
	if (__builtin_expect(done.result >= 0, 1))
		return done.result;
	return libaio_explain(file, transfer, (int)-done.result, err);
}

int libaio_drain(struct backend_session *session, struct error *err)
{
	struct completion completions[EVENTS];

	while (session->in_flight)
		if (libaio_reap(session, completions, 1, EVENTS, err) < 0)
			return -1;
	return 0;
}
