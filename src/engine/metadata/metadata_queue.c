/* The slots of the metadata operations in flight. */
#include "engine/metadata/metadata_queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct metadata_queue *metadata_queue_create(const struct plan *plan)
{
	struct metadata_queue *queue;

	if (!plan || plan->queue_depth == 1)
		return NULL;
	queue = memory_allocate(1, sizeof(*queue));
	slots_init(&queue->slots, (unsigned)plan->queue_depth);
	queue->name_size = plan->name_size;
	queue->notes = memory_allocate(queue->slots.depth, sizeof(*queue->notes));
	queue->names = memory_allocate(queue->slots.depth, queue->name_size);
	/* Touching the names now avoids page faults in a phase. */
	memset(queue->names, 0xff, queue->slots.depth * queue->name_size);
	return queue;
}

void metadata_queue_release(struct metadata_queue *queue)
{
	if (!queue)
		return;
	slots_release(&queue->slots);
	free(queue->notes);
	free(queue->names);
	free(queue);
}

void metadata_queue_empty(struct metadata_queue *queue, const struct metadata_operation *operation)
{
	for (unsigned i = 0; i < QUEUE_BATCH; i++)
		queue->batch[i] = *operation;
	slots_empty(&queue->slots);
}
