/* Where something is mounted below the directories a find walks, so that it stays out of there. */
#ifndef ENGINE_METADATA_MOUNTS_H
#define ENGINE_METADATA_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>

/* All zeros is none. */
struct mounts {
	char **paths; /* beginning with the directory as it was given */
	size_t count;
};

/* Adds those below `directory`, as this node has them now; where that cannot be known, none. */
void mounts_below(struct mounts *mounts, const char *directory);
bool mounts_have(const struct mounts *mounts, const char *path);
void mounts_release(struct mounts *mounts);

#endif
