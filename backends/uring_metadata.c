/*
 * The uring backend's queued metadata operations: an entry each, reused for the close of an opened
 * file.
 */
#include "backends/uring_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "backends/common/metadata.h"
#include "base/memory.h"

/* The io_uring operation of each kind, and the first Linux version that has it. */
static const struct {
	uint8_t code;
	bool opens;
	const char *name, *since;
} calls[METADATA_KINDS] = {
	[METADATA_CREATE] = {IORING_OP_OPENAT, true, "openat", "5.6"},
	[METADATA_STAT] = {IORING_OP_STATX, false, "statx", "5.6"},
	[METADATA_OPEN_CLOSE] = {IORING_OP_OPENAT, true, "openat", "5.6"},
	[METADATA_REMOVE] = {IORING_OP_UNLINKAT, false, "unlinkat", "5.11"},
	[METADATA_MKDIR] = {IORING_OP_MKDIRAT, false, "mkdirat", "5.15"},
	[METADATA_RMDIR] = {IORING_OP_UNLINKAT, false, "unlinkat", "5.11"},
};

/* Checks that the kernel has an operation. It needs no check for close, which came with open. */
static int check_code(struct backend_session *session, enum metadata_kind kind, struct error *err)
{
	struct io_uring_probe *probe = io_uring_get_probe_ring(&session->ring);
	bool there = probe && io_uring_opcode_supported(probe, calls[kind].code);

	io_uring_free_probe(probe);
	if (there)
		return 0;
	return error_input(err,
			   "queue_depth: io_uring of this kernel has no %s (Linux %s has it "
			   "first); leave queue_depth out for metadata operations",
			   calls[kind].name, calls[kind].since);
}

static int check_limit(const struct backend_session *session, struct error *err)
{
	struct rlimit limit;
	int next = dup(STDERR_FILENO);

	if (next >= 0)
		close(next);
	if (next < 0 || getrlimit(RLIMIT_NOFILE, &limit) < 0 ||
	    limit.rlim_cur >= (rlim_t)next + session->depth)
		return 0;
	return error_input(err,
			   "queue_depth: %u files may be open at the same time, and a task can "
			   "open %llu more only; lower it, or raise the limit (ulimit -n)",
			   session->depth, (unsigned long long)limit.rlim_cur - (unsigned)next);
}

/*
 * Sets the bound of kernel workers. It belongs to the thread, so it must be restored for later
 * rings.
 */
static unsigned bound_workers(struct backend_session *session, unsigned count)
{
	unsigned most[2] = {count, 0};

	return io_uring_register_iowq_max_workers(&session->ring, most) == 0 ? most[0] : 0;
}

/* Raises the kernel's bound, which is four workers per processor for any queue depth. */
static void allow_workers(struct backend_session *session)
{
	if (!session->workers_before)
		session->workers_before = bound_workers(session, session->depth);
}

int uring_prepare_metadata(struct backend_session *session, enum metadata_kind kind,
			   struct error *err)
{
	if (session->options->iopoll)
		return error_input(
			err, "uring.iopoll: a ring that is polled takes no names; leave it out");
	if (check_code(session, kind, err) < 0 ||
	    (calls[kind].opens && check_limit(session, err) < 0))
		return -1;
	allow_workers(session);
	if (kind == METADATA_STAT && !session->found)
		session->found = memory_allocate(session->depth, sizeof(*session->found));
	return 0;
}

static void uring_metadata_fill(struct backend_session *session,
				const struct metadata_operation *operation)
{
	struct io_uring_sqe *entry = &session->ring.sq.sqes[operation->cookie];
	const char *name = operation->name;
	int at = metadata_at(operation->directory);

	memset(entry, 0, sizeof(*entry));
	switch (operation->kind) {
	case METADATA_CREATE:
		io_uring_prep_openat(entry, at, name, METADATA_CREATE_FLAGS, operation->mode);
		break;
	case METADATA_STAT:
		io_uring_prep_statx(entry, at, name, 0, STATX_BASIC_STATS,
				    &session->found[operation->cookie]);
		break;
	case METADATA_OPEN_CLOSE:
		io_uring_prep_openat(entry, at, name, metadata_open_flags(operation->access), 0);
		break;
	case METADATA_REMOVE:
		io_uring_prep_unlinkat(entry, at, name, 0);
		break;
	case METADATA_MKDIR:
		io_uring_prep_mkdirat(entry, at, name, operation->mode);
		break;
	case METADATA_RMDIR:
		io_uring_prep_unlinkat(entry, at, name, AT_REMOVEDIR);
		break;
	case METADATA_KINDS:
		break;
	}
	entry->user_data = operation->cookie;
}

int uring_submit_metadata(struct backend_session *session,
			  const struct metadata_operation *operations, unsigned count,
			  struct error *err)
{
	unsigned room = session->depth - session->in_flight;

	if (count > room)
		count = room;
	for (unsigned i = 0; i < count; i++) {
		uring_metadata_fill(session, &operations[i]);
		uring_push(session, operations[i].cookie);
	}
	session->in_flight += count;
	uring_rouse(session);
	return (int)count;
}

/*
 * True if an operation is over; an open is followed by its close. Files are opened with descriptors
 * of the process, not of the ring: only their close calls the file system's flush, as close(2)
 * does.
 */
static bool is_over(struct backend_session *session, const struct completion *completion)
{
	struct io_uring_sqe *entry = &session->ring.sq.sqes[completion->cookie];

	if (entry->opcode != IORING_OP_OPENAT || completion->result < 0) {
		memset(entry, 0, sizeof(*entry)); /* transfers do not write the whole entry */
		return true;
	}
	memset(entry, 0, sizeof(*entry));
	io_uring_prep_close(entry, (int)completion->result);
	entry->user_data = completion->cookie;
	uring_push(session, completion->cookie);
	session->in_flight++;
	return false;
}

int uring_reap_metadata(struct backend_session *session, struct completion *completions,
			unsigned minimum, unsigned maximum, struct error *err)
{
	unsigned count = 0;

	do {
		int more = uring_reap(session, completions + count,
				      minimum > count ? minimum - count : 0, maximum - count, err);

		if (more < 0 && count)
			return (int)count;
		if (more < 0) {
			/*
			 * Pending operations are dropped for good, as their directories may be
			 * closed soon.
			 */
			session->in_flight -= session->pending;
			session->pending = 0;
			return -1;
		}
		for (struct completion *next = completions + count; more--; next++)
			if (is_over(session, next))
				completions[count++] = *next;
	} while (count < minimum && session->in_flight);
	if (session->pending)
		uring_rouse(session);
	return (int)count;
}

void uring_end_metadata(struct backend_session *session)
{
	struct completion completions[64];
	struct error ignored;

	while (session->in_flight)
		if (uring_reap_metadata(session, completions, 1, 64, &ignored) < 0)
			break;
	if (session->workers_before)
		bound_workers(session, session->workers_before);
}
