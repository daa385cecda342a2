/* Files without a name (O_TMPFILE), with which a target's limit is measured. */
#include "assess/nameless.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "measure/kernel.h"

/* Fallback for file systems without unnamed files (O_TMPFILE). */
static int open_named(const char *directory, struct error *left)
{
	struct text name = {0};
	int fd;

	text_add(&name, "%s/.iorx-XXXXXX", directory);
	fd = mkostemp(name.bytes, O_CLOEXEC);
	if (fd >= 0 && unlink(name.bytes))
		error_set(left, errno,
			  "%s: unlink: %s; iorx made this file to measure with and could not "
			  "remove it; remove it yourself",
			  name.bytes, strerror(errno));
	text_release(&name);
	return fd;
}

int nameless_open(const char *test_file, struct error *left)
{
	char directory[4096];
	int fd;

	if (!text_directory(test_file, directory, sizeof(directory)))
		return -1;
	fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0 && errno != EACCES && errno != EROFS && errno != ENOENT)
		fd = open_named(directory, left);
	return fd;
}

uint64_t nameless_cached(int fd)
{
	struct cache_state state = {0};

	kernel_cache_add_open(&state, fd);
	return state.resident;
}

bool nameless_drop(int fd, uint64_t size)
{
	return !posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) && nameless_cached(fd) <= size / 20;
}
