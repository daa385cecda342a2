/* A growing string, and the comparisons of names that all rooms share. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeros is an empty text. bytes is NUL-terminated once anything was added, else NULL. */
struct text {
	char *bytes;
	size_t length; /* without the NUL */
	size_t capacity;
};

void text_release(struct text *text);
void text_clear(struct text *text); /* empty, memory kept */
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(struct text *text, const void *bytes, size_t length);
/* The text, or "" while nothing was added. */
const char *text_string(const struct text *text) __attribute__((returns_nonnull));

/* A copy that the caller frees; ends the program as out of memory rather than return NULL. */
char *text_copy(const char *string);
char *text_copy_n(const char *string, size_t length);

/*
 * True if two keys are equal without case, '_' and '-': transferSize, transfer_size, Transfer-Size.
 */
bool text_same_key(const char *a, const char *b);

/* True if the key begins with these letters, under the same rule. */
bool text_begins_key(const char *key, const char *letters);

/*
 * Edit distance (insert, delete, replace, swap of neighbours) of two keys under the rule of
 * text_same_key; stops counting at limit + 1.
 */
unsigned text_distance(const char *a, const char *b, unsigned limit);

/*
 * The parent directory of a path: ".", "/" or the part before the last slash; false if it does not
 * fit.
 */
bool text_directory(const char *path, char *directory, size_t size);

/* Removes slashes at the end of a path; the root keeps one. */
void text_trim_slashes(char *path);

/*
 * Copies a path. A path too long for `size` is cut to "..." and its end, which tells more than its
 * start.
 */
void text_path_end(const char *path, char *buffer, size_t size);

uint64_t text_hash(const void *bytes, size_t length); /* FNV-1a, 64 bits; same on every machine */

#endif
