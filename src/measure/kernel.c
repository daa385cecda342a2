/* Kernel statistics of this process and of the page cache of a file. */
#include "measure/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_cachestat
#define SYS_cachestat 451 /* the same on every architecture */
#endif

static uint64_t kernel_to_ns(struct timeval time)
{
	return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_usec * 1000;
}

static uint64_t field(const char *text, const char *name)
{
	const char *at = strstr(text, name);
	uint64_t value = 0;

	if (at)
		sscanf(at + strlen(name), "%" SCNu64, &value);
	return value;
}

/* Returns the bytes that this reading itself moved. */
static uint64_t read_io(struct kernel_io *io)
{
	char text[512];
	int fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC);

	*io = (struct kernel_io){0};
	if (fd < 0)
		return 0;
	ssize_t got = read(fd, text, sizeof(text) - 1);

	close(fd);
	if (got <= 0)
		return 0;
	text[got] = '\0';
	*io = (struct kernel_io){
		.tasks = 1,
		.rchar = field(text, "rchar: "),
		.wchar = field(text, "wchar: "),
		.syscr = field(text, "syscr: "),
		.syscw = field(text, "syscw: "),
		.read_bytes = field(text, "\nread_bytes: "),
		.write_bytes = field(text, "\nwrite_bytes: "),
		.cancelled_write_bytes = field(text, "cancelled_write_bytes: "),
	};
	return (uint64_t)got;
}

void kernel_usage_read(struct kernel_usage *usage)
{
	kernel_usage_read_times(usage);
	usage->own_bytes = read_io(&usage->io);
}

void kernel_usage_read_times(struct kernel_usage *usage)
{
	struct rusage own;

	getrusage(RUSAGE_SELF, &own);
	usage->user_ns = kernel_to_ns(own.ru_utime);
	usage->system_ns = kernel_to_ns(own.ru_stime);
	usage->voluntary_switches = (uint64_t)own.ru_nvcsw;
	usage->involuntary_switches = (uint64_t)own.ru_nivcsw;
}

void kernel_usage_add(struct measure *measure, const struct kernel_usage *before,
		      const struct kernel_usage *after)
{
	measure->user_ns += after->user_ns - before->user_ns;
	measure->system_ns += after->system_ns - before->system_ns;
	measure->voluntary_switches += after->voluntary_switches - before->voluntary_switches;
	measure->involuntary_switches += after->involuntary_switches - before->involuntary_switches;
	if (!before->io.tasks || !after->io.tasks)
		return;
	measure->io.tasks++;
	measure->io.rchar += after->io.rchar - before->io.rchar - before->own_bytes;
	measure->io.wchar += after->io.wchar - before->io.wchar;
	measure->io.syscr += after->io.syscr - before->io.syscr - 1;
	measure->io.syscw += after->io.syscw - before->io.syscw;
	measure->io.read_bytes += after->io.read_bytes - before->io.read_bytes;
	measure->io.write_bytes += after->io.write_bytes - before->io.write_bytes;
	measure->io.cancelled_write_bytes +=
		after->io.cancelled_write_bytes - before->io.cancelled_write_bytes;
}

/* Structs as in linux/mman.h, which older headers lack. */
struct cache_range {
	uint64_t offset, length; /* length 0: to the end */
};

struct cache_pages {
	uint64_t cached, dirty, writeback, evicted, recently_evicted;
};

bool kernel_cache_add(struct cache_state *state, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool known = fd >= 0 && kernel_cache_add_open(state, fd);

	if (fd >= 0)
		close(fd);
	return known;
}

bool kernel_cache_add_open(struct cache_state *state, int fd)
{
	struct cache_range range = {0, 0};
	struct cache_pages pages;
	struct stat status;

	if (fstat(fd, &status) || syscall(SYS_cachestat, fd, &range, &pages, 0))
		return false;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	state->files++;
	state->bytes += (uint64_t)status.st_size;
	state->resident += pages.cached * page;
	state->dirty += pages.dirty * page;
	state->writeback += pages.writeback * page;
	return true;
}

/* After so many holes the rest of the file counts as data. */
enum { HOLES_MOST = 4096, BLOCK_BYTES = 512 };

static uint64_t find_holes(int fd, off_t end)
{
	uint64_t bytes = 0;
	off_t at = 0;

	for (int i = 0; i < HOLES_MOST && at < end; i++) {
		off_t hole = lseek(fd, at, SEEK_HOLE);

		if (hole < 0 || hole >= end)
			break;
		at = lseek(fd, hole, SEEK_DATA);
		/* ENXIO: no data behind it. */
		if (at < 0 || at > end)
			at = end;
		bytes += (uint64_t)(at - hole);
	}
	return bytes;
}

void kernel_source_add(struct source_state *source, const char *path, uint64_t end)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (!fstat(fd, &status)) {
		uint64_t size = (uint64_t)status.st_size;
		uint64_t blocks = (uint64_t)status.st_blocks * BLOCK_BYTES;

		end = end < size ? end : size;
		source->files++;
		source->bytes += end;
		source->holes += blocks < size ? find_holes(fd, (off_t)end) : 0;
	}
	close(fd);
}

int kernel_cache_drop(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int code = 0;

	if (fd < 0)
		return -1;
	/* Only clean pages can be dropped. */
	if (fdatasync(fd))
		code = errno;
	else
		code = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	errno = code;
	return code ? -1 : 0;
}
