/* The slots of the transfers in flight, made once for a test. */
#ifndef ENGINE_DATA_QUEUE_H
#define ENGINE_DATA_QUEUE_H

#include "backends/backend.h"
#include "engine/core/request.h"
#include "engine/core/slots.h"
#include "plan/plan.h"

struct queue_note {
	uint64_t issued_ns;
	struct request request;
};

struct queue {
	struct slots slots;
	unsigned least;		  /* completions to wait for */
	struct queue_note *notes; /* one per slot; a slot and its buffer share a number */
	struct transfer batch[QUEUE_BATCH];
	struct completion completions[QUEUE_BATCH];
};

/* Returns NULL if transfers are made one at a time. */
struct queue *queue_create(const struct plan *plan);
void queue_release(struct queue *queue);
/* Frees all slots, and sets all transfers of the batch to `transfer`. */
void queue_empty(struct queue *queue, const struct transfer *transfer);

#endif
