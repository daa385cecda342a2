/* Every block once a pass. */
#include "plan/load/passes.h"

void passes_start(struct passes *passes, uint64_t count, uint64_t seed)
{
	*passes = (struct passes){.count = count, .seed = seed};
	order_init(&passes->order, count, order_seed(seed, 0));
}

void passes_refill(struct passes *passes)
{
	uint64_t left;

	if (passes->index == passes->count) {
		passes->pass++;
		passes->index = 0;
		order_init(&passes->order, passes->count, order_seed(passes->seed, passes->pass));
	}
	order_batch(&passes->order, passes->index, passes->batch);
	left = passes->count - passes->index;
	passes->at = 0;
	passes->ready = (uint8_t)(left < ORDER_BATCH ? left : ORDER_BATCH);
	passes->index += passes->ready;
}

uint64_t passes_index(const struct passes *passes, uint64_t pass, uint64_t block)
{
	struct order order;

	order_init(&order, passes->count, order_seed(passes->seed, pass));
	return order_index(&order, block);
}
