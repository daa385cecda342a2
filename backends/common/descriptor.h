/*
 * Files that are opened by descriptor: functions for all backends that do so.
 *
 * `direct` is the name of the option that asked for O_DIRECT ("posix.direct"), for messages; NULL
 * if none did. Returns are the contract's: 0 or -1 with *err, whose text starts with the call.
 */
#ifndef BACKENDS_COMMON_DESCRIPTOR_H
#define BACKENDS_COMMON_DESCRIPTOR_H

#include <errno.h>
#include <unistd.h>

#include "backends/backend.h"
#include "backends/common/metadata.h"

/*
 * The rows that backends share whose files are those of the operating system, each with a
 * descriptor that is the first member of their struct backend_file.
 */
#define DESCRIPTOR_OPERATIONS                                                            \
	.path_is = "a path of a file", .session_size = sizeof(struct backend_session),   \
	.file_size = sizeof(struct backend_file),                                        \
	.directory_size = sizeof(struct backend_directory), .files = true,               \
	.begins_with_descriptor = true, .opens_relative = true, .size = descriptor_size, \
	.truncate = descriptor_truncate, METADATA_OPERATIONS

/* The further rows of backends that move data by calls on the descriptor. */
#define DESCRIPTOR_TRANSFERS                                                    \
	.layer = LAYER_POSIX, .random_access = true, .opens_synchronous = true, \
	.sync = descriptor_sync, .sync_data = descriptor_sync_data,             \
	.allocate = descriptor_allocate

/* Reports a failed call by its name and the text of errno. Returns -1. */
int descriptor_failed(struct error *err, const char *call);

/*
 * Opens a file as `how` says, mode 0664 & ~umask. Returns the descriptor or -1. how->directory is
 * of metadata.h.
 */
int descriptor_open(const struct backend_open *how, const char *direct, struct error *err);
/*
 * Checks that this process may open a few more files, else ERROR_INPUT. In some MPI-IO libraries
 * (OMPIO, ROMIO in Open MPI) an open that fails on one task leaves the others waiting.
 */
int descriptor_spare(struct error *err);
int descriptor_close(int fd, struct error *err); /* fd < 0: nothing to do */

/* The contract's sync, sync_data, allocate and lock of a file that begins with its descriptor. */
int descriptor_sync(struct backend_file *file, struct error *err);
int descriptor_sync_data(struct backend_file *file, struct error *err);
/* Never writes zeros instead, as posix_fallocate() may. */
int descriptor_allocate(struct backend_file *file, uint64_t offset, uint64_t length,
			struct error *err);
/* Locks of the open file description (F_OFD_SETLKW). */
int descriptor_lock(struct backend_file *file, enum file_lock lock, uint64_t offset,
		    uint64_t length, struct error *err);

/* The contract's size and truncate; they ignore the session. */
int descriptor_size(struct backend_session *session, const char *path, uint64_t *bytes,
		    uint64_t *allocated, struct error *err);
int descriptor_truncate(struct backend_session *session, const char *path, uint64_t bytes,
			struct error *err);
/*
 * truncate for files with a format of their own: only 0 bytes, as any other length would break the
 * format.
 */
int descriptor_empty(struct backend_session *session, const char *path, uint64_t bytes,
		     struct error *err);

/* Alignment of transfers of a file, bytes. The path need not exist. */
int descriptor_alignment(const char *path, bool direct, struct backend_alignment *alignment,
			 struct error *err);

/* Reports the settings open_flags, direct and file_system. */
void descriptor_settings(int fd, settings_add *add, struct settings_sink *sink);

/* Describes why a transfer failed, with the alignment that a direct transfer lacked. Returns -1. */
int descriptor_explain(int fd, const char *direct, const char *call,
		       const struct transfer *transfer, int code, struct error *err);

/*
 * The contract's transfer, by one pread or pwrite of the C library, as libraries that intercept
 * these calls expect. It is inline, as after a system call each return costs some 8 ns.
 */
static inline __attribute__((always_inline)) int64_t descriptor_transfer(
	int fd, const char *direct, const struct transfer *transfer, struct error *err)
{
	const bool writes = transfer->access == ACCESS_WRITE;
	const off_t offset = (off_t)transfer->offset;
	ssize_t moved;

	do
		moved = writes ? pwrite(fd, transfer->buffer, transfer->length, offset)
			       : pread(fd, transfer->buffer, transfer->length, offset);
	while (__builtin_expect(moved < 0, 0) && errno == EINTR);
	if (__builtin_expect(moved >= 0, 1))
		return moved;
	return descriptor_explain(fd, direct, writes ? "pwrite" : "pread", transfer, errno, err);
}

#endif
