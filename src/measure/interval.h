/*
 * Counts of the operations of a load while it runs. Each task only adds to its own, in the memory
 * that the tasks of its node share. Others read them and take differences. A reader may see an
 * operation that is counted in one number and not yet in the next.
 */
#ifndef MEASURE_INTERVAL_H
#define MEASURE_INTERVAL_H

#include "backends/backend.h"
#include "measure/timeline.h"
#include "pattern/phase.h"

/* Operations on names and small files are a kind of their own, whether they move data or not. */
enum interval_kind { INTERVAL_READ, INTERVAL_WRITE, INTERVAL_METADATA, INTERVAL_KINDS };

/* Operations of one kind, by the moment of completion; buckets as in a slice of time. */
struct interval_side {
	uint64_t operations, bytes;
	uint64_t service_ns, response_ns; /* sums; response_ns 0: there is no rate */
	uint64_t service[TIMELINE_BUCKETS], response[TIMELINE_BUCKETS];
};

struct interval {
	struct interval_side sides[INTERVAL_KINDS];
};

enum { INTERVAL_WORDS = sizeof(struct interval) / sizeof(uint64_t) };

static inline enum interval_kind interval_kind_of(enum operation operation)
{
	if (operation == OPERATION_READ)
		return INTERVAL_READ;
	return operation == OPERATION_WRITE ? INTERVAL_WRITE : INTERVAL_METADATA;
}

/* Only the owner writes, so no locked instruction is needed. */
static inline void interval_raise(uint64_t *word, uint64_t by)
{
	__atomic_store_n(word, *word + by, __ATOMIC_RELAXED);
}

static inline void interval_add(struct interval_side *side, uint64_t bytes, uint64_t service_ns)
{
	interval_raise(&side->operations, 1);
	interval_raise(&side->bytes, bytes);
	interval_raise(&side->service_ns, service_ns);
	interval_raise(&side->service[histogram_index(service_ns) >> TIMELINE_COARSER], 1);
}

static inline void interval_add_response(struct interval_side *side, uint64_t response_ns)
{
	interval_raise(&side->response_ns, response_ns);
	interval_raise(&side->response[histogram_index(response_ns) >> TIMELINE_COARSER], 1);
}

uint64_t interval_operations(const struct interval *interval);
uint64_t interval_bytes(const struct interval *interval);

#endif
