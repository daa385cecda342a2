/* Mount points below the directories that a find walks, so that the find stays out of them. */
#ifndef ENGINE_METADATA_MOUNTS_H
#define ENGINE_METADATA_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialised: no mount points. */
struct mounts {
	char **paths; /* beginning with the directory as it was given */
	size_t count;
};

/* Adds the mount points below `directory` on this node. Adds none if they are unknown. */
void mounts_below(struct mounts *mounts, const char *directory);
bool mounts_have(const struct mounts *mounts, const char *path);
void mounts_release(struct mounts *mounts);

#endif
