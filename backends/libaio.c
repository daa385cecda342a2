/* The libaio backend: files through Linux AIO, as many transfers in flight as queue_depth says. */
#include "backends/backend.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/common/descriptor.h"
#include "backends/libaio_state.h"
#include "base/memory.h"

static int explain_setup(const struct backend_start *start, int code, struct error *err)
{
	if (code == EAGAIN)
		return error_set(
			err, code,
			"io_setup: %s: queue_depth times the tasks of all jobs on this node exceed "
			"sysctl fs.aio-max-nr: raise it, or use a smaller queue_depth than %llu",
			strerror(code), (unsigned long long)start->queue_depth);
	if (code == ENOSYS || code == EPERM)
		return error_input(err,
				   "io_setup: %s: Linux AIO is not allowed here, or this kernel "
				   "has none; use api=posix",
				   strerror(code));
	return error_set(err, code, "io_setup: %s", strerror(code));
}

static int libaio_start(struct backend_session *session, const struct backend_start *start,
			struct error *err)
{
	unsigned depth = start->queue_depth > 1 ? (unsigned)start->queue_depth : 1;
	int ret = io_setup((int)depth, &session->context);

	if (ret < 0) {
		session->context = NULL;
		return explain_setup(start, -ret, err);
	}
	session->direct = start->options->direct ? "libaio.direct" : NULL;
	session->ring = (struct libaio_ring *)session->context;
	if (session->ring->magic != LIBAIO_MAGIC || session->ring->incompatible)
		session->ring = NULL;
	session->depth = depth;
	session->blocks = memory_allocate(depth, sizeof(*session->blocks));
	session->queue = memory_allocate(depth, sizeof(struct iocb *));
	session->results = memory_allocate(depth, sizeof(*session->results));
	return 0;
}

static int libaio_stop(struct backend_session *session, struct error *err)
{
	int ret = session->context ? io_destroy(session->context) : 0;

	free(session->blocks);
	free(session->queue);
	free(session->results);
	return ret < 0 ? error_set(err, -ret, "io_destroy: %s", strerror(-ret)) : 0;
}

static int libaio_open(struct backend_session *session, struct backend_file *file,
		       const struct backend_open *how, struct error *err)
{
	file->session = session;
	file->fd = descriptor_open(how, session->direct, err);
	return file->fd < 0 ? -1 : 0;
}

static int libaio_close(struct backend_file *file, struct error *err)
{
	struct error ignored;
	int fd = file->fd;
	int ret;

	if (fd < 0)
		return 0;
	ret = libaio_drain(file->session, err); /* a failed loop leaves transfers in flight */
	file->fd = -1;
	return descriptor_close(fd, ret < 0 ? &ignored : err) < 0 ? -1 : ret;
}

static int libaio_alignment(struct backend_session *session, const char *path,
			    struct backend_alignment *alignment, struct error *err)
{
	return descriptor_alignment(path, session->direct, alignment, err);
}

static void libaio_settings(struct backend_file *file, settings_add *add,
			    struct settings_sink *sink)
{
	const struct backend_session *session = file->session;
	char value[32];

	descriptor_settings(file->fd, add, sink);
	snprintf(value, sizeof(value), "%u", session->depth);
	add(sink, "context_events", value);
	add(sink, "ring_in_process", session->ring ? "true" : "false");
	add(sink, "asynchronous", session->direct ? "true" : "false: not without libaio.direct");
}

const struct backend libaio_backend = {
	.name = "libaio",
	.aliases = "AIO",
	.options = &libaio_options,
	.start = libaio_start,
	.stop = libaio_stop,
	.open = libaio_open,
	.close = libaio_close,
	.alignment = libaio_alignment,
	.settings = libaio_settings,
	.transfer = libaio_transfer,
	.submit = libaio_submit,
	.reap = libaio_reap,
	.explain = libaio_explain,
	DESCRIPTOR_OPERATIONS,
	DESCRIPTOR_TRANSFERS,
};
