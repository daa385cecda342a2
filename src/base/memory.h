/* Memory for the small things; transfer buffers are the engine's and report failure themselves. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* Zeroed, or grown; on failure one line to stderr and exit code 1: nothing sensible is left. */
void *memory_allocate(size_t count, size_t size) __attribute__((returns_nonnull));
void *memory_grow(void *memory, size_t size) __attribute__((returns_nonnull));

#endif
