/*
 * A storage that is reached by pool and container handles: task 0 connects in prepare, and every
 * task must get its handles. An object is a file beside its path, under a name that only a task
 * with the right container can know. One task writes an object; names and directories there are
 * none.
 */
#include "fake.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

struct backend_options {
	const char *pool;
	bool locked;
};

struct handles {
	char magic[8];
	uint64_t pool, container;
	uint64_t connection; /* drawn anew each time: a task cannot make it up */
};

struct backend_session {
	struct handles handles;
};

struct backend_file {
	int fd;
};

static const char magic[8] = "fakepool";

static const struct option fake_rows[] = {
	STRING(struct backend_options, pool, .initial = "pool0", .help = "Name of the pool."),
	BOOL(struct backend_options, locked, .help = "The pool lets nobody in."),
};

const struct option_table fake_options = {
	.prefix = "fake",
	.summary = "Objects in a pool",
	.rows = fake_rows,
	.count = sizeof(fake_rows) / sizeof(fake_rows[0]),
	.values_size = sizeof(struct backend_options),
};

uint64_t fake_connection(const struct backend_session *session)
{
	return session->handles.connection;
}

static int failed(struct error *err, const char *call)
{
	return error_set(err, errno, "%s: %s", call, strerror(errno));
}

/* An object's file, to be freed. */
static char *object_of(const struct backend_session *session, const char *path)
{
	char *name;

	if (asprintf(&name, "%s.%" PRIx64 "-%" PRIx64, path, session->handles.pool,
		     session->handles.container) < 0)
		abort();
	return name;
}

static int fake_prepare(const struct backend_start *start, void *blob, size_t *size,
			struct error *err)
{
	struct handles handles = {.connection = clock_monotonic_ns()};

	if (start->options->locked)
		return error_set(err, EACCES, "pool_connect: %s: %s", start->options->pool,
				 strerror(EACCES));
	if (*size < sizeof(handles))
		return error_set(err, EOVERFLOW, "pool_connect: no room for the handles");
	memcpy(handles.magic, magic, sizeof(magic));
	for (const char *at = start->options->pool; *at; at++)
		handles.pool = handles.pool * 31 + (unsigned char)*at;
	handles.container = ~handles.pool;
	memcpy(blob, &handles, sizeof(handles));
	*size = sizeof(handles);
	return 0;
}

/* Collective, as the contract allows: who is missing here is waited for. */
static int fake_start(struct backend_session *session, const struct backend_start *start,
		      struct error *err)
{
	struct handles *handles = &session->handles;
	uint64_t first;

	if (start->blob && start->blob_size == sizeof(*handles))
		memcpy(handles, start->blob, sizeof(*handles));
	first = handles->connection;
	MPI_Bcast(&first, 1, MPI_UINT64_T, 0, start->comm);
	if (memcmp(handles->magic, magic, sizeof(magic)) != 0)
		return error_set(err, EINVAL, "container_open: these are no handles");
	if (handles->connection != first)
		return error_set(err, EINVAL, "container_open: not the handles of task 0");
	return 0;
}

static int fake_stop(struct backend_session *session, struct error *err)
{
	(void)err;
	memset(session, 0, sizeof(*session));
	return 0;
}

static int fake_open(struct backend_session *session, struct backend_file *file,
		     const struct backend_open *how, struct error *err)
{
	char *object = object_of(session, how->path);
	int flags = how->access == ACCESS_READ ? O_RDONLY : O_RDWR;

	flags |= (how->create ? O_CREAT : 0) | (how->exclusive ? O_EXCL : 0) | O_CLOEXEC;
	file->fd = open(object, flags, 0664);
	free(object);
	return file->fd < 0 ? failed(err, "object_open") : 0;
}

static int fake_close(struct backend_file *file, struct error *err)
{
	int fd = file->fd;

	file->fd = -1;
	return fd >= 0 && close(fd) < 0 ? failed(err, "object_close") : 0;
}

static int fake_size(struct backend_session *session, const char *path, uint64_t *bytes,
		     uint64_t *allocated, struct error *err)
{
	char *object = object_of(session, path);
	struct stat status;
	int ret = stat(object, &status);

	free(object);
	if (ret < 0)
		return failed(err, "object_size");
	*bytes = (uint64_t)status.st_size;
	*allocated = (uint64_t)status.st_blocks * 512;
	return 0;
}

static int64_t fake_transfer(struct backend_file *file, const struct transfer *transfer,
			     struct error *err)
{
	off_t offset = (off_t)transfer->offset;
	int64_t moved = transfer->access == ACCESS_WRITE
				? pwrite(file->fd, transfer->buffer, transfer->length, offset)
				: pread(file->fd, transfer->buffer, transfer->length, offset);

	return moved < 0 ? failed(err, "object_transfer") : moved;
}

static int fake_remove(struct backend_session *session, struct backend_directory *directory,
		       const char *name, struct error *err)
{
	char *object = object_of(session, name);
	int ret = unlink(object);

	(void)directory;
	free(object);
	return ret < 0 ? failed(err, "object_remove") : 0;
}

const struct backend fake_backend = {
	.name = "fake",
	.path_is = "the name of an object",
	.options = &fake_options,
	.session_size = sizeof(struct backend_session),
	.file_size = sizeof(struct backend_file),
	.single_writer = true,
	.prepare = fake_prepare,
	.start = fake_start,
	.stop = fake_stop,
	.open = fake_open,
	.close = fake_close,
	.size = fake_size,
	.transfer = fake_transfer,
	.remove = fake_remove,
};
