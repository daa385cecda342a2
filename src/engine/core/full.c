/* Checks for a full file system where a library hides why a write failed. */
#include "engine/core/full.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/near.h"

/* Reads the file system of `path`, or of the nearest existing parent directory. */
static bool full_look(const char *path, struct statvfs *fs)
{
	char near[NEAR_SIZE];
	struct stat status;

	return near_path(path, near, &status) == 0 && statvfs(near, fs) == 0;
}

/* Bytes that the file still needs; 0: none. The header of a library's format is included. */
static uint64_t missing(const struct worker *worker)
{
	uint64_t all = worker->plan->file_size + worker->backend->own_format;
	struct stat status;
	uint64_t there = stat(worker->path, &status) ? 0 : (uint64_t)status.st_blocks * 512;

	return there < all ? all - there : 0;
}

static void add_cause(struct error *err, uint64_t there)
{
	char cause[160];
	int length =
		snprintf(cause, sizeof(cause), "; the file system has %" PRIu64 " bytes free (%s)",
			 there, strerror(ENOSPC));
	size_t room = sizeof(err->text) - (size_t)length - 1;
	size_t used = strlen(err->text);

	snprintf(err->text + (used < room ? used : room), (size_t)length + 1, "%s", cause);
	err->code = ENOSPC;
}

void full_explain(const struct worker *worker, struct error *err, uint64_t length)
{
	const struct backend *backend = worker->backend;
	struct statvfs fs;

	/* Libraries report EIO for every cause that they do not know. */
	if (!worker->writes || !backend->files || !backend->may_hide_errors ||
	    err->kind != ERROR_IO || (err->code != 0 && err->code != EIO) ||
	    !full_look(worker->path, &fs))
		return;
	uint64_t there = (uint64_t)fs.f_bavail * fs.f_frsize, rest = missing(worker);
	/*
	 * Without a length (open, sync, close) the library may still have to write all that is
	 * missing.
	 */
	uint64_t needed = length ? length : rest;

	if (rest && (there < needed || there < fs.f_bsize))
		add_cause(err, there);
}
