/* The uring backend's transfers: puts entries into the ring and takes completions out of it. */
#include "backends/uring_state.h"

#include <errno.h>
#include <string.h>

#include "backends/common/descriptor.h"

#define LONGEST 0x7ffff000 /* most bytes that Linux moves in one call */

static bool is_registered(const struct backend_session *session, const struct transfer *transfer,
			  uint64_t cookie)
{
	if (cookie >= session->buffer_count)
		return false;
	/* a buffer may lie elsewhere, as the fault wrapper's corrupted copy does */
	uint64_t into = (uint64_t)((char *)transfer->buffer - session->buffers[cookie]);

	return into <= session->buffer_size && transfer->length <= session->buffer_size - into;
}

/* Fills an entry. Its flags mark a registered file. */
static inline __attribute__((always_inline)) void fill(const struct backend_file *file,
						       const struct transfer *transfer,
						       uint64_t cookie)
{
	static const uint8_t codes[ACCESS_COUNT][2] = {
		[ACCESS_READ] = {IORING_OP_READ, IORING_OP_READ_FIXED},
		[ACCESS_WRITE] = {IORING_OP_WRITE, IORING_OP_WRITE_FIXED},
	};
	struct backend_session *session = file->session;
	struct io_uring_sqe *entry = &session->ring.sq.sqes[cookie];

	entry->opcode = codes[transfer->access][is_registered(session, transfer, cookie)];
	entry->flags = file->entry_flags;
	entry->fd = file->target;
	entry->off = transfer->offset;
	entry->addr = (uintptr_t)transfer->buffer;
	entry->len = (uint32_t)(transfer->length < LONGEST ? transfer->length : LONGEST);
	entry->user_data = cookie;
	entry->buf_index = (uint16_t)cookie;
}

/* Puts entries of these cookies at the ring's end; the kernel sees them from publish on. */
static void publish(struct backend_session *session, unsigned tail, unsigned count)
{
	io_uring_smp_store_release(session->ring.sq.ktail, tail);
	if (!(session->setup_flags & IORING_SETUP_SQPOLL))
		session->pending += count;
}

void uring_push(struct backend_session *session, uint64_t cookie)
{
	unsigned tail = *session->ring.sq.ktail;

	session->ring.sq.array[tail & session->submit_mask] = (unsigned)cookie;
	publish(session, tail + 1, 1);
}

/* Submits pending entries and waits for `minimum` completions. Returns -errno on failure. */
static inline __attribute__((always_inline)) int enter(struct backend_session *session,
						       unsigned minimum, unsigned flags)
{
	int taken = io_uring_enter((unsigned)session->enter_fd, session->pending, minimum,
				   session->enter_flags | flags, NULL);

	if (taken > 0 && !(session->setup_flags & IORING_SETUP_SQPOLL))
		session->pending -= (unsigned)taken;
	return taken;
}

static int enter_failed(struct error *err, int code)
{
	return error_set(err, code, "io_uring_enter: %s", strerror(code));
}

/* Wakes the kernel's polling thread if it sleeps. An active thread sees new entries by itself. */
static int wake(struct backend_session *session, struct error *err)
{
	int ret;

	io_uring_smp_mb();
	if (!(IO_URING_READ_ONCE(*session->ring.sq.kflags) & IORING_SQ_NEED_WAKEUP))
		return 0;
	do
		ret = enter(session, 0, IORING_ENTER_SQ_WAKEUP);
	while (ret == -EINTR);
	return ret < 0 ? enter_failed(err, -ret) : 0;
}

/* The entries stay in the ring, so reap reports the error if it persists. */
void uring_rouse(struct backend_session *session)
{
	struct error ignored;

	if (session->setup_flags & IORING_SETUP_SQPOLL)
		wake(session, &ignored);
}

/*
 * Only queues the transfers: reap submits them together with its wait, by one system call instead
 * of two. If the kernel has no room for some, they stay pending until others complete.
 */
int uring_submit(struct backend_session *session, const struct transfer *transfers, unsigned count,
		 struct error *err)
{
	unsigned room = session->depth - session->in_flight;
	unsigned *const array = session->ring.sq.array;
	unsigned tail = *session->ring.sq.ktail;
	const unsigned mask = session->submit_mask;

	if (count > room)
		count = room;
	if (!count)
		return 0;
	for (unsigned i = 0; i < count; i++) {
		fill(transfers[i].file, &transfers[i], transfers[i].cookie);
		array[tail++ & mask] = (unsigned)transfers[i].cookie;
	}
	session->in_flight += count;
	publish(session, tail, count);
	uring_rouse(session);
	return (int)count;
}

/* A close must not be repeated: an interrupted close has freed the descriptor. */
static bool may_repeat(const struct backend_session *session, uint64_t cookie)
{
	return session->ring.sq.sqes[cookie].opcode != IORING_OP_CLOSE;
}

/* Takes up to `maximum` completions, without a system call. */
static inline __attribute__((always_inline)) unsigned take(struct backend_session *session,
							   struct completion *completions,
							   unsigned maximum)
{
	const struct io_uring_cqe *const entries = session->ring.cq.cqes;
	unsigned head = *session->ring.cq.khead;
	const unsigned tail = io_uring_smp_load_acquire(session->ring.cq.ktail);
	const unsigned mask = session->complete_mask;
	unsigned count = 0;

	for (; head != tail && count < maximum; head++) {
		const struct io_uring_cqe *entry = &entries[head & mask];
		int result = entry->res;

		if (__builtin_expect(result == -EAGAIN || result == -EINTR, 0) &&
		    may_repeat(session, entry->user_data)) {
			uring_push(session, entry->user_data);
			continue;
		}
		completions[count].cookie = entry->user_data;
		completions[count++].result = result;
	}
	io_uring_smp_store_release(session->ring.cq.khead, head);
	session->in_flight -= count;
	return count;
}

/* Waits for completions. Returns 0, or -1 if none in flight can ever complete. */
static inline __attribute__((always_inline)) int wait_for(struct backend_session *session,
							  unsigned minimum, struct error *err)
{
	int ret;

	if (session->setup_flags & IORING_SETUP_SQPOLL && wake(session, err) < 0)
		return -1;
	ret = enter(session, minimum, IORING_ENTER_GETEVENTS);
	if (ret >= 0 || ret == -EINTR)
		return 0;
	if ((ret == -EAGAIN || ret == -EBUSY) && session->in_flight > session->pending)
		return 0;
	return enter_failed(err, -ret);
}

int uring_reap(struct backend_session *session, struct completion *completions, unsigned minimum,
	       unsigned maximum, struct error *err)
{
	unsigned count = take(session, completions, maximum);

	if (count >= minimum && !session->pending && (count || !session->waits_inside))
		return (int)count;
	do {
		unsigned missing = minimum > count ? minimum - count : 0;

		if (missing > session->in_flight)
			missing = session->in_flight;
		if (wait_for(session, missing, err) < 0)
			return count ? (int)count : -1;
		count += take(session, completions + count, maximum - count);
	} while (count < minimum && session->in_flight);
	return (int)count;
}

int uring_explain(struct backend_file *file, const struct transfer *transfer, int code,
		  struct error *err)
{
	return descriptor_explain(file->fd, file->session->direct,
				  transfer->access == ACCESS_WRITE ? "io_uring write"
								   : "io_uring read",
				  transfer, code, err);
}

/* Synchronous transfers bypass the queue: the rest of a short transfer, and checks of files. */
int64_t uring_transfer(struct backend_file *file, const struct transfer *transfer,
		       struct error *err)
{
	struct backend_session *session = file->session;
	struct completion done;
	unsigned tail = *session->ring.sq.ktail;

	if (session->depth > 1 || session->in_flight)
		return descriptor_transfer(file->fd, session->direct, transfer, err);
	fill(file, transfer, 0);
	session->ring.sq.array[tail & session->submit_mask] = 0;
	session->in_flight++;
	publish(session, tail + 1, 1);
	do
		if (wait_for(session, 1, err) < 0)
			return -1;
	while (take(session, &done, 1) == 0);
	if (__builtin_expect(done.result >= 0, 1))
		return done.result;
	return uring_explain(file, transfer, (int)-done.result, err);
}

int uring_drain(struct backend_session *session, struct error *err)
{
	struct completion completions[64];

	while (session->in_flight)
		if (uring_reap(session, completions, 1, 64, err) < 0)
			return -1;
	return 0;
}
