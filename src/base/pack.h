/*
 * Plain memory made short for a message: 64-bit words as base-128 numbers, runs of zeros as one. What is
 * mostly zeros, or small counts, takes a few per cent of its room; anything else at most 10/8.
 */
#ifndef BASE_PACK_H
#define BASE_PACK_H

#include <stdbool.h>

#include "base/text.h"

/* Adds `size` bytes, a multiple of 8, aligned as a word is. */
void pack_words(struct text *packed, const void *bytes, size_t size);

/* The same bytes again; false when these are not `size` bytes packed. */
bool unpack_words(void *bytes, size_t size, const void *packed, size_t length);

#endif
