/* Holes in a file where data was written: data that was lost. */
#ifndef ENGINE_DATA_HOLES_H
#define ENGINE_DATA_HOLES_H

#include <stdint.h>

struct holes {
	uint64_t first; /* offset, bytes; UINT64_MAX: none */
	uint64_t bytes; /* total size of the holes */
};

/*
 * Finds holes below `end` of the file. Exact on tmpfs, ext4, xfs and btrfs. Finds none if the file
 * system does not report holes or the file cannot be opened.
 */
void holes_find(const char *path, uint64_t end, struct holes *holes);

#endif
