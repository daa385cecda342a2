/* Joins the measures of all tasks into one. */
#include "measure/fold.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/pack.h"

/* A task's own measure, which includes those joined so far, and room for the next one to join. */
struct joiner {
	struct measure *own, *other;
};

static void fold_join(void *context, struct text *mine, const void *theirs, size_t length)
{
	struct joiner *joiner = context;
	size_t size = joiner->own->size;

	if (!joiner->other)
		joiner->other = memory_allocate(1, size);
	if (!unpack_words(joiner->other, size, theirs, length))
		BUG("another task's measure is not one of %zu bytes", size);
	measure_merge(joiner->own, joiner->other);
	text_clear(mine);
	pack_words(mine, joiner->own, size);
}

void measure_fold(const struct comm *comm, struct measure *measure, const struct idle *idle)
{
	struct joiner joiner = {.own = measure};
	struct text packed = {0};

	pack_words(&packed, measure, measure->size);
	comm_fold(comm, &packed, fold_join, &joiner, idle);
	text_release(&packed);
	free(joiner.other);
}
