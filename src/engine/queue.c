/* The slots of the transfers in flight. */
#include "engine/queue.h"

#include <stdlib.h>

#include "base/memory.h"

struct queue *queue_create(const struct plan *plan)
{
	struct queue *queue;

	if (plan->buffers == 1)
		return NULL;
	queue = memory_allocate(1, sizeof(*queue));
	queue->depth = (unsigned)plan->queue_depth;
	queue->least = (unsigned)plan->test->queue_batch;
	queue->slots = memory_allocate(queue->depth, sizeof(*queue->slots));
	queue->free_slots = memory_allocate(queue->depth, sizeof(*queue->free_slots));
	return queue;
}

void queue_release(struct queue *queue)
{
	if (!queue)
		return;
	free(queue->slots);
	free(queue->free_slots);
	free(queue);
}

void queue_empty(struct queue *queue, const struct transfer *transfer)
{
	for (unsigned i = 0; i < QUEUE_BATCH; i++)
		queue->batch[i] = *transfer;
	queue->free_count = queue->depth;
	for (unsigned i = 0; i < queue->depth; i++)
		queue->free_slots[i] = queue->depth - 1 - i;
}
