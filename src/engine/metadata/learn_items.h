/* The seed of small files that this run did not write, learned from the first of them. */
#ifndef ENGINE_METADATA_LEARN_ITEMS_H
#define ENGINE_METADATA_LEARN_ITEMS_H

#include "engine/core/look.h"

/* Returns whether a comparing phase must learn what was written. */
bool learn_items_is_needed(const struct plan *plan, enum phase_kind kind);

/*
 * Checks before such a test that the first file reveals the seed, or carries the given one, and
 * that each task's files come from a run with the same number of items. Otherwise reports
 * ERROR_INPUT. Changes nothing.
 */
int learn_items_check(struct worker *worker, struct error *err);

/* Learns the seed only, as all files have the same. */
learner learn_from_items;

#endif
