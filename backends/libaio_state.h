/*
 * The libaio backend's state: a context per session, shared by its files, and one control block per
 * cookie.
 *
 * The kernel maps its ring of completions into the process. Completions are read there if the ring
 * has the known layout. Else, and to wait, io_getevents is called.
 */
#ifndef BACKENDS_LIBAIO_STATE_H
#define BACKENDS_LIBAIO_STATE_H

#include <libaio.h>

#include "backends/backend.h"
#include "backends/libaio.h"

#define LIBAIO_MAGIC 0xa10a10a1U

/* The kernel's ring of completions (fs/aio.c); its layout is part of the interface since 2.6. */
struct libaio_ring {
	unsigned id, entries;
	unsigned head, tail; /* the process takes at the head, the kernel adds at the tail */
	unsigned magic, compatible, incompatible, header_length;
	struct io_event events[];
};

struct backend_session {
	const char *direct; /* the option that asked for O_DIRECT, NULL: none */
	io_context_t context;
	struct libaio_ring *ring; /* NULL: unknown layout */
	unsigned depth;
	unsigned in_flight;  /* submitted and not reaped */
	unsigned waiting;    /* of these, in `queue` and not yet taken by the kernel */
	unsigned refused;    /* of these, in `results`: the kernel did not take them */
	struct iocb *blocks; /* one per cookie */
	struct iocb **queue;
	struct completion *results;
};

struct backend_file {
	int fd;
	struct backend_session *session;
};

/*
 * libaio_queue.c: operations of the contract, and drain, which waits for all transfers in flight.
 */
int libaio_explain(struct backend_file *file, const struct transfer *transfer, int code,
		   struct error *err);
int libaio_submit(struct backend_session *session, const struct transfer *transfers, unsigned count,
		  struct error *err);
int libaio_reap(struct backend_session *session, struct completion *completions, unsigned minimum,
		unsigned maximum, struct error *err);
int64_t libaio_transfer(struct backend_file *file, const struct transfer *transfer,
			struct error *err);
int libaio_drain(struct backend_session *session, struct error *err);

#endif
