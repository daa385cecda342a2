/* The slots of the metadata operations in flight, made once for a test. */
#ifndef ENGINE_METADATA_METADATA_QUEUE_H
#define ENGINE_METADATA_METADATA_QUEUE_H

#include "backends/backend.h"
#include "engine/core/slots.h"
#include "plan/plan.h"

struct name_note {
	uint64_t issued_ns;
	uint64_t at;	/* position in the order of the phase */
	uint64_t index; /* index of the item */
};

struct metadata_queue {
	struct slots slots;
	struct name_note *notes; /* one per slot */
	char *names;		 /* one name per slot */
	size_t name_size;
	struct metadata_operation batch[QUEUE_BATCH];
	struct completion completions[QUEUE_BATCH];
};

/* Returns NULL if metadata operations are not queued. */
struct metadata_queue *metadata_queue_create(const struct plan *plan);
void metadata_queue_release(struct metadata_queue *queue);
/* Frees all slots, and sets all operations of the batch to `operation`. */
void metadata_queue_empty(struct metadata_queue *queue, const struct metadata_operation *operation);

static inline char *metadata_queue_name(const struct metadata_queue *queue, uint32_t slot)
{
	return queue->names + slot * queue->name_size;
}

#endif
