/* Recognises IOR's words in a file. */
#include "content/ior_words.h"

#include <string.h>

enum { WORD = 8, MARKED = 512, TASKS_MOST = 1 << 24 };

static uint64_t word_at(const void *bytes, size_t i)
{
	uint64_t word;

	memcpy(&word, (const char *)bytes + i * WORD, WORD);
	return word;
}

/* The lower half of the word at an offset, in a transfer that begins at `start`. */
static uint32_t ior_words_expected(const struct ior_words *words, uint64_t start, uint64_t offset)
{
	const uint64_t i = (offset - start) / WORD;

	if (words->of_offsets && i % MARKED == 0)
		return (uint32_t)(start * (i / MARKED + 1));
	return (uint32_t)(words->seed + i);
}

static uint64_t divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Whether all words from number `first` on fit, if that one belongs to a transfer that begins at
 * `start`. */
static bool fit_from(struct ior_words *words, uint64_t start, uint64_t offset, const void *bytes,
		     size_t first, size_t count)
{
	const struct ior_words before = *words;
	uint64_t task = word_at(bytes, first) >> 32;

	words->step = divisor(start, words->step);
	for (size_t i = first; i < count; i++) {
		const uint64_t at = offset + i * WORD, word = word_at(bytes, i);

		words->other_tasks |= task > 0;
		if (word == (task << 32 | ior_words_expected(words, start, at)))
			continue;
		start = at;
		task = word >> 32;
		words->step = divisor(start, words->step);
		if (task >= TASKS_MOST || (uint32_t)word != ior_words_expected(words, start, at) ||
		    words->step < IOR_WORDS_LEAST) {
			*words = before;
			return false;
		}
	}
	return true;
}

bool ior_words_begin(struct ior_words *words, const void *bytes, size_t length)
{
	const size_t count = length / WORD;
	uint64_t first;

	if (length < IOR_WORDS_LEAST || word_at(bytes, 1) >> 32 >= TASKS_MOST)
		return false;
	first = word_at(bytes, 0);
	*words = (struct ior_words){.seed = (uint32_t)word_at(bytes, 1) - 1};
	words->of_offsets = (uint32_t)first != words->seed;
	for (size_t i = 0; i < IOR_WORDS_LEAST / WORD; i++)
		if (word_at(bytes, i) !=
		    (first >> 32 << 32 | ior_words_expected(words, 0, i * WORD)))
			return false;
	return fit_from(words, 0, 0, bytes, 0, count);
}

/* Finds the start of the transfer that word number `i` belongs to; false if there is none. */
static bool find_start(const struct ior_words *words, uint64_t offset, const void *bytes, size_t i,
		       uint64_t *start)
{
	const uint64_t word = word_at(bytes, i), at = offset + i * WORD;
	const uint64_t number = (uint32_t)word - words->seed;

	*start = at - number * WORD;
	return word >> 32 < TASKS_MOST && number * WORD <= at;
}

static bool is_zeros(const char *bytes, size_t length)
{
	return !length || (!bytes[0] && !memcmp(bytes, bytes + 1, length - 1));
}

bool ior_words_fit(struct ior_words *words, uint64_t offset, const void *bytes, size_t length)
{
	const size_t count = length / WORD;
	uint64_t start;

	if (is_zeros(bytes, length))
		return true;
	/*
	 * With -l o the first word may be a marked one without its number. The next word then has
	 * it.
	 */
	for (size_t i = 0; i < 2 && i < count; i++)
		if (find_start(words, offset, bytes, i, &start) &&
		    fit_from(words, start, offset, bytes, i, count))
			return true;
	return false;
}

bool ior_words_prove(const struct ior_words *words, uint64_t count, uint64_t written_s)
{
	enum { DAY = 86400, INDEX_MOST = 16, LONG_TRANSFER = 4096, TIMES = 1000000000 };
	const uint64_t age = written_s - words->seed;

	/*
	 * One transfer counts up from the time of the run, but so does a log with a word per
	 * second.
	 */
	if (!words->step)
		return age < DAY && age + 1 < count;
	if (words->step < IOR_WORDS_LEAST)
		return false;
	if (words->other_tasks)
		return true;
	/* Arrays of indices, years or times may restart too. */
	if (words->seed < TIMES)
		return words->seed >= INDEX_MOST && words->step >= LONG_TRANSFER;
	return age < 7 * DAY;
}
