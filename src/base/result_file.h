/* Files for results: an existing file is replaced only if iorx made it. */
#ifndef BASE_RESULT_FILE_H
#define BASE_RESULT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct result_file {
	const char *key; /* option that names the file, for messages */
	const char *path;
	bool (*is_ours)(int fd); /* true if iorx, or IOR, wrote this file, which has bytes */
	bool takes_any;		 /* --allow-overwrite: a file of any origin is replaced */
	bool keeps_older; /* an existing file is not emptied but gets a number behind its name */
	bool opens_late;  /* after other files were made: a pipe is refused before */
};

/* Reads the beginning of the file's first line, for is_ours. Returns line. */
char *result_file_line(int fd, char *line, size_t size);

/* ERROR_INPUT if a file exists that must not be replaced. Creates and changes nothing. */
int result_file_check(const struct result_file *file, struct error *err);

/*
 * Makes the file with this mode, or empties it; returns the descriptor. Never waits: a pipe needs a
 * reader. -1 and ERROR_INPUT, with
 * the errno if there is one, if result_file_check() refuses the file or if it cannot be opened.
 */
int result_file_open(const struct result_file *file, unsigned mode, struct error *err);

#endif
