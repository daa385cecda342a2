/*
 * Counts the calls of the C library on files whose names contain $COUNTED, for LD_PRELOAD. Each
 * process that made one appends the line "CALL NUMBER" for each call to the file $COUNTS when it
 * ends.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload.h"

enum { OPEN, CREATE, CLOSE, PREAD, PWRITE, FSYNC, STAT, UNLINK, RENAME, MKDIR, RMDIR, CALLS };
static const char *const call_names[CALLS] = {"open",	"create", "close", "pread",
					      "pwrite", "fsync",  "stat",  "unlink",
					      "rename", "mkdir",  "rmdir"};
enum { DESCRIPTORS = 1 << 16 };
static _Atomic unsigned counts[CALLS];
static bool counted[DESCRIPTORS];

static void count_name(int call, const char *name)
{
	const char *part = getenv("COUNTED");

	if (part && strstr(name, part))
		counts[call]++;
}

static void count_descriptor(int call, int fd)
{
	if (fd >= 0 && fd < DESCRIPTORS && counted[fd])
		counts[call]++;
}

static int note(int fd, const char *name, int flags)
{
	const char *part = getenv("COUNTED");

	count_name(flags & O_CREAT ? CREATE : OPEN, name);
	if (fd >= 0 && fd < DESCRIPTORS)
		counted[fd] = part && strstr(name, part);
	return fd;
}

static mode_t mode_of(int flags, va_list more)
{
	return flags & O_CREAT ? va_arg(more, mode_t) : 0;
}

int open(const char *name, int flags, ...)
{
	va_list more;

	va_start(more, flags);
	mode_t mode = mode_of(flags, more);
	va_end(more);
	return note(NEXT(open)(name, flags, mode), name, flags);
}
TWIN(open);

int openat(int at, const char *name, int flags, ...)
{
	va_list more;

	va_start(more, flags);
	mode_t mode = mode_of(flags, more);
	va_end(more);
	return note(NEXT(openat)(at, name, flags, mode), name, flags);
}
TWIN(openat);

int close(int fd)
{
	count_descriptor(CLOSE, fd);
	if (fd >= 0 && fd < DESCRIPTORS)
		counted[fd] = false;
	return NEXT(close)(fd);
}

ssize_t pread(int fd, void *to, size_t size, off_t at)
{
	count_descriptor(PREAD, fd);
	return NEXT(pread)(fd, to, size, at);
}
TWIN(pread);

ssize_t pwrite(int fd, const void *from, size_t size, off_t at)
{
	count_descriptor(PWRITE, fd);
	return NEXT(pwrite)(fd, from, size, at);
}
TWIN(pwrite);

int fsync(int fd)
{
	count_descriptor(FSYNC, fd);
	return NEXT(fsync)(fd);
}

int stat(const char *name, struct stat *status)
{
	count_name(STAT, name);
	return NEXT(stat)(name, status);
}
TWIN(stat);

int lstat(const char *name, struct stat *status)
{
	count_name(STAT, name);
	return NEXT(lstat)(name, status);
}
TWIN(lstat);

int fstatat(int at, const char *name, struct stat *status, int flags)
{
	count_name(STAT, name);
	return NEXT(fstatat)(at, name, status, flags);
}
TWIN(fstatat);

int unlink(const char *name)
{
	count_name(UNLINK, name);
	return NEXT(unlink)(name);
}

int rmdir(const char *name)
{
	count_name(RMDIR, name);
	return NEXT(rmdir)(name);
}

int unlinkat(int at, const char *name, int flags)
{
	count_name(flags & AT_REMOVEDIR ? RMDIR : UNLINK, name);
	return NEXT(unlinkat)(at, name, flags);
}

int rename(const char *from, const char *to)
{
	count_name(RENAME, from);
	return NEXT(rename)(from, to);
}

int renameat(int from_at, const char *from, int to_at, const char *to)
{
	count_name(RENAME, from);
	return NEXT(renameat)(from_at, from, to_at, to);
}

int mkdir(const char *name, mode_t mode)
{
	count_name(MKDIR, name);
	return NEXT(mkdir)(name, mode);
}

int mkdirat(int at, const char *name, mode_t mode)
{
	count_name(MKDIR, name);
	return NEXT(mkdirat)(at, name, mode);
}

__attribute__((destructor)) static void print_counts(void)
{
	const char *name = getenv("COUNTS");
	FILE *file = name ? fopen(name, "a") : NULL;

	for (int i = 0; file && i < CALLS; i++)
		if (counts[i])
			fprintf(file, "%s %u\n", call_names[i], counts[i]);
	if (file)
		fclose(file);
}
