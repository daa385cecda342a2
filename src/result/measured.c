/* Limits that iorx measured before a test. */
#include "result/measured.h"

struct measured_limit *measured_add(struct measured *measured, enum limit limit, uint64_t count,
				    const double *rates, unsigned rounds)
{
	/* What finds no room is written nowhere. */
	struct measured_limit *one = &measured->limits[measured->count];
	double least = 0, most = 0;

	for (unsigned i = 0; i < rounds; i++) {
		if (!i || rates[i] < least)
			least = rates[i];
		if (rates[i] > most)
			most = rates[i];
	}
	*one = (struct measured_limit){.limit = limit,
				       .each = most,
				       .count = count,
				       .rounds = rounds,
				       .spread = most > 0 ? (most - least) / most : 0};
	if (most > 0 && measured->count + 1 < MEASURED_MOST)
		measured->count++;
	return one;
}
