/*
 * The libaio backend's own: a context per session, shared by its files, one control block per cookie.
 *
 * The kernel maps the ring of completions into the process. It is read there, as long as it looks as
 * it always has; else, and to wait, io_getevents is called.
 */
#ifndef BACKENDS_LIBAIO_STATE_H
#define BACKENDS_LIBAIO_STATE_H

#include <libaio.h>

#include "backends/backend.h"
#include "backends/libaio.h"

#define LIBAIO_MAGIC 0xa10a10a1U

/* As the kernel lays it out (fs/aio.c); part of its interface since 2.6. */
struct libaio_ring {
	unsigned id, entries;
	unsigned head, tail; /* taken from the head by the process, put at the tail by the kernel */
	unsigned magic, compatible, incompatible, header_length;
	struct io_event events[];
};

struct backend_session {
	const char *direct; /* the option that asked for O_DIRECT, NULL: none */
	io_context_t context;
	struct libaio_ring *ring; /* NULL: not as we know it */
	unsigned depth;
	unsigned in_flight; /* submitted and not reaped */
	unsigned waiting;   /* of these, in `queue` and not yet taken by the kernel */
	unsigned refused;   /* of these, in `results`: the kernel did not take them */
	struct iocb *blocks;  /* one per cookie */
	struct iocb **queue;
	struct completion *results;
};

struct backend_file {
	int fd;
	struct backend_session *session;
};

/* libaio_queue.c: the contract's, and drain, which waits for all that is in flight. */
int libaio_explain(struct backend_file *file, const struct transfer *transfer, int code,
		   struct error *err);
int libaio_submit(struct backend_session *session, const struct transfer *transfers,
		  unsigned count, struct error *err);
int libaio_reap(struct backend_session *session, struct completion *completions, unsigned minimum,
		unsigned maximum, struct error *err);
int64_t libaio_transfer(struct backend_file *file, const struct transfer *transfer,
			struct error *err);
int libaio_drain(struct backend_session *session, struct error *err);

#endif
