/* Files that options name: what stands under a name is known before anything waits for it. */
#ifndef BASE_NAMED_FILE_H
#define BASE_NAMED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"

/*
 * Opens a regular file for reading and never waits. Returns the descriptor, or -1 with ERROR_INPUT,
 * the errno if there is one, and a text that does not name the file, such as "it is a pipe".
 *
 * spares_private: refuse a file that is private, as a job file names it.
 */
int named_file_open(const char *path, bool spares_private, struct error *err);

/*
 * Reads `length` bytes of an open file from offset `at` on, in several calls if need be. Returns
 * how many it got, which are fewer where the file ends before; -1 and errno on failure.
 */
ssize_t named_file_read(int fd, uint64_t at, void *bytes, size_t length);

/* True if the file's own mode does not let others read it. */
static inline bool named_file_is_private(const struct stat *status)
{
	return !(status->st_mode & S_IROTH);
}

/* True if both are of one file, whatever its names are. */
static inline bool named_file_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* "a directory", "a pipe", "a symbolic link"; for a regular file "a file". */
const char *named_file_kind(mode_t mode);

/*
 * ERROR_INPUT if there is no file of this name, and a new one would lie below /dev, /proc or /sys.
 * /dev/shm holds files as any other directory does. key: option that names the file.
 */
int named_file_check_folder(const char *key, const char *path, struct error *err);

/* ERROR_INPUT if no file is named behind the last slash: "", "a/", "a/." and "..". */
int named_file_check_name(const char *key, const char *path, struct error *err);

/*
 * Renames the file to its name with the first free number behind it, which goes to *older: NAME.1.
 * Returns 0, or -1 with *err, also for a directory.
 */
int named_file_move_aside(const char *path, struct text *older, struct error *err);

#endif
