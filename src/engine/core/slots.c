/* Slots for requests in flight. */
#include "engine/core/slots.h"

#include <stdlib.h>

#include "base/memory.h"

void slots_init(struct slots *slots, unsigned depth)
{
	slots->depth = depth;
	slots->free = memory_allocate(depth, sizeof(*slots->free));
	slots_empty(slots);
}

void slots_release(struct slots *slots)
{
	free(slots->free);
}

void slots_empty(struct slots *slots)
{
	slots->free_count = slots->depth;
	for (unsigned i = 0; i < slots->depth; i++)
		slots->free[i] = slots->depth - 1 - i;
}
