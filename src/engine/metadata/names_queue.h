/* The slots of the operations on names in flight, made once for a test. */
#ifndef ENGINE_METADATA_NAMES_QUEUE_H
#define ENGINE_METADATA_NAMES_QUEUE_H

#include "backends/backend.h"
#include "engine/core/slots.h"
#include "plan/plan.h"

struct name_note {
	uint64_t issued_ns;
	uint64_t at;    /* position in the order of the phase */
	uint64_t index; /* index of the item */
};

struct names_queue {
	struct slots slots;
	struct name_note *notes; /* one per slot */
	char *names; /* one name per slot */
	size_t name_size;
	struct namespace_operation batch[QUEUE_BATCH];
	struct completion completions[QUEUE_BATCH];
};

/* Returns NULL if operations on names are not queued. */
struct names_queue *names_queue_create(const struct plan *plan);
void names_queue_release(struct names_queue *queue);
/* Frees all slots, and sets all operations of the batch to `operation`. */
void names_queue_empty(struct names_queue *queue, const struct namespace_operation *operation);

static inline char *names_queue_name(const struct names_queue *queue, uint32_t slot)
{
	return queue->names + slot * queue->name_size;
}

#endif
