/*
 * Recognises IOR's words (ior_pattern.c) in a file, whatever layout and seed they were written with. A
 * user's numbers must not pass: 64 words must count up at the file's start, all other words that are
 * looked at must fit, and the whole must hold what no plain array of numbers has.
 */
#ifndef CONTENT_IOR_WORDS_H
#define CONTENT_IOR_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IOR_WORDS_LEAST = 512 }; /* bytes that must count up at the start */

/* What the places that were looked at have in common. */
struct ior_words {
	uint32_t seed;
	bool of_offsets;  /* -l o */
	bool other_tasks; /* some words are those of a task above 0 */
	uint64_t step;    /* divides all offsets at which transfers begin; 0: only that of the file's start was seen */
};

/* The start of the data; false: they are not IOR's. */
bool ior_words_begin(struct ior_words *words, const void *bytes, size_t length);

/* Bytes at a multiple of 8 behind that start; zeros may be a hole and fit, too. */
bool ior_words_fit(struct ior_words *words, uint64_t offset, const void *bytes, size_t length);

/*
 * After all places have fitted: whether nobody else's data look like that. count: words of the file;
 * written_s: when it was written last, in seconds since 1970.
 */
bool ior_words_prove(const struct ior_words *words, uint64_t count, uint64_t written_s);

#endif
