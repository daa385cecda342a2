/*
 * Packs plain memory for a message: 64-bit words as base-128 numbers, runs of zeros as one number.
 * Mostly zeros, or small counts, shrink to a few per cent. Other data grow to at most 10/8.
 */
#ifndef BASE_PACK_H
#define BASE_PACK_H

#include <stdbool.h>

#include "base/text.h"

/* Packs `size` bytes and adds them to `packed`; bytes are aligned, and size is a multiple of 8. */
void pack_words(struct text *packed, const void *bytes, size_t size);

/* Unpacks `size` bytes; false if the packed data do not hold exactly so many. */
bool unpack_words(void *bytes, size_t size, const void *packed, size_t length);

#endif
