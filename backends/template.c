/*
 * A small backend to copy: plain files, each transfer one pread or pwrite. Put your library's calls
 * where the system calls stand; doc/backends.md goes through this file from top to bottom.
 *
 *     cp backends/template.c /path/to/x.c; sed -i 's/template/x/g' /path/to/x.c
 *     ./configure --with-backend=/path/to/x.c
 */
#include "backends/backend.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* --- options ------------------------------------------------------------------------------------
 */

struct backend_options {
	bool write_through;
};

static const struct option template_rows[] = {
	BOOL(struct backend_options, write_through, .group = "template",
	     .help = "Each write returns when its data is on storage (O_DSYNC)."),
};

const struct option_table template_options = {
	.prefix = "template",
	.summary = "The backend to copy when you write one: plain files",
	OPTION_ROWS(template_rows, struct backend_options),
};

/* --- state: all of it is here, zeroed by the core before start and open --------------------------
 */

struct backend_session {
	int flags; /* open flags of every file, by the options */
};

struct backend_file {
	int fd; /* -1: none */
};

/* --- session ------------------------------------------------------------------------------------
 */

/* Connect to the storage here, and check the options. stop frees all that start allocates. */
static int template_start(struct backend_session *session, const struct backend_start *start,
			  struct error *err)
{
	session->flags = O_CLOEXEC | (start->options->write_through ? O_DSYNC : 0);
	return 0;
}

/* --- files --------------------------------------------------------------------------------------
 */

/* Every failure is one line: the call and its error. The core adds task, host and file. */
static int template_failed(struct error *err, const char *call)
{
	return error_set(err, errno, "%s: %s", call, strerror(errno));
}

static int template_open(struct backend_session *session, struct backend_file *file,
			 const struct backend_open *how, struct error *err)
{
	int flags = session->flags | (how->access == ACCESS_READ ? O_RDONLY : O_RDWR);

	flags |= how->create ? O_CREAT : 0;
	flags |= how->exclusive ? O_EXCL : 0;
	file->fd = open(how->path, flags, 0664);
	return file->fd < 0 ? template_failed(err, "open") : 0;
}

/* Also after an open that failed: then there is nothing to free here. */
static int template_close(struct backend_file *file, struct error *err)
{
	int fd = file->fd;

	file->fd = -1;
	return fd >= 0 && close(fd) < 0 ? template_failed(err, "close") : 0;
}

static int template_sync(struct backend_file *file, struct error *err)
{
	return fsync(file->fd) < 0 ? template_failed(err, "fsync") : 0;
}

/* The core times this call only. A short count is no failure: the core goes on behind it. */
static int64_t template_transfer(struct backend_file *file, const struct transfer *transfer,
				 struct error *err)
{
	bool write = transfer->access == ACCESS_WRITE;
	off_t offset = (off_t)transfer->offset;
	ssize_t moved;

	do
		moved = write ? pwrite(file->fd, transfer->buffer, transfer->length, offset)
			      : pread(file->fd, transfer->buffer, transfer->length, offset);
	while (moved < 0 && errno == EINTR);
	return moved < 0 ? template_failed(err, write ? "pwrite" : "pread") : moved;
}

/* --- by name ------------------------------------------------------------------------------------
 */

/* After a write the core compares this with what was written: a library may have lost some of it.
 */
static int template_size(struct backend_session *session, const char *path, uint64_t *bytes,
			 uint64_t *allocated, struct error *err)
{
	struct stat status;

	if (stat(path, &status) < 0)
		return template_failed(err, "stat");
	*bytes = (uint64_t)status.st_size;
	*allocated = (uint64_t)status.st_blocks * 512;
	return 0;
}

static int template_truncate(struct backend_session *session, const char *path, uint64_t bytes,
			     struct error *err)
{
	return truncate(path, (off_t)bytes) < 0 ? template_failed(err, "truncate") : 0;
}

/* directory is always NULL here, as there is no open_directory: names are full paths. */
static int template_stat(struct backend_session *session, struct backend_directory *directory,
			 const char *name, struct stat *status, struct error *err)
{
	return stat(name, status) < 0 ? template_failed(err, "stat") : 0;
}

static int template_remove(struct backend_session *session, struct backend_directory *directory,
			   const char *name, struct error *err)
{
	return unlink(name) < 0 ? template_failed(err, "unlink") : 0;
}

/* --- what the core sees: whatever is left out here, this storage cannot do -----------------------
 */

const struct backend template_backend = {
	.name = "template",
	.path_is = "a path of a file",
	.options = &template_options,
	.session_size = sizeof(struct backend_session),
	.file_size = sizeof(struct backend_file),
	.files = true,
	.start = template_start,
	.open = template_open,
	.close = template_close,
	.sync = template_sync,
	.size = template_size,
	.truncate = template_truncate,
	.transfer = template_transfer,
	.stat = template_stat,
	.remove = template_remove,
};
