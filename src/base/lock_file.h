/*
 * Lock files: NAME.iorx-lock says which jobs of iorx use NAME. Each job has a line in the file, and
 * a lock of its open file description (F_OFD_SETLK) on it where the file system has locks. The
 * kernel drops the lock of a job that dies, so a lock file whose lock is free was left by such a
 * job. Where there are no locks, host, pid and start of the process say whether the job lives.
 * Nothing is locked but the lock file.
 */
#ifndef BASE_LOCK_FILE_H
#define BASE_LOCK_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/lock_record.h"

#define LOCK_FILE_END ".iorx-lock"

/*
 * Reads the first job of a lock file that has not left it; a job that was killed is still there.
 * Returns false where there is no lock file of iorx or it has no such job. Changes nothing.
 */
bool lock_file_read(const char *path, struct lock_record *record);

/* True for the name, or path, of a lock file. */
bool lock_file_has_name(const char *name);

/* The lock files of this process. */
struct lock_files {
	struct lock_file *locks;
	size_t count;
	size_t no_room; /* locks beyond the most that are taken, as each keeps a descriptor */
	bool keeps; /* lock files that tell of a dead job that laid files out stay when released */
};

struct lock_wish {
	const struct lock_record *own;
	bool alone; /* excludes all other jobs; else excludes those that are alone */
	bool makes; /* makes the lock file if it is missing; else changes none that is there */
	bool looks; /* only looks whether the lock could be taken: makes and changes nothing */
	bool keeps; /* leaves the line of a dead job in the file */
	uint64_t file_bytes; /* as in struct lock_record */
	/* Whether a lock on this file of one host is seen by all others; NULL: yes. */
	bool (*reaches_hosts)(const char *path);
};

enum lock_outcome {
	LOCK_TAKEN,	 /* or held by this process already; a dead holder may be in *other */
	LOCK_WITHOUT,	 /* it cannot be made, or is not wanted: go on without */
	LOCK_UNREADABLE, /* this user may not read the lock file: nothing says who uses the name */
	LOCK_FOREIGN,	 /* a file of this name is no lock file of iorx; it is not touched */
	LOCK_HELD,	 /* by *other */
	LOCK_MAY_BE_HELD /* by *other, of which nothing says whether it lives */
};

/*
 * Takes the lock of the lock file at path, for a short while again and again while others come and
 * go. other->pid is 0 if there is no other job or its line cannot be read.
 */
enum lock_outcome lock_files_take(struct lock_files *files, const char *path,
				  const struct lock_wish *wish, struct lock_record *other);

/* Gives all locks back and removes the lock files that no other job uses. */
void lock_files_release(struct lock_files *files);

#endif
