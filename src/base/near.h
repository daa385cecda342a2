/* Of a path that is not there yet, what it will lie in. */
#ifndef BASE_NEAR_H
#define BASE_NEAR_H

#include <sys/stat.h>

#define NEAR_SIZE 4096

/*
 * The path, or the next one above it that is there, and its status; near has room for NEAR_SIZE. -1 with errno when
 * nobody can say, near is then where.
 */
int near_path(const char *path, char *near, struct stat *status);

#endif
