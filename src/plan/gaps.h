/*
 * Which of a task's items are not there, though later ones are: what a full disk refused while others were in
 * flight, what a mix removed and could not make again. Few runs of neighbours.
 */
#ifndef PLAN_GAPS_H
#define PLAN_GAPS_H

#include <stdint.h>

struct gap {
	uint64_t first, count; /* items, by their index */
};

/* Rising, none touches another; zeros are none. */
struct gaps {
	uint64_t count;
	struct gap *at;
};

void gaps_clear(struct gaps *gaps);
/* `count` items from `first` on, of which some may be missing already. */
void gaps_add(struct gaps *gaps, uint64_t first, uint64_t count);

/* How many items below this one are missing. */
uint64_t gaps_below(const struct gaps *gaps, uint64_t item);
/* The item at this place among those that are there. */
uint64_t gaps_item(const struct gaps *gaps, uint64_t place);
/* How many items from this one on, which is there, follow each other. */
uint64_t gaps_run(const struct gaps *gaps, uint64_t item);

#endif
