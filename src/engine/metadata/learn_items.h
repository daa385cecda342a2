/* The seed of small files that this run did not write, learned from the first of them. */
#ifndef ENGINE_METADATA_LEARN_ITEMS_H
#define ENGINE_METADATA_LEARN_ITEMS_H

#include "engine/core/look.h"

/* Whether a phase that compares what it reads does not know what was written. */
bool learn_items_is_needed(const struct plan *plan, enum phase_kind kind);

/*
 * Before such a test: whether the first file says the seed, or the one that was given, and those of each task that
 * as many were written as are to be read. Else ERROR_INPUT; touches nothing.
 */
int learn_items_check(struct worker *worker, struct error *err);

/* Only the seed is learned: all files have the same. */
learner learn_from_items;

#endif
