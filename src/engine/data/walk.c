/* The requests of a span of the test's order. */
#include "engine/data/walk.h"

static void walk_begin(struct walk *walk)
{
	cursors_start(&walk->cursors, walk->worker, walk->setup, walk->setup->random);
	walk->left = walk->setup->span.count;
}

void walk_start(struct walk *walk, const struct worker *worker, const struct loop_setup *setup)
{
	walk->worker = worker;
	walk->setup = setup;
	walk->request = (struct request){
		.operation = operation_of(setup->access),
		.file = worker->file,
		.length = worker->plan->transfer_bytes,
	};
	walk_begin(walk);
}

bool walk_wrap(struct walk *walk)
{
	if (!walk->setup->span.wraps)
		return false;
	walk_begin(walk);
	return walk->left;
}
