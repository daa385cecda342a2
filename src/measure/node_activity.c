/* What all processes of a node did during a phase, by the kernel's counts for the whole node. */
#include "measure/node_activity.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "base/near.h"

enum { SECTOR_BYTES = 512 };

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static bool read_device(struct node_counters *counters, dev_t device)
{
	FILE *file = device ? fopen("/proc/diskstats", "re") : NULL;
	bool found = false;
	char line[512];

	while (file && !found && fgets(line, sizeof(line), file)) {
		unsigned major_number, minor_number;
		uint64_t read, written;

		found = sscanf(line, "%u %u %*s %*u %*u %" SCNu64 " %*u %*u %*u %" SCNu64,
			       &major_number, &minor_number, &read, &written) == 4 &&
			major_number == major(device) && minor_number == minor(device);
		counters->read_bytes = found ? read * SECTOR_BYTES : 0;
		counters->written_bytes = found ? written * SECTOR_BYTES : 0;
	}
	if (file)
		fclose(file);
	return found;
}

static uint64_t read_dirty(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	uint64_t kib, sum = 0;
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "Dirty: %" SCNu64, &kib) == 1 ||
		    sscanf(line, "Writeback: %" SCNu64, &kib) == 1)
			sum += kib * 1024;
	if (file)
		fclose(file);
	return sum;
}

static bool read_stalls(uint64_t *ns)
{
	FILE *file = fopen("/proc/pressure/cpu", "re");
	uint64_t us = 0;
	const bool known =
		file &&
		fscanf(file, "some avg10=%*s avg60=%*s avg300=%*s total=%" SCNu64, &us) == 1;

	*ns = us * 1000;
	if (file)
		fclose(file);
	return known;
}

void node_counters_read(struct node_counters *counters, dev_t device)
{
	*counters = (struct node_counters){.at_ns = now_ns()};
	counters->has_device = read_device(counters, device);
	if (counters->has_device)
		counters->dirty_bytes = read_dirty();
	counters->has_stalls = read_stalls(&counters->cpu_stall_ns);
}

void node_activity_add(struct node_activity *activity, const struct node_counters *before,
		       const struct node_counters *after)
{
	activity->watched_ns += after->at_ns - before->at_ns;
	if (before->has_device && after->has_device) {
		activity->devices++;
		activity->read_bytes += after->read_bytes - before->read_bytes;
		activity->written_bytes += after->written_bytes - before->written_bytes;
		activity->dirty_bytes += before->dirty_bytes;
	}
	if (before->has_stalls && after->has_stalls) {
		activity->stall_nodes++;
		activity->cpu_stall_ns += after->cpu_stall_ns - before->cpu_stall_ns;
	}
}

dev_t node_device(const char *file)
{
	char near[NEAR_SIZE];
	struct stat status;

	if (near_path(file, near, &status))
		return 0;
	const dev_t device = S_ISBLK(status.st_mode) ? status.st_rdev : status.st_dev;

	/* File systems without a device of their own have major number 0. */
	return major(device) ? device : 0;
}

uint64_t node_own_wait(void)
{
	DIR *threads = opendir("/proc/self/task");
	uint64_t sum = 0, wait;

	for (const struct dirent *entry; threads && (entry = readdir(threads));) {
		char path[300];

		snprintf(path, sizeof(path), "/proc/self/task/%s/schedstat", entry->d_name);
		FILE *file = *entry->d_name == '.' ? NULL : fopen(path, "re");

		if (file && fscanf(file, "%*u %" SCNu64, &wait) == 1)
			sum += wait;
		if (file)
			fclose(file);
	}
	if (threads)
		closedir(threads);
	return sum;
}
