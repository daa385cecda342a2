/* Packs plain memory for a message. */
#include "base/pack.h"

#include <stdint.h>
#include <string.h>

enum { NUMBER_MOST = 10, CHUNK = 4096 };

/* Writes seven bits per byte, the lowest first; the top bit marks that more follow. */
static size_t put_number(unsigned char *at, uint64_t value)
{
	size_t length = 0;

	for (; value >> 7; value >>= 7)
		at[length++] = (unsigned char)(value | 0x80);
	at[length++] = (unsigned char)value;
	return length;
}

/* Reads a number and returns the byte behind it; NULL if the number does not end before `end`. */
static const unsigned char *get_number(const unsigned char *at, const unsigned char *end,
				       uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
		*value |= (uint64_t)(*at & 0x7f) << shift;
		if (!(*at++ & 0x80))
			return at;
	}
	return NULL;
}

/* A run of zero words becomes a zero and the length of the run. */
void pack_words(struct text *packed, const void *bytes, size_t size)
{
	const uint64_t *words = bytes, *end = words + size / sizeof(*words);
	unsigned char chunk[CHUNK];
	size_t length = 0;

	while (words < end) {
		const uint64_t *start = words;

		if (length > CHUNK - 2 * NUMBER_MOST) {
			text_add_bytes(packed, chunk, length);
			length = 0;
		}
		while (words < end && !*words)
			words++;
		if (words > start) {
			chunk[length++] = 0;
			length += put_number(chunk + length, (uint64_t)(words - start));
		} else {
			length += put_number(chunk + length, *words++);
		}
	}
	text_add_bytes(packed, chunk, length);
}

bool unpack_words(void *bytes, size_t size, const void *packed, size_t length)
{
	uint64_t *words = bytes, *words_end = words + size / sizeof(*words), run;
	const unsigned char *at = packed, *end = at + length;

	while (words < words_end) {
		at = get_number(at, end, words);
		if (!at)
			return false;
		if (*words++)
			continue;
		at = get_number(at, end, &run);
		if (!at || !run || run - 1 > (uint64_t)(words_end - words))
			return false;
		memset(words, 0, (run - 1) * sizeof(*words));
		words += run - 1;
	}
	return at == end;
}
