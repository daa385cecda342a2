/*
 * Files of this node's file systems by descriptor: what all backends that open one have in common.
 *
 * `direct` is the name of the option that asked for O_DIRECT ("posix.direct"), for messages, and NULL
 * when none did. Returns are the contract's: 0 or -1 with *err, whose text starts with the call.
 */
#ifndef BACKENDS_COMMON_DESCRIPTOR_H
#define BACKENDS_COMMON_DESCRIPTOR_H

#include <errno.h>
#include <unistd.h>

#include "backends/backend.h"

/* The one line of a failed call: its name and what errno means. Returns -1. */
int descriptor_failed(struct error *err, const char *call);

/* Opens as `how` says, 0664 & ~umask; the descriptor, or -1. A directory is one of names.h. */
int descriptor_open(const struct backend_open *how, const char *direct, struct error *err);
/*
 * Whether this process may open a few more files, else ERROR_INPUT: an open that fails on one task
 * leaves the others waiting in some MPI-IO libraries (OMPIO, ROMIO in Open MPI).
 */
int descriptor_spare(struct error *err);
int descriptor_close(int fd, struct error *err); /* fd < 0: nothing to do */
int descriptor_sync(int fd, struct error *err);

/* The contract's size and truncate; the session is not looked at. */
int descriptor_size(struct backend_session *session, const char *path, uint64_t *bytes,
		    uint64_t *allocated, struct error *err);
int descriptor_truncate(struct backend_session *session, const char *path, uint64_t bytes,
			struct error *err);
/* The same for files of a format of its own: anything else than nothing would be none any more. */
int descriptor_empty(struct backend_session *session, const char *path, uint64_t bytes,
		     struct error *err);

/* What transfers of a file at path need, bytes; the path need not be there. */
int descriptor_alignment(const char *path, bool direct, struct backend_alignment *alignment,
			 struct error *err);

/* Tells open_flags, direct and file_system. */
void descriptor_settings(int fd, settings_tell *tell, struct settings_sink *sink);

/* Why a transfer failed, with the alignment a refused direct one missed. Returns -1. */
int descriptor_explain(int fd, const char *direct, const char *call,
		       const struct transfer *transfer, int code, struct error *err);

/*
 * The contract's transfer, by one pread or pwrite of the C library, as libraries that stand in front of
 * it expect. After a system call each return costs some 8 ns, so this function is inline.
 */
static inline __attribute__((always_inline)) int64_t
descriptor_transfer(int fd, const char *direct, const struct transfer *transfer, struct error *err)
{
	const bool writes = transfer->access == ACCESS_WRITE;
	const off_t offset = (off_t)transfer->offset;
	ssize_t moved;

	do
		moved = writes ? pwrite(fd, transfer->buffer, transfer->length, offset) :
				 pread(fd, transfer->buffer, transfer->length, offset);
	while (__builtin_expect(moved < 0, 0) && errno == EINTR);
	if (__builtin_expect(moved >= 0, 1))
		return moved;
	return descriptor_explain(fd, direct, writes ? "pwrite" : "pread", transfer, errno, err);
}

#endif
