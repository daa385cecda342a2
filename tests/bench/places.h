/* The order in which the bare loops visit a file: iorx's own, made before the clock starts. */
#ifndef TESTS_BENCH_PLACES_H
#define TESTS_BENCH_PLACES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pattern/order.h"

/* Whether one of the words that may end a command line is there. */
static inline int has_word(char **words, const char *wanted)
{
	for (; *words; words++)
		if (strcmp(*words, wanted) == 0)
			return 1;
	return 0;
}

/* The offset of each transfer, each once; NULL: no memory. */
static inline uint64_t *make_places(long count, size_t transfer, int random)
{
	uint64_t *places = malloc((size_t)count * sizeof(*places));
	struct order order;

	order_init(&order, (uint64_t)count, 1);
	for (uint64_t i = 0; places && i < (uint64_t)count; i++)
		places[i] = (random ? order_at(&order, i) : i) * transfer;
	return places;
}

#endif
