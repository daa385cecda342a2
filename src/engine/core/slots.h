/* Slots for requests in flight, up to queue_depth. A slot's number is the cookie of its request. */
#ifndef ENGINE_CORE_SLOTS_H
#define ENGINE_CORE_SLOTS_H

#include <stdint.h>

enum { QUEUE_BATCH = 256 }; /* requests in one submit or reap call, at most */

struct slots {
	unsigned depth;
	unsigned free_count;
	uint32_t *free; /* stack of free slot numbers */
};

void slots_init(struct slots *slots, unsigned depth);
void slots_release(struct slots *slots);
/* Marks all slots free. */
void slots_empty(struct slots *slots);

/* The slot that slots_take() would take. */
static inline uint32_t slots_next(const struct slots *slots)
{
	return slots->free[slots->free_count - 1];
}

static inline uint32_t slots_take(struct slots *slots)
{
	return slots->free[--slots->free_count];
}

static inline void slots_give(struct slots *slots, uint64_t slot)
{
	slots->free[slots->free_count++] = (uint32_t)slot;
}

#endif
