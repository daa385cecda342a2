/*
 * Recognises IOR's words (ior_pattern.c) in a file, whatever layout and seed they were written
 * with. A user's numbers must not pass: 64 words must count up at the file's start, all other words
 * that are looked at must fit, and the whole must hold what no plain array of numbers has.
 */
#ifndef CONTENT_IOR_WORDS_H
#define CONTENT_IOR_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IOR_WORDS_LEAST = 512 }; /* bytes that must count up at the start */

/* Properties that all examined positions have in common. */
struct ior_words {
	uint32_t seed;
	bool of_offsets;  /* -l o */
	bool other_tasks; /* some words are those of a task above 0 */
	uint64_t step;	  /* divides the offsets of all transfers; 0: only the first was seen */
};

/* Examines the start of the data; false if they are not IOR's. */
bool ior_words_begin(struct ior_words *words, const void *bytes, size_t length);

/*
 * Examines bytes at a later multiple of 8; false if they do not fit. Zeros fit, as they may be a
 * hole.
 */
bool ior_words_fit(struct ior_words *words, uint64_t offset, const void *bytes, size_t length);

/*
 * Call it after all positions have fitted: true if no other program's data look like this. count:
 * words of the file. written_s: time of its last write, seconds since 1970.
 */
bool ior_words_prove(const struct ior_words *words, uint64_t count, uint64_t written_s);

#endif
