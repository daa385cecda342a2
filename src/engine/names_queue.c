/* The slots of the operations on names in flight. */
#include "engine/names_queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct names_queue *names_queue_create(const struct plan *plan)
{
	struct names_queue *queue;

	if (!plan->metadata || plan->queue_depth == 1)
		return NULL;
	queue = memory_allocate(1, sizeof(*queue));
	queue->depth = (unsigned)plan->queue_depth;
	queue->name_size = plan->name_size;
	queue->slots = memory_allocate(queue->depth, sizeof(*queue->slots));
	queue->free_slots = memory_allocate(queue->depth, sizeof(*queue->free_slots));
	queue->names = memory_allocate(queue->depth, queue->name_size);
	/* No page fault in a phase. */
	memset(queue->names, 0xff, queue->depth * queue->name_size);
	return queue;
}

void names_queue_release(struct names_queue *queue)
{
	if (!queue)
		return;
	free(queue->slots);
	free(queue->free_slots);
	free(queue->names);
	free(queue);
}

void names_queue_empty(struct names_queue *queue, const struct namespace_operation *operation)
{
	for (unsigned i = 0; i < QUEUE_BATCH; i++)
		queue->batch[i] = *operation;
	queue->free_count = queue->depth;
	for (unsigned i = 0; i < queue->depth; i++)
		queue->free_slots[i] = queue->depth - 1 - i;
}
