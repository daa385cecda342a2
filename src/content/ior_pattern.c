/*
 * The data IOR writes by itself, from what its files hold: each transfer starts anew.
 *  -l t: word i of a transfer of task p is (p << 32) | (G + i), G the data seed.
 *  -l o: words 0, 512, 1024, … are (p << 32) | low half of (offset of the transfer * k), k = 1, 2,
 * …; all others are those of -l t.
 */
#include "content/forms.h"

#include <string.h>

enum { WORD = sizeof(uint64_t), MARKED = 512 };

/* The values that determine the words of one transfer. */
struct pattern {
	bool of_offsets;
	uint64_t task; /* in the upper half of each word */
	uint64_t seed, offset;
};

static struct pattern pattern_at(const struct content *content, uint64_t transfer)
{
	const struct content_layout *layout = &content->layout;
	uint64_t task = layout->shared ? transfer / layout->block % layout->tasks : content->file;

	return (struct pattern){
		.of_offsets = content->kind == CONTENT_IOR_OFFSET,
		.task = task << 32,
		.seed = content->seed & UINT32_MAX,
		.offset = transfer,
	};
}

static uint64_t word_of(const struct pattern *pattern, uint64_t i)
{
	if (!pattern->of_offsets || i % MARKED)
		return pattern->task | (pattern->seed + i);
	return pattern->task | (pattern->offset * (i / MARKED + 1) & UINT32_MAX);
}

/* Writes word `first + at` of the transfer; word `first` lies at `bytes`. */
static void put_word(const struct pattern *pattern, char *bytes, uint64_t first, uint64_t at)
{
	uint64_t word = word_of(pattern, first + at);

	memcpy(bytes + at * WORD, &word, WORD);
}

/* Writes whole words from number `first` on. */
static void fill_words(const struct pattern *pattern, char *bytes, uint64_t first, uint64_t count)
{
	const uint64_t lines = count / COUNT_LINE;

	sectors_count(pattern->task, pattern->seed + first, bytes, lines);
	for (uint64_t i = lines * COUNT_LINE; i < count; i++)
		put_word(pattern, bytes, first, i);
	if (!pattern->of_offsets)
		return;
	for (uint64_t i = (MARKED - first % MARKED) % MARKED; i < count; i += MARKED)
		put_word(pattern, bytes, first, i);
}

/* Writes from byte `at` of the transfer on, in whole words where possible. */
static void fill_in_transfer(const struct pattern *pattern, char *bytes, uint64_t at,
			     uint64_t length)
{
	while (length) {
		uint64_t word = word_of(pattern, at / WORD), in_word = at % WORD;
		uint64_t some = WORD - in_word < length ? WORD - in_word : length;

		if (some == WORD) {
			some = length / WORD * WORD;
			fill_words(pattern, bytes, at / WORD, some / WORD);
		} else {
			memcpy(bytes, (const char *)&word + in_word, some);
		}
		bytes += some;
		at += some;
		length -= some;
	}
}

void ior_pattern_fill(const struct content *content, char *bytes, uint64_t offset, uint64_t length)
{
	while (length) {
		uint64_t at = offset % content->layout.transfer;
		uint64_t left = content->layout.transfer - at, some = left < length ? left : length;
		struct pattern pattern = pattern_at(content, offset - at);

		fill_in_transfer(&pattern, bytes, at, some);
		bytes += some;
		offset += some;
		length -= some;
	}
}
