/* Holes in a file where data was written. */
#include "engine/data/holes.h"

#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

/* The search ends after MOST holes, which prove the loss. */
enum { MOST = 4096, LOOKED_AT = 4096 };

/*
 * Some file systems report data as a hole until it is on disk (ZFS did). Only a range that reads as
 * zeros counts as a hole, and data of iorx never does.
 */
static bool is_empty(int fd, off_t from, off_t to)
{
	char bytes[LOOKED_AT];
	size_t length = to - from < LOOKED_AT ? (size_t)(to - from) : LOOKED_AT;
	ssize_t got = pread(fd, bytes, length, from);

	for (ssize_t i = 0; i < got; i++)
		if (bytes[i])
			return false;
	return true;
}

static void holes_look(int fd, uint64_t end, struct holes *holes)
{
	off_t at = 0, limit = (off_t)end;

	for (int i = 0; i < MOST && at < limit; i++) {
		off_t hole = lseek(fd, at, SEEK_HOLE);

		if (hole < 0 || hole >= limit)
			return;
		/* ENXIO: no data behind it. */
		at = lseek(fd, hole, SEEK_DATA);
		if (at < 0 || at > limit)
			at = limit;
		if (!is_empty(fd, hole, at))
			continue;
		if (holes->first == UINT64_MAX)
			holes->first = (uint64_t)hole;
		holes->bytes += (uint64_t)(at - hole);
	}
}

void holes_find(const char *path, uint64_t end, struct holes *holes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	*holes = (struct holes){.first = UINT64_MAX};
	if (fd < 0)
		return;
	holes_look(fd, end, holes);
	close(fd);
}
