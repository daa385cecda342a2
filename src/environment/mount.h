/* The mount under a file's directory. */
#ifndef ENVIRONMENT_MOUNT_H
#define ENVIRONMENT_MOUNT_H

#include <stdint.h>
#include <sys/types.h>

struct mount_facts {
	char path[512];	    /* directory that was looked up */
	char type[64];	    /* "ext4"; "" unknown */
	char source[256];   /* device or export */
	char target[512];   /* mount point */
	char options[1024]; /* options of the mount and of the file system */
	uint64_t size_bytes, free_bytes;
	dev_t device; /* of the file system, or the block device itself; 0: unknown */
};

/* Reads /proc/self/mountinfo and statvfs. A directory that does not exist leaves path empty. */
void mount_read(struct mount_facts *mount, const char *file);
/* mount_read() for the nearest directory above the file that exists. */
void mount_read_nearest(struct mount_facts *mount, const char *file);

#endif
