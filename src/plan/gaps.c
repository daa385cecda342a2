/* Which of a task's items are not there. */
#include "plan/gaps.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void gaps_clear(struct gaps *gaps)
{
	free(gaps->at);
	*gaps = (struct gaps){0};
}

static uint64_t end_of(const struct gap *gap)
{
	return gap->first + gap->count;
}

void gaps_add(struct gaps *gaps, uint64_t first, uint64_t count)
{
	struct gap added = {first, count};
	uint64_t before = 0, behind;

	while (before < gaps->count && end_of(&gaps->at[before]) < first)
		before++;
	/* Those it touches become one with it. */
	for (behind = before; behind < gaps->count && gaps->at[behind].first <= end_of(&added); behind++) {
		uint64_t end = end_of(&gaps->at[behind]);

		if (end < end_of(&added))
			end = end_of(&added);
		if (gaps->at[behind].first < added.first)
			added.first = gaps->at[behind].first;
		added.count = end - added.first;
	}
	gaps->at = memory_grow(gaps->at, (gaps->count + 1) * sizeof(*gaps->at));
	memmove(&gaps->at[before + 1], &gaps->at[behind], (gaps->count - behind) * sizeof(*gaps->at));
	gaps->at[before] = added;
	gaps->count -= behind - before;
	gaps->count++;
}

uint64_t gaps_below(const struct gaps *gaps, uint64_t item)
{
	uint64_t missing = 0;

	for (uint64_t i = 0; i < gaps->count && gaps->at[i].first < item; i++) {
		const struct gap *gap = &gaps->at[i];

		missing += end_of(gap) < item ? gap->count : item - gap->first;
	}
	return missing;
}

uint64_t gaps_item(const struct gaps *gaps, uint64_t place)
{
	uint64_t item = place;

	for (uint64_t i = 0; i < gaps->count && gaps->at[i].first <= item; i++)
		item += gaps->at[i].count;
	return item;
}

uint64_t gaps_run(const struct gaps *gaps, uint64_t item)
{
	for (uint64_t i = 0; i < gaps->count; i++)
		if (gaps->at[i].first > item)
			return gaps->at[i].first - item;
	return UINT64_MAX - item;
}
