/* Whether what a metadata test makes fits into the file systems of its directories: pure arithmetic. */
#ifndef PLAN_NAMES_SPACE_H
#define PLAN_NAMES_SPACE_H

#include "plan/plan.h"

/* One file system: what is free, and what the test has there at the same time at most. */
struct names_space {
	uint64_t entries;    /* inodes that are made */
	uint64_t files;      /* of these, that bytes are written to */
	uint64_t free_files; /* UINT64_MAX where the file system does not count */
	uint64_t free_bytes;
	uint64_t block;      /* bytes it gives out together */
	char path[256];      /* the directory that was asked */
};

/* Adds what lies below directory `number` of a test that creates. */
void plan_add_names(const struct plan *plan, uint32_t number, struct names_space *space);

/* Too few inodes or too little space is ERROR_INPUT that names both numbers. */
int plan_check_names_space(const struct plan *plan, const struct names_space *space, struct error *err);

#endif
