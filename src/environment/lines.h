/*
 * The environment of a node as text: "key=value" lines, sorted, so that equal environments are
 * equal bytes. Keys are words joined by dots. Values are one line of at most LINE_VALUE bytes.
 */
#ifndef ENVIRONMENT_LINES_H
#define ENVIRONMENT_LINES_H

#include <stdint.h>

#include "base/text.h"

enum { LINE_VALUE = 400 };

/*
 * Adds a line. White space becomes single blanks. A value that is too long ends with a hash of the
 * whole, so that it still differs from others. An empty value adds nothing.
 */
void lines_add(struct text *lines, const char *key, const char *value);
void lines_add_format(struct text *lines, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds the first line of a small file of the kernel; nothing if it cannot be read. */
void lines_add_file(struct text *lines, const char *key, const char *path);
/* The same for files such as "always [madvise] never", of which the chosen word is added. */
void lines_add_choice(struct text *lines, const char *key, const char *path);

/* Sorts the lines. */
void lines_sort(struct text *lines);

/* 128 bits: two hashes of the text from different starts. */
struct lines_hash {
	uint64_t words[2];
};

struct lines_hash lines_hash(const struct text *lines);

/* Reads the start of a small file of the kernel; "" when it cannot be read. */
void lines_read_file(const char *path, char *buffer, size_t size);

/* Calls visit(lines, folder, name) for each entry of a folder, in no order. */
void lines_each_entry(struct text *lines, const char *folder,
		      void (*visit)(struct text *, const char *, const char *));

/* Adds numbers below `count` as "0-3, 8", of which has(context, number) is true. */
void lines_add_range(struct text *value, size_t count, bool (*has)(const void *, size_t),
		     const void *context);

#endif
