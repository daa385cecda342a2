/* The requests of a span of the test's order, one after the other. */
#ifndef ENGINE_DATA_WALK_H
#define ENGINE_DATA_WALK_H

#include "engine/core/request.h"
#include "engine/data/transfer_loop.h"

struct walk {
	const struct worker *worker;
	const struct loop_setup *setup;
	struct request request; /* common values of all requests */
	uint64_t left;		/* requests left in the span; it restarts then if it wraps */
	struct cursors cursors;
};

/*
 * Starts at the first transfer of setup->span, in the worker's file. worker and setup must outlive
 * the walk.
 */
void walk_start(struct walk *walk, const struct worker *worker, const struct loop_setup *setup);

/* Call at the end of the span: restarts it if it wraps. Returns false if the walk ends. */
bool walk_wrap(struct walk *walk);

/* `random` is known before the loop. */
static inline __attribute__((always_inline)) bool walk_next(struct walk *walk,
							    struct request *request, bool random)
{
	if (__builtin_expect(!walk->left, 0) && !walk_wrap(walk))
		return false;
	const struct placement at =
		random ? *walk->cursors.in_random_order.at : walk->cursors.in_file_order.at;

	walk->left--;
	cursors_step(&walk->cursors, random);
	*request = (struct request){
		.file = walk->request.file,
		.offset = at.offset,
		.length = walk->request.length,
		.block = at.block,
		.segment = at.segment,
		.operation = walk->request.operation,
	};
	return true;
}

static inline bool walk_next_in_file_order(struct walk *walk, struct request *request)
{
	return walk_next(walk, request, false);
}

static inline bool walk_next_random(struct walk *walk, struct request *request)
{
	return walk_next(walk, request, true);
}

#endif
