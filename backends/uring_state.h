/*
 * The uring backend's state: a ring per session, shared by its files.
 *
 * Entry N of the submission ring belongs to cookie N. It is written at submission and unchanged
 * until it completes, so that it can be submitted again after EAGAIN or EINTR. The thread that
 * starts a session is the only one that uses it (SINGLE_ISSUER).
 */
#ifndef BACKENDS_URING_STATE_H
#define BACKENDS_URING_STATE_H

#include <liburing.h>
#include <sys/stat.h>

#include "backends/backend.h"
#include "backends/uring.h"

struct backend_session {
	struct io_uring ring;
	bool made; /* the ring exists */
	const struct backend_options *options;
	const char *direct; /* the option that asked for O_DIRECT, NULL: none */

	int enter_fd;
	unsigned enter_flags;
	unsigned setup_flags, features, entries;
	unsigned submit_mask, complete_mask;
	bool waits_inside; /* completions appear only while the kernel is entered to wait */

	unsigned depth;
	unsigned in_flight; /* submitted and not reaped */
	unsigned pending;   /* of these, in the ring and not yet taken by the kernel */

	char **buffers; /* registered ones, NULL: none */
	unsigned buffer_count;
	uint64_t buffer_size;
	int buffers_refused; /* errno of the registration */

	struct statx *found;	 /* results of queued stats, by cookie; NULL: no stats */
	unsigned workers_before; /* the kernel's bound before it was raised; 0: unchanged */

	bool slot_is_free; /* the slot of the only registered file is free */
};

struct backend_file {
	int fd;
	struct backend_session *session;
	bool registered;
	int target; /* fd of its entries: slot or descriptor */
	uint8_t entry_flags;
};

/* uring_setup.c. uring_release() may be called without a ring. */
int uring_setup(struct backend_session *session, unsigned depth, struct error *err);
void uring_release(struct backend_session *session);
int uring_register_buffers(struct backend_session *session, void *const *buffers, unsigned count,
			   uint64_t size, struct error *err);
void uring_register_file(struct backend_file *file);
void uring_forget_file(struct backend_file *file);
void uring_settings(struct backend_file *file, settings_add *add, struct settings_sink *sink);

/* uring_poll.c. Refuses a path on a device that is known to have no poll queues. */
int uring_check_polling(const char *path, struct error *err);
char uring_read_digit(const char *path); /* first character of a small file; 0: none */

/* uring_queue.c: operations of the contract, and drain, which waits for all transfers in flight. */
int uring_explain(struct backend_file *file, const struct transfer *transfer, int code,
		  struct error *err);
int uring_submit(struct backend_session *session, const struct transfer *transfers, unsigned count,
		 struct error *err);
int uring_reap(struct backend_session *session, struct completion *completions, unsigned minimum,
	       unsigned maximum, struct error *err);
int64_t uring_transfer(struct backend_file *file, const struct transfer *transfer,
		       struct error *err);
int uring_drain(struct backend_session *session, struct error *err);

/*
 * For transfers and metadata operations. uring_push() adds the cookie's entry to the ring; the
 * caller counts it as in flight. uring_rouse() wakes a sleeping kernel thread.
 */
void uring_push(struct backend_session *session, uint64_t cookie);
void uring_rouse(struct backend_session *session);

/*
 * uring_metadata.c: operations of the contract. uring_end_metadata() waits until none is in flight,
 * and may be called without a ring.
 */
int uring_prepare_metadata(struct backend_session *session, enum metadata_kind kind,
			   struct error *err);
int uring_submit_metadata(struct backend_session *session,
			  const struct metadata_operation *operations, unsigned count,
			  struct error *err);
int uring_reap_metadata(struct backend_session *session, struct completion *completions,
			unsigned minimum, unsigned maximum, struct error *err);
void uring_end_metadata(struct backend_session *session);

#endif
