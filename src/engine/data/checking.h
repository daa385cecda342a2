/*
 * Compares data that was read with data that was written. Each transfer's buffer is spoilt before
 * the read, so that a read that leaves memory unchanged never passes.
 */
#ifndef ENGINE_DATA_CHECKING_H
#define ENGINE_DATA_CHECKING_H

#include "engine/core/worker.h"
#include "engine/data/data_state.h"

static inline void checking_spoil(const struct transfer *transfer)
{
	content_spoil(transfer->buffer, transfer->length);
}

/* Examines a transfer with wrong data and records the damage. */
void checking_examine(struct worker *worker, const struct transfer *transfer);

static inline bool checking_passes(const struct content *content, const struct transfer *transfer)
{
	uint64_t piece = transfer->length / transfer->count;

	for (uint64_t i = 0; i < transfer->count; i++)
		if (!content_check(content, (const char *)transfer->buffer + i * piece,
				   transfer->offset + i * transfer->stride, piece))
			return false;
	return true;
}

static inline void checking_compare(struct worker *worker, const struct content *content,
				    const struct transfer *transfer)
{
	if (__builtin_expect(worker->data->missing || !checking_passes(content, transfer), 0))
		checking_examine(worker, transfer);
}

/* Records the last range. */
void checking_end(struct worker *worker);

#endif
