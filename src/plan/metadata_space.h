/*
 * Checks that the entries and bytes of a metadata test fit into its file systems. Pure arithmetic.
 */
#ifndef PLAN_METADATA_SPACE_H
#define PLAN_METADATA_SPACE_H

#include "plan/plan.h"

/* One file system: its free space, and the most that the test holds there at any time. */
struct metadata_space {
	uint64_t entries;    /* inodes that the test needs */
	uint64_t files;	     /* entries that are files with data */
	uint64_t free_files; /* UINT64_MAX where the file system does not count */
	uint64_t free_bytes;
	uint64_t block; /* the file system's allocation unit, bytes */
	char path[256]; /* the directory that was asked */
};

/* Adds the entries below directory `number` of a test that creates. */
void metadata_space_add(const struct plan *plan, uint32_t number, struct metadata_space *space);

/* Too few inodes or too little space is ERROR_INPUT that names both numbers. */
int metadata_space_check(const struct plan *plan, const struct metadata_space *space,
			 struct error *err);

#endif
