/*
 * The uring backend's ring: sets it up with the features of this kernel and reports its settings.
 */
#include "backends/uring_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

#define MILLISECONDS 1000

/*
 * Flags that only make the ring faster, those of the newest kernels first. The last entry works on
 * any kernel.
 */
static const unsigned faster[] = {
	IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
	IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN,
	IORING_SETUP_SUBMIT_ALL,
	0,
};

/*
 * Measured on Linux 6.18 with direct reads. With 128 in flight, completions came 21 at a time with
 * DEFER_TASKRUN and 44 without it. With 32 in flight they came 11, and 21 to 28 at a time. From 32
 * on, the ring without it took no more processor time and no longer. With fewer in flight it took 3
 * to 9 % longer. The reason is not known for certain.
 */
enum { MANY = 32 };

static unsigned faster_for(unsigned depth, unsigned attempt)
{
	unsigned flags = faster[attempt];

	if (depth < MANY || !(flags & IORING_SETUP_DEFER_TASKRUN))
		return flags;
	return (flags & ~IORING_SETUP_DEFER_TASKRUN) | IORING_SETUP_COOP_TASKRUN;
}

static void uring_setup_ask(const struct backend_session *session, unsigned depth, unsigned attempt,
			    struct io_uring_params *params)
{
	const struct backend_options *options = session->options;

	memset(params, 0, sizeof(*params));
	params->flags = faster_for(depth, attempt) | IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP;
	params->cq_entries = depth;
	if (options->iopoll)
		params->flags |= IORING_SETUP_IOPOLL;
	if (!options->sqpoll)
		return;
	/* the polling thread runs the completions, so they cannot be deferred to this thread */
	params->flags &= ~(IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN);
	params->flags |= IORING_SETUP_SQPOLL;
	params->sq_thread_idle = (unsigned)(options->sqpoll_idle * MILLISECONDS);
	if (options->sqpoll_cpu < 0)
		return;
	params->flags |= IORING_SETUP_SQ_AFF;
	params->sq_thread_cpu = (unsigned)options->sqpoll_cpu;
}

/*
 * Sets up the ring like io_uring_queue_init_params, but always with the array that says which entry
 * comes next. liburing from 2.6 on leaves it out. It is needed here, as entries lie by cookie.
 */
static int init_ring(struct io_uring *ring, unsigned depth, struct io_uring_params *params)
{
	int fd = (int)syscall(SYS_io_uring_setup, depth, params), ret;

	if (fd < 0)
		return -errno;
	ret = io_uring_queue_mmap(fd, params, ring);
	if (ret < 0) {
		close(fd);
		return ret;
	}
	ring->features = params->features;
	ring->flags = params->flags;
	ring->ring_fd = ring->enter_ring_fd = fd;
	return 0;
}

static int make_ring(struct backend_session *session, unsigned depth,
		     struct io_uring_params *params)
{
	int ret = -EINVAL;

	for (unsigned i = 0; i < sizeof(faster) / sizeof(faster[0]) && ret == -EINVAL; i++) {
		uring_setup_ask(session, depth, i, params);
		ret = init_ring(&session->ring, depth, params);
	}
	return ret;
}

static int explain_setup(const struct backend_options *options, int code, struct error *err)
{
	const char *why = strerror(code);
	char sysctl = uring_read_digit("/proc/sys/kernel/io_uring_disabled");

	if ((code == EPERM || code == ENOSYS) && sysctl && sysctl != '0')
		return error_input(err,
				   "io_uring_setup: %s: io_uring is switched off here (sysctl "
				   "kernel.io_uring_disabled is %c); use api=libaio or api=posix",
				   why, sysctl);
	if (code == EPERM || code == EACCES)
		return error_input(err,
				   "io_uring_setup: %s: io_uring is forbidden here, mostly by the "
				   "seccomp filter of a container; use api=libaio or api=posix%s",
				   why, options->sqpoll ? ", or leave out uring.sqpoll" : "");
	if (code == ENOSYS)
		return error_input(err,
				   "io_uring_setup: %s: this kernel has no io_uring, or a "
				   "container hides it; use api=libaio or api=posix",
				   why);
	if (code == ENOMEM)
		return error_set(err, code,
				 "io_uring_setup: %s: the ring may count against ulimit -l "
				 "(RLIMIT_MEMLOCK): raise it, use a smaller queue_depth, "
				 "api=libaio or api=posix",
				 why);
	if (code == EINVAL && options->sqpoll && options->sqpoll_cpu >= 0)
		return error_input(err,
				   "io_uring_setup: %s: is there a processor %lld for "
				   "uring.sqpoll_cpu?",
				   why, (long long)options->sqpoll_cpu);
	return error_set(err, code, "io_uring_setup: %s", why);
}

/*
 * Registers the ring and a file table, which save the kernel a look-up per call. Failures are
 * ignored.
 */
static void register_tables(struct backend_session *session)
{
	int none = -1;

	if (io_uring_register_ring_fd(&session->ring) == 1)
		session->enter_flags |= IORING_ENTER_REGISTERED_RING;
	session->enter_fd = session->ring.enter_ring_fd;
	if (!session->options->registered_files)
		return;
	session->slot_is_free = io_uring_register_files(&session->ring, &none, 1) == 0;
}

int uring_setup(struct backend_session *session, unsigned depth, struct error *err)
{
	struct io_uring_params params;
	int ret = make_ring(session, depth, &params);

	if (ret < 0)
		return explain_setup(session->options, -ret, err);
	session->made = true;
	session->depth = depth;
	session->setup_flags = params.flags;
	session->features = params.features;
	session->entries = params.sq_entries;
	session->submit_mask = params.sq_entries - 1;
	session->complete_mask = params.cq_entries - 1;
	session->waits_inside = params.flags & (IORING_SETUP_IOPOLL | IORING_SETUP_DEFER_TASKRUN);
	memset(session->ring.sq.sqes, 0, depth * sizeof(*session->ring.sq.sqes));
	register_tables(session);
	return 0;
}

void uring_release(struct backend_session *session)
{
	if (session->made)
		io_uring_queue_exit(&session->ring);
	free(session->buffers);
	free(session->found);
}

/* --- buffers and files ---------------------------------------------------------------------- */

int uring_register_buffers(struct backend_session *session, void *const *buffers, unsigned count,
			   uint64_t size, struct error *err)
{
	struct iovec *vectors;
	int ret;

	if (!session->options->fixed_buffers || !count || !size)
		return 0;
	vectors = memory_allocate(count, sizeof(*vectors));
	for (unsigned i = 0; i < count; i++)
		vectors[i] = (struct iovec){.iov_base = buffers[i], .iov_len = size};
	ret = io_uring_register_buffers(&session->ring, vectors, count);
	free(vectors);
	session->buffers_refused = -ret;
	if (ret < 0)
		return 0; /* plain buffers work too, and the settings report it */
	session->buffers = memory_allocate(count, sizeof(*session->buffers));
	memcpy(session->buffers, buffers, count * sizeof(*buffers));
	session->buffer_count = count;
	session->buffer_size = size;
	return 0;
}

void uring_register_file(struct backend_file *file)
{
	struct backend_session *session = file->session;

	file->target = file->fd;
	if (!session->slot_is_free ||
	    io_uring_register_files_update(&session->ring, 0, &file->fd, 1) != 1)
		return;
	session->slot_is_free = false;
	file->registered = true;
	file->target = 0;
	file->entry_flags = IOSQE_FIXED_FILE;
}

void uring_forget_file(struct backend_file *file)
{
	int none = -1;

	if (!file->registered)
		return;
	io_uring_register_files_update(&file->session->ring, 0, &none, 1);
	file->session->slot_is_free = true;
	file->registered = false;
}

/* --- what is in effect ---------------------------------------------------------------------- */

static const struct {
	unsigned bit;
	const char *name;
} flag_names[] = {
	{IORING_SETUP_IOPOLL, "IOPOLL"},
	{IORING_SETUP_SQPOLL, "SQPOLL"},
	{IORING_SETUP_SQ_AFF, "SQ_AFF"},
	{IORING_SETUP_SUBMIT_ALL, "SUBMIT_ALL"},
	{IORING_SETUP_COOP_TASKRUN, "COOP_TASKRUN"},
	{IORING_SETUP_SINGLE_ISSUER, "SINGLE_ISSUER"},
	{IORING_SETUP_DEFER_TASKRUN, "DEFER_TASKRUN"},
};

static void add_flags(unsigned flags, settings_add *add, struct settings_sink *sink)
{
	struct text names = {0};

	for (size_t i = 0; i < sizeof(flag_names) / sizeof(flag_names[0]); i++)
		if (flags & flag_names[i].bit)
			text_add(&names, "%s%s", names.length ? "|" : "", flag_names[i].name);
	add(sink, "ring_flags", names.length ? text_string(&names) : "none");
	text_release(&names);
}

static void add_bool(bool value, const char *name, settings_add *add, struct settings_sink *sink)
{
	add(sink, name, value ? "true" : "false");
}

static void add_buffers(const struct backend_session *session, settings_add *add,
			struct settings_sink *sink)
{
	char value[128];

	if (!session->buffers_refused) {
		add_bool(session->buffers, "fixed_buffers", add, sink);
		return;
	}
	snprintf(value, sizeof(value), "false: %s%s", strerror(session->buffers_refused),
		 session->buffers_refused == ENOMEM ? ", raise ulimit -l (RLIMIT_MEMLOCK)" : "");
	add(sink, "fixed_buffers", value);
}

/*
 * False if the file system never serves a request without waiting. io_uring may then give each
 * request to a kernel thread. The answer is the same for an empty file and for direct I/O.
 */
static bool has_nowait(int fd)
{
	char byte;
	const struct iovec one = {.iov_base = &byte, .iov_len = 1};

	return preadv2(fd, &one, 1, 0, RWF_NOWAIT) >= 0 || errno != EOPNOTSUPP;
}

void uring_settings(struct backend_file *file, settings_add *add, struct settings_sink *sink)
{
	const struct backend_session *session = file->session;
	char value[32];

	snprintf(value, sizeof(value), "%u", session->entries);
	add(sink, "ring_entries", value);
	add_bool(session->setup_flags & IORING_SETUP_SQPOLL, "sqpoll", add, sink);
	add_bool(session->setup_flags & IORING_SETUP_IOPOLL, "iopoll", add, sink);
	add_buffers(session, add, sink);
	add_bool(file->registered, "registered_file", add, sink);
	add_bool(has_nowait(file->fd), "nowait", add, sink);
	add_flags(session->setup_flags, add, sink);
	snprintf(value, sizeof(value), "0x%x", session->features);
	add(sink, "ring_features", value);
}
