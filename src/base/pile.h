/*
 * A pile of pieces of work, each some bytes. Its owner takes the newest; others are given the oldest, as
 * those are likely to be the largest. Takes the memory of what it holds, at most four times as much.
 */
#ifndef BASE_PILE_H
#define BASE_PILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* All zeros is an empty pile. */
struct pile {
	char *bytes;
	size_t from, to, room; /* pieces lie in from … to, each between two copies of its length */
	uint64_t count;
};

void pile_release(struct pile *pile);
void pile_clear(struct pile *pile); /* empty, memory kept */

/* Room for a piece of so many bytes, to be filled at once; lost with the next call. */
char *pile_add(struct pile *pile, size_t length);
/* The newest, and no longer in the pile; NULL: there is none. Lost with the next call. */
const char *pile_take(struct pile *pile, size_t *length);

/* Moves the `count` oldest, or as many as fit into so many bytes but at least one, into a block. */
void pile_give(struct pile *pile, uint64_t count, size_t most_bytes, struct text *block);
/* Adds the pieces of a block; how many these are. */
uint64_t pile_put(struct pile *pile, const char *block, size_t length);

#endif
