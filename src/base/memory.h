/* Memory for small objects. The engine allocates transfer buffers itself and reports a failure. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/*
 * Allocates zeroed memory, or grows memory. On failure both print one line to stderr and exit with
 * code 1.
 */
void *memory_allocate(size_t count, size_t size) __attribute__((returns_nonnull));
void *memory_grow(void *memory, size_t size) __attribute__((returns_nonnull));

#endif
