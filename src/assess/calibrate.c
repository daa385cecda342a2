/* A trial whether the kernel counts reads from a file system and shows its pages. */
#include "assess/calibrate.h"

#include <stdlib.h>
#include <unistd.h>

#include "assess/nameless.h"
#include "assess/pilot.h"
#include "assess/verdict.h"
#include "base/named_file.h"
#include "content/content.h"
#include "measure/kernel.h"

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

static struct trial try_file(int fd, char *bytes)
{
	const struct trial unknown = {.reads = READS_UNKNOWN};
	struct kernel_usage before, after;

	content_make_random(bytes, CALIBRATION_BYTES, 0);
	if (!write_synced(fd, bytes, CALIBRATION_BYTES) || !nameless_drop(fd, CALIBRATION_BYTES))
		return unknown;
	kernel_usage_read(&before);
	if (named_file_read(fd, 0, bytes, CALIBRATION_BYTES) != CALIBRATION_BYTES)
		return unknown;
	kernel_usage_read(&after);
	if (!before.io.tasks || !after.io.tasks)
		return unknown;
	return (struct trial){
		.reads = after.io.read_bytes - before.io.read_bytes >= CALIBRATION_BYTES / 2
				 ? READS_COUNTED
				 : READS_NOT_COUNTED,
		.pages_seen = nameless_cached(fd) >= CALIBRATION_BYTES / 2,
	};
}

static bool is_a_question(const struct test_result *test, const struct mount_facts *mount)
{
	return test->plan->backend->files && !assess_in_memory(mount->type) &&
	       mount->free_bytes >= 4 * CALIBRATION_BYTES;
}

struct trial calibrate_reads(const struct test_result *test, const struct mount_facts *mount,
			     struct error *left)
{
	char path[PLAN_PATH_SIZE];

	plan_base(test->plan, 0, path);
	int fd = is_a_question(test, mount) ? nameless_open(path, left) : -1;
	char *bytes = fd < 0 ? NULL : malloc(CALIBRATION_BYTES);
	struct trial trial = {.reads = READS_UNKNOWN};

	if (bytes)
		trial = try_file(fd, bytes);
	if (trial.reads != READS_UNKNOWN)
		floor_read(fd, CALIBRATION_BYTES, test, &trial);
	/* Counters judge better than times. */
	if (trial.reads == READS_NOT_COUNTED && mount->free_bytes >= 4 * PILOT_BYTES)
		trial.pilot_ns = pilot_read(fd, test);
	free(bytes);
	if (fd >= 0)
		close(fd);
	return trial;
}
