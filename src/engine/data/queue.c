/* The slots of the transfers in flight. */
#include "engine/data/queue.h"

#include <stdlib.h>

#include "base/memory.h"

struct queue *queue_create(const struct plan *plan)
{
	struct queue *queue;

	if (plan->buffers == 1)
		return NULL;
	queue = memory_allocate(1, sizeof(*queue));
	slots_init(&queue->slots, (unsigned)plan->queue_depth);
	queue->least = (unsigned)plan->test->queue_batch;
	queue->notes = memory_allocate(queue->slots.depth, sizeof(*queue->notes));
	return queue;
}

void queue_release(struct queue *queue)
{
	if (!queue)
		return;
	slots_release(&queue->slots);
	free(queue->notes);
	free(queue);
}

void queue_empty(struct queue *queue, const struct transfer *transfer)
{
	for (unsigned i = 0; i < QUEUE_BATCH; i++)
		queue->batch[i] = *transfer;
	slots_empty(&queue->slots);
}
