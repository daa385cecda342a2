/* The mount under a file's directory. */
#include "environment/mount.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include "base/text.h"

/* Decodes octal escapes such as \040 in place. */
static void unescape(char *text)
{
	char *to = text;

	for (char *from = text; *from; to++) {
		if (from[0] == '\\' && from[1] && from[2] && from[3]) {
			*to = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

static bool lies_under(const char *path, const char *mount_point)
{
	size_t length = strlen(mount_point);

	if (length == 1)
		return true;
	return !strncmp(path, mount_point, length) && (path[length] == '/' || !path[length]);
}

/*
 * Parses one line of mountinfo: id parent major:minor root target options … - type source
 * super-options.
 */
static void take_mount_line(struct mount_facts *mount, char *line, const char *path)
{
	char target[sizeof(mount->target)], options[512], super[512] = "";
	char type[sizeof(mount->type)], source[sizeof(mount->source)];
	char *dash = strstr(line, " - ");
	unsigned major, minor;

	if (!dash ||
	    sscanf(line, "%*s %*s %u:%u %*s %511s %511s", &major, &minor, target, options) != 4 ||
	    sscanf(dash, " - %63s %255s %511s", type, source, super) < 2)
		return;
	unescape(target);
	/* Later mounts hide earlier ones; longer targets lie deeper. */
	if (!lies_under(path, target) || strlen(target) < strlen(mount->target))
		return;
	snprintf(mount->target, sizeof(mount->target), "%s", target);
	snprintf(mount->type, sizeof(mount->type), "%s", type);
	snprintf(mount->source, sizeof(mount->source), "%s", source);
	snprintf(mount->options, sizeof(mount->options), "%s,%s", options, super);
	mount->device = makedev(major, minor);
}

/* A device lies in no file system, but its name does. */
static bool describe_device(struct mount_facts *mount, const char *file)
{
	struct stat status;

	if (stat(file, &status) || !S_ISBLK(status.st_mode))
		return false;
	mount->device = status.st_rdev;
	snprintf(mount->type, sizeof(mount->type), "block device");
	snprintf(mount->target, sizeof(mount->target), "%s", file);
	return true;
}

void mount_read(struct mount_facts *mount, const char *file)
{
	char directory[4096], real[4096];
	struct statvfs fs;
	char *line = NULL;
	size_t size = 0;

	*mount = (struct mount_facts){0};
	if (!text_directory(file, directory, sizeof(directory)) || !realpath(directory, real))
		return;
	snprintf(mount->path, sizeof(mount->path), "%.511s", real);
	if (describe_device(mount, file))
		return;
	FILE *mounts = fopen("/proc/self/mountinfo", "re");

	if (!mounts)
		return;
	while (getline(&line, &size, mounts) > 0)
		take_mount_line(mount, line, real);
	free(line);
	fclose(mounts);
	if (statvfs(real, &fs))
		return;
	mount->size_bytes = (uint64_t)fs.f_blocks * fs.f_frsize;
	mount->free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
}

void mount_read_nearest(struct mount_facts *mount, const char *file)
{
	char path[4096], above[4096];

	snprintf(path, sizeof(path), "%s", file);
	mount_read(mount, path);
	while (!*mount->path && text_directory(path, above, sizeof(above)) && strcmp(above, path)) {
		memcpy(path, above, sizeof(path));
		mount_read(mount, path);
	}
}
