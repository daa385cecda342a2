/* Finds out who made an existing file. */
#include "engine/data/maker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "engine/data/ior_data.h"

enum { PAGE = 4096 }; /* unit that suits direct transfers everywhere */

/*
 * Reads the sector at the piece's offset in as many transfers as needed. Returns its length, or -1.
 */
static int64_t read_sector(struct worker *worker, struct transfer *piece, struct error *err)
{
	char *const start = piece->buffer;
	int64_t whole = 0, got;

	do {
		piece->buffer = start + whole;
		got = worker->backend->transfer(worker->file, piece, err);
		if (got < 0)
			return -1;
		whole += got;
		piece->offset += (uint64_t)got;
	} while (got == (int64_t)piece->length && whole < SECTOR);
	piece->buffer = start;
	return whole;
}

/*
 * Looks for a stamp at the start of the first blocks. A killed job may have left a hole at any of
 * them.
 */
static int64_t find_stamp(struct worker *worker, void *start, enum maker *maker, struct error *err)
{
	enum { LOOK_AT = 8 };
	const struct geometry *geometry = &worker->plan->geometry;
	uint64_t blocks = geometry->shared ? geometry->tasks : geometry->segments;
	struct transfer piece = {.buffer = start, .count = 1};
	int64_t got = 0;

	piece.length = geometry->transfer < PAGE ? geometry->transfer : PAGE;
	for (uint64_t i = 0; i < blocks && i < LOOK_AT && *maker == MADE_OTHER; i++) {
		piece.offset = i * geometry->block;
		/* Direct I/O may not start at this offset. The first block decides then. */
		if (i && piece.offset % PAGE)
			break;
		got = read_sector(worker, &piece, err);
		if (got <= 0)
			break;
		if (content_recognise(start, (size_t)got))
			*maker = MADE_OURS;
	}
	return got;
}

/* A killed job may have left a hole at the start: then the first data tell. */
static bool starts_with_stamp(int fd, char *start, size_t room)
{
	const off_t first = lseek(fd, 0, SEEK_DATA);
	const ssize_t got = pread(fd, start, room, first > 0 ? first - first % SECTOR : 0);

	return got > 0 && content_recognise(start, (size_t)got);
}

int maker_recognise_open(int fd, enum maker *maker, struct error *err)
{
	static const enum maker makers[] = {
		[IOR_DATA_NONE] = MADE_OTHER,
		[IOR_DATA_ALIKE] = MADE_ALIKE,
		[IOR_DATA_SURE] = MADE_IORS,
	};
	enum { HEADERS = 2 << 20 };
	char *start = memory_allocate(HEADERS, 1);
	ssize_t got = 0;

	if (starts_with_stamp(fd, start, PAGE))
		*maker = MADE_OURS;
	else if ((got = pread(fd, start, HEADERS, 0)) > 0)
		*maker = content_recognise_inside(start, (size_t)got)
				 ? MADE_OURS
				 : makers[ior_data_find(fd, start, (size_t)got)];
	if (got < 0)
		error_set(err, errno, "%s", strerror(errno));
	free(start);
	return got < 0 ? -1 : 0;
}

int maker_recognise(const struct worker *worker, enum maker *maker, struct error *err)
{
	int fd = open(worker->path, O_RDONLY | O_CLOEXEC);
	int ret = fd < 0 ? error_set(err, errno, "%s", strerror(errno))
			 : maker_recognise_open(fd, maker, err);

	if (fd >= 0)
		close(fd);
	return ret ? error_add(err, "test_file: %s exists and cannot be read", worker->path) : 0;
}

/* Reads a file through the backend to find who made it. */
static int look_through(struct worker *worker, enum maker *maker, struct error *err)
{
	struct backend_open how = worker_open(worker, ACCESS_READ);
	void *start = aligned_alloc(4096, PAGE);
	struct error ignored;
	int64_t got = -1;

	how.transfer_size = PAGE;
	if (!start)
		return error_set(err, ENOMEM, "no memory to look into %s", worker->path);
	memset((void *)worker->file, 0, worker->backend->file_size);
	if (!worker->backend->open(worker->session, worker->file, &how, err))
		got = find_stamp(worker, start, maker, err);
	worker->backend->close(worker->file, &ignored);
	free(start);
	return got < 0 ? error_add(err, "test_file: %s exists and cannot be read", worker->path)
		       : 0;
}

static int look_inside(struct worker *worker, enum maker *maker, struct error *err)
{
	const struct backend *backend = worker->backend;

	*maker = MADE_OTHER;
	if (backend->files && maker_recognise(worker, maker, err))
		return -1;
	if (*maker != MADE_OTHER || !look_through(worker, maker, err))
		return 0;
	/* The library opens files of its own format only, so a failure means a foreign file. */
	*maker = MADE_OTHER;
	if (backend->own_format)
		err->kind = ERROR_NONE;
	return backend->own_format ? 0 : -1;
}

/* Also an empty file of another is not taken, as it may stand for something. */
static int ask_storage(struct worker *worker, enum maker *maker, struct error *err)
{
	bool own;

	if (worker->backend->is_own(worker->session, worker->path, &own, err))
		return error_add(err, "test_file: %s", worker->path);
	*maker = own ? MADE_OURS : MADE_OTHER;
	return 0;
}

int maker_find(struct worker *worker, enum maker *maker, uint64_t *bytes, uint64_t *allocated,
	       struct error *err)
{
	*maker = MADE_NOTHING;
	*bytes = *allocated = 0;
	if (worker->backend->size(worker->session, worker->path, bytes, allocated, err)) {
		if (err->code == ENOENT) {
			err->kind = ERROR_NONE;
			return 0;
		}
		return error_add(err, "test_file: %s", worker->path);
	}
	if (worker->backend->is_own)
		return ask_storage(worker, maker, err);
	*maker = MADE_EMPTY;
	return *bytes ? look_inside(worker, maker, err) : 0;
}
