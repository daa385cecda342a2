/* The slots of the transfers in flight, made once for a test. */
#ifndef ENGINE_QUEUE_H
#define ENGINE_QUEUE_H

#include "backends/backend.h"
#include "plan/plan.h"

enum { QUEUE_BATCH = 256 }; /* transfers in one submit or reap call, at most */

struct queue_slot {
	uint64_t issued_ns;
	uint64_t offset;
};

struct queue {
	unsigned depth;
	unsigned least; /* completions to wait for */
	unsigned free_count;
	struct queue_slot *slots; /* one for each buffer: its number is the cookie */
	uint32_t *free_slots;
	struct transfer batch[QUEUE_BATCH];
	struct completion completions[QUEUE_BATCH];
};

/* NULL where one transfer is made at a time. */
struct queue *queue_create(const struct plan *plan);
void queue_release(struct queue *queue);
/* All slots are free, and all transfers of the batch are like this one. */
void queue_empty(struct queue *queue, const struct transfer *transfer);

#endif
