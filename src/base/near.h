/* The nearest existing directory above a path that may not exist yet. */
#ifndef BASE_NEAR_H
#define BASE_NEAR_H

#include <sys/stat.h>

#define NEAR_SIZE 4096

/*
 * Copies the path, or its nearest ancestor that exists, to near (NEAR_SIZE bytes) and fills in its
 * status. Returns -1 with errno if that fails; near then names the path that could not be read.
 */
int near_path(const char *path, char *near, struct stat *status);

#endif
