/*
 * Results of comparing data, by one task or, merged, by many: exact counts and the first damaged
 * ranges. Plain memory; merging is associative and commutative.
 */
#ifndef MEASURE_VERIFICATION_H
#define MEASURE_VERIFICATION_H

#include <stdint.h>

#include "content/content.h"

enum { DAMAGE_KINDS = DAMAGE_RANDOM + 1, DAMAGE_LISTED = 100 };

/* One damaged range of a file. */
struct damage {
	uint32_t file; /* number in the test */
	uint32_t task; /* task that found it */
	struct content_damage what;
};

struct verification {
	uint64_t wrong_transfers, wrong_bytes;
	uint64_t ranges;	      /* damaged ranges, as the tasks joined them */
	uint64_t kinds[DAMAGE_KINDS]; /* ranges by kind */
	uint64_t missing_bytes;	      /* wrong bytes behind the end of the file */
	uint32_t listed;
	struct damage list[DAMAGE_LISTED]; /* the first by file and offset, ascending */
};

const char *damage_kind_name(enum damage_kind kind); /* "bits", "zeros", … */

/* Counts a range and lists it if it is among the first. */
void verification_add(struct verification *verification, const struct damage *damage);
void verification_merge(struct verification *into, const struct verification *from);

/* Merges `next` into the range before it if they are one damage. Returns whether it did. */
bool damage_join(struct damage *into, const struct damage *next);

#endif
