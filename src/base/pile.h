/*
 * A pile of pieces of work, each some bytes. Its owner takes the newest piece. Other tasks get the
 * oldest pieces, as these are likely to be the largest. Memory is at most four times the content.
 */
#ifndef BASE_PILE_H
#define BASE_PILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* All zeros is an empty pile. */
struct pile {
	char *bytes;
	size_t from, to, room; /* pieces lie in from … to, with their length on both sides */
	uint64_t count;
};

void pile_release(struct pile *pile);
void pile_clear(struct pile *pile); /* empty, memory kept */

/* Adds a piece of `length` bytes, which the caller fills before the next call. */
char *pile_add(struct pile *pile, size_t length);
/*
 * Takes the newest piece off the pile; NULL if it is empty. The bytes are valid until the next
 * call.
 */
const char *pile_take(struct pile *pile, size_t *length);

/* Moves the `count` oldest pieces into a block: at least one, else no more than most_bytes. */
void pile_give(struct pile *pile, uint64_t count, size_t most_bytes, struct text *block);
/* Adds the pieces of a block and returns their number. */
uint64_t pile_put(struct pile *pile, const char *block, size_t length);

#endif
