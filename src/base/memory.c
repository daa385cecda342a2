/* Memory for small objects. */
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static _Noreturn void out_of_memory(size_t size)
{
	dprintf(STDERR_FILENO, "iorx: error: out of memory (%zu bytes wanted)\n", size);
	_exit(1);
}

void *memory_allocate(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size ? size : 1);

	if (!memory)
		out_of_memory(count * size);
	return memory;
}

void *memory_grow(void *memory, size_t size)
{
	void *grown = realloc(memory, size ? size : 1);

	if (!grown)
		out_of_memory(size);
	return grown;
}
