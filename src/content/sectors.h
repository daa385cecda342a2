/* Fast loops over whole sectors, each compiled for several processors. */
#ifndef CONTENT_SECTORS_H
#define CONTENT_SECTORS_H

#include "content/stamp.h"

/* Puts the stamps of `count` sectors, `sector` being the number of the first in the file. */
void sectors_stamp(const struct stamper *stamper, uint64_t sector, void *bytes, uint64_t count);

/*
 * Makes random bytes that differ in every sector of every file: `live` bytes of each, then zeros.
 */
void sectors_random(const struct stamper *stamper, uint64_t sector, unsigned live, void *bytes,
		    uint64_t count);

enum { COUNT_LINE = 8 }; /* words in a line of 64 bytes */

/* Makes IOR's data: lines of words that count up from `next` on, each or-ed with `task`. */
void sectors_count(uint64_t task, uint64_t next, void *bytes, uint64_t lines);

#endif
