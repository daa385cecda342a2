/* A trial whether the kernel counts reads from a file system and shows its pages. */
#include "assess/calibrate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assess/pilot.h"
#include "assess/verdict.h"
#include "base/text.h"
#include "content/content.h"
#include "measure/kernel.h"

/* Fallback for file systems without unnamed files (O_TMPFILE). */
static int open_named(const char *directory)
{
	struct text name = {0};
	int fd;

	text_add(&name, "%s/.iorx-XXXXXX", directory);
	fd = mkostemp(name.bytes, O_CLOEXEC);
	if (fd >= 0)
		unlink(name.bytes);
	text_release(&name);
	return fd;
}

static int open_nameless(const char *test_file)
{
	char directory[4096];
	int fd;

	if (!text_directory(test_file, directory, sizeof(directory)))
		return -1;
	fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0 && errno != EACCES && errno != EROFS && errno != ENOENT)
		fd = open_named(directory);
	return fd;
}

static bool write_synced(int fd, const char *bytes, size_t length)
{
	for (size_t done = 0; done < length;) {
		ssize_t written = pwrite(fd, bytes + done, length - done, (off_t)done);

		if (written <= 0)
			return false;
		done += (size_t)written;
	}
	return !fsync(fd);
}

static bool read_whole(int fd, char *bytes, size_t length)
{
	for (size_t done = 0; done < length;) {
		ssize_t got = pread(fd, bytes + done, length - done, (off_t)done);

		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

/* Pages of the file in the cache, in bytes; 0 also where the kernel cannot tell. */
static uint64_t cached(int fd)
{
	struct cache_state state = {0};

	kernel_cache_add_open(&state, fd);
	return state.resident;
}

static struct trial try_file(int fd, char *bytes)
{
	const struct trial unknown = {READS_UNKNOWN, false, 0};
	struct kernel_usage before, after;

	content_make_random(bytes, CALIBRATION_BYTES, 0);
	if (!write_synced(fd, bytes, CALIBRATION_BYTES) ||
	    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) || cached(fd) > CALIBRATION_BYTES / 20)
		return unknown;
	kernel_usage_read(&before);
	if (!read_whole(fd, bytes, CALIBRATION_BYTES))
		return unknown;
	kernel_usage_read(&after);
	if (!before.io.tasks || !after.io.tasks)
		return unknown;
	return (struct trial){
		.reads = after.io.read_bytes - before.io.read_bytes >= CALIBRATION_BYTES / 2
				 ? READS_COUNTED
				 : READS_NOT_COUNTED,
		.pages_seen = cached(fd) >= CALIBRATION_BYTES / 2,
	};
}

static bool is_a_question(const struct test_result *test, const struct mount_facts *mount)
{
	return test->plan->backend->files && !assess_in_memory(mount->type) &&
	       mount->free_bytes >= 4 * CALIBRATION_BYTES;
}

struct trial calibrate_reads(const struct test_result *test, const struct mount_facts *mount)
{
	char path[PLAN_PATH_SIZE];

	plan_base(test->plan, 0, path);
	int fd = is_a_question(test, mount) ? open_nameless(path) : -1;
	char *bytes = fd < 0 ? NULL : malloc(CALIBRATION_BYTES);
	struct trial trial = {READS_UNKNOWN, false, 0};

	if (bytes)
		trial = try_file(fd, bytes);
	/* Counters judge better than times. */
	if (trial.reads == READS_NOT_COUNTED && mount->free_bytes >= 4 * PILOT_BYTES)
		trial.pilot_ns = pilot_read(fd, test);
	free(bytes);
	if (fd >= 0)
		close(fd);
	return trial;
}
