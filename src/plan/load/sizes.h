/*
 * The sizes of a load's transfers: one, or several with shares that a deck deals. Pure functions.
 */
#ifndef PLAN_LOAD_SIZES_H
#define PLAN_LOAD_SIZES_H

#include <stdint.h>

#include "pattern/deck.h"

struct sizes {
	struct deck deck; /* kind i: bytes[i] */
	unsigned count;
	uint64_t bytes[DECK_KINDS];
	uint64_t smallest, largest;
	uint64_t divisor; /* the greatest common divisor of all sizes */
	double mean;	  /* weighted by the cards of the sizes */
};

/*
 * Parses one size, "4k", or a list of sizes and shares, "4k/40, 16k/30, 64k/30"; sizes as in
 * units_parse_size(), shares as in deck_parse_shares(). key: the option, which begins the error's
 * text. Returns 0, or -1 with ERROR_INPUT, which shows the place.
 */
int sizes_parse(const char *text, const char *key, struct sizes *sizes, struct error *err);

/* The greatest number that divides both; the other one if one of them is 0. */
uint64_t sizes_common_divisor(uint64_t a, uint64_t b);

#endif
