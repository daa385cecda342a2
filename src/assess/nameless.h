/* Files of iorx that nobody sees: without a name, or unlinked at once. */
#ifndef ASSESS_NAMELESS_H
#define ASSESS_NAMELESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Opens such a file for reading and writing in the folder of a test file; -1: none can be made.
 * *left: set if the file has a name that could not be removed.
 */
int nameless_open(const char *test_file, struct error *left);
/* Pages of an open file in the cache, in bytes; 0 also where the kernel cannot tell. */
uint64_t nameless_cached(int fd);
/* Drops the pages of an open file of `size` bytes; false if the kernel says that they stay. */
bool nameless_drop(int fd, uint64_t size);

#endif
