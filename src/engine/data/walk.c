/* The requests of a span of the test's order. */
#include "engine/data/walk.h"

static void begin(struct walk *walk)
{
	places_start(&walk->places, walk->worker, walk->order, walk->order->random);
	walk->left = walk->order->span.count;
}

void walk_start(struct walk *walk, const struct worker *worker, const struct loop_order *order)
{
	walk->worker = worker;
	walk->order = order;
	walk->request = (struct request){
		.operation = operation_of(order->access),
		.file = worker->file,
		.length = worker->plan->transfer_bytes,
	};
	begin(walk);
}

bool walk_wrap(struct walk *walk)
{
	if (!walk->order->span.wraps)
		return false;
	begin(walk);
	return walk->left;
}
