/* Heatmap of the bytes moved, by task and time. */
#include "measure/heatmap.h"

#include <string.h>

void heatmap_reset(struct heatmap *heatmap)
{
	memset(heatmap->bytes[heatmap->first], 0,
	       (heatmap->last - heatmap->first) * sizeof(*heatmap->bytes));
	heatmap->first = heatmap->last = 0;
	heatmap->width = TIMELINE_NARROWEST + HEATMAP_JOINED;
}

void heatmap_set(struct heatmap *heatmap, uint32_t row, const struct timeline *timeline)
{
	heatmap->width = timeline->width + HEATMAP_JOINED;
	heatmap->first = row;
	heatmap->last = row + 1;
	for (uint32_t i = 0; i < timeline->count; i++)
		heatmap->bytes[row][i >> HEATMAP_JOINED] += timeline->slices[i].bytes;
}

static void heatmap_widen(struct heatmap *heatmap)
{
	for (uint32_t row = heatmap->first; row < heatmap->last; row++) {
		uint64_t *bytes = heatmap->bytes[row];

		for (unsigned i = 0; i < HEATMAP_COLUMNS / 2; i++)
			bytes[i] = bytes[2 * i] + bytes[2 * i + 1];
		memset(&bytes[HEATMAP_COLUMNS / 2], 0, HEATMAP_COLUMNS / 2 * sizeof(*bytes));
	}
	heatmap->width++;
}

void heatmap_merge(struct heatmap *into, const struct heatmap *from)
{
	if (from->first == from->last)
		return;
	while (into->width < from->width)
		heatmap_widen(into);
	uint32_t shift = into->width - from->width;

	for (uint32_t row = from->first; row < from->last; row++)
		for (unsigned i = 0; i < HEATMAP_COLUMNS; i++)
			into->bytes[row][i >> shift] += from->bytes[row][i];
	if (into->first == into->last) {
		into->first = from->first;
		into->last = from->last;
		return;
	}
	into->first = from->first < into->first ? from->first : into->first;
	into->last = from->last > into->last ? from->last : into->last;
}

void heatmap_skip(struct heatmap *heatmap, uint32_t count)
{
	uint32_t left = count < HEATMAP_COLUMNS ? HEATMAP_COLUMNS - count : 0;

	for (uint32_t row = heatmap->first; row < heatmap->last; row++) {
		uint64_t *bytes = heatmap->bytes[row];

		memmove(bytes, &bytes[HEATMAP_COLUMNS - left], left * sizeof(*bytes));
		memset(&bytes[left], 0, (HEATMAP_COLUMNS - left) * sizeof(*bytes));
	}
}

/* Number of columns up to the last one that is not zero in some row. */
static uint32_t used(const struct heatmap *heatmap)
{
	uint32_t count = 0;

	for (uint32_t row = heatmap->first; row < heatmap->last; row++)
		for (uint32_t i = count; i < HEATMAP_COLUMNS; i++)
			if (heatmap->bytes[row][i])
				count = i + 1;
	return count;
}

uint32_t heatmap_fit(struct heatmap *heatmap, uint64_t length_ns)
{
	while (length_ns > (uint64_t)HEATMAP_COLUMNS << heatmap->width)
		heatmap_widen(heatmap);
	uint32_t count = (uint32_t)((length_ns - (length_ns > 0)) >> heatmap->width) + 1;
	uint32_t least = used(heatmap);

	return count > least ? count : least;
}
