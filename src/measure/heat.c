/* Heat map of the bytes moved, by task and time. */
#include "measure/heat.h"

#include <string.h>

void heat_reset(struct heat *heat)
{
	memset(heat->bytes[heat->first], 0, (heat->last - heat->first) * sizeof(*heat->bytes));
	heat->first = heat->last = 0;
	heat->width = TIMELINE_NARROWEST + HEAT_JOINED;
}

void heat_set(struct heat *heat, uint32_t row, const struct timeline *timeline)
{
	heat->width = timeline->width + HEAT_JOINED;
	heat->first = row;
	heat->last = row + 1;
	for (uint32_t i = 0; i < timeline->count; i++)
		heat->bytes[row][i >> HEAT_JOINED] += timeline->slices[i].bytes;
}

static void widen(struct heat *heat)
{
	for (uint32_t row = heat->first; row < heat->last; row++) {
		uint64_t *bytes = heat->bytes[row];

		for (unsigned i = 0; i < HEAT_COLUMNS / 2; i++)
			bytes[i] = bytes[2 * i] + bytes[2 * i + 1];
		memset(&bytes[HEAT_COLUMNS / 2], 0, HEAT_COLUMNS / 2 * sizeof(*bytes));
	}
	heat->width++;
}

void heat_merge(struct heat *into, const struct heat *from)
{
	if (from->first == from->last)
		return;
	while (into->width < from->width)
		widen(into);
	uint32_t shift = into->width - from->width;

	for (uint32_t row = from->first; row < from->last; row++)
		for (unsigned i = 0; i < HEAT_COLUMNS; i++)
			into->bytes[row][i >> shift] += from->bytes[row][i];
	if (into->first == into->last) {
		into->first = from->first;
		into->last = from->last;
		return;
	}
	into->first = from->first < into->first ? from->first : into->first;
	into->last = from->last > into->last ? from->last : into->last;
}

void heat_skip(struct heat *heat, uint32_t count)
{
	uint32_t left = count < HEAT_COLUMNS ? HEAT_COLUMNS - count : 0;

	for (uint32_t row = heat->first; row < heat->last; row++) {
		uint64_t *bytes = heat->bytes[row];

		memmove(bytes, &bytes[HEAT_COLUMNS - left], left * sizeof(*bytes));
		memset(&bytes[left], 0, (HEAT_COLUMNS - left) * sizeof(*bytes));
	}
}

/* Number of columns up to the last one that is not zero in some row. */
static uint32_t used(const struct heat *heat)
{
	uint32_t count = 0;

	for (uint32_t row = heat->first; row < heat->last; row++)
		for (uint32_t i = count; i < HEAT_COLUMNS; i++)
			if (heat->bytes[row][i])
				count = i + 1;
	return count;
}

uint32_t heat_fit(struct heat *heat, uint64_t length_ns)
{
	while (length_ns > (uint64_t)HEAT_COLUMNS << heat->width)
		widen(heat);
	uint32_t count = (uint32_t)((length_ns - (length_ns > 0)) >> heat->width) + 1;
	uint32_t least = used(heat);

	return count > least ? count : least;
}
