/* The storage below a path: its mount, and the queue of its device. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "environment/gather.h"
#include "environment/lines.h"
#include "environment/mount.h"

/* Each node has an address of its own, which says nothing of how it is mounted. */
static void drop_own_address(char *options)
{
	static const char own[] = "clientaddr=";
	char *at = strstr(options, own);

	if (at)
		memmove(at, at + strcspn(at, ","), strlen(at + strcspn(at, ",")) + 1);
}

/* btrfs and others number their mounts; the device has its name in the source. */
static dev_t block_device(const struct mount_facts *mount)
{
	struct stat status;

	if (major(mount->device))
		return mount->device;
	return !stat(mount->source, &status) && S_ISBLK(status.st_mode) ? status.st_rdev : 0;
}

static void add_queue(struct text *lines, size_t number, dev_t device)
{
	static const char *const names[] = {
		"rotational",	 "scheduler",	   "nr_requests",  "write_cache",
		"read_ahead_kb", "max_sectors_kb", "wbt_lat_usec",
	};
	char folder[64], path[128], key[64];

	snprintf(folder, sizeof(folder), "/sys/dev/block/%u:%u", major(device), minor(device));
	snprintf(path, sizeof(path), "%s/partition", folder);
	/* A partition uses the queue of its disk. */
	strcat(folder, access(path, F_OK) ? "/queue" : "/../queue");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		snprintf(key, sizeof(key), "target%zu.queue.%s", number, names[i]);
		lines_add_choice(lines, key, path);
	}
}

static void add_mount(struct text *lines, size_t number, const struct mount_facts *mount)
{
	const struct {
		const char *name, *value;
	} facts[] = {{"file_system", mount->type},
		     {"mount_point", mount->target},
		     {"source", mount->source},
		     {"options", mount->options}};
	char key[64];

	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++) {
		snprintf(key, sizeof(key), "target%zu.%s", number, facts[i].name);
		lines_add(lines, key, facts[i].value);
	}
}

void gather_target(struct text *lines, size_t number, const char *path)
{
	struct mount_facts mount;
	char key[64], file[128];

	mount_read_nearest(&mount, path);
	if (!*mount.type)
		return;
	drop_own_address(mount.options);
	add_mount(lines, number, &mount);
	if (block_device(&mount)) {
		add_queue(lines, number, block_device(&mount));
		return;
	}
	snprintf(key, sizeof(key), "target%zu.read_ahead_kb", number);
	snprintf(file, sizeof(file), "/sys/class/bdi/%u:%u/read_ahead_kb", major(mount.device),
		 minor(mount.device));
	lines_add_file(lines, key, file);
}
