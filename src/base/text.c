/* A growing string, and the comparisons of names that all rooms share. */
#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* No key is longer, so a longer word gets no "did you mean". */
#define LONGEST_KEY 64

void text_release(struct text *text)
{
	free(text->bytes);
	*text = (struct text){0};
}

void text_clear(struct text *text)
{
	text->length = 0;
	if (text->bytes)
		text->bytes[0] = '\0';
}

/* Room for length more bytes and the NUL. */
static void reserve(struct text *text, size_t length)
{
	size_t wanted = text->length + length + 1;
	size_t capacity = text->capacity ? text->capacity : 64;

	if (wanted <= text->capacity)
		return;
	while (capacity < wanted)
		capacity *= 2;
	text->bytes = memory_grow(text->bytes, capacity);
	text->capacity = capacity;
}

void text_add_bytes(struct text *text, const void *bytes, size_t length)
{
	reserve(text, length);
	if (length)
		memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
}

void text_add(struct text *text, const char *format, ...)
{
	va_list arguments, again;
	size_t room;
	int length;

	va_start(arguments, format);
	va_copy(again, arguments);
	reserve(text, 0);
	room = text->capacity - text->length;
	length = vsnprintf(text->bytes + text->length, room, format, arguments);
	if (length < 0)
		BUG("text_add: a format that cannot be");
	if ((size_t)length >= room) {
		reserve(text, (size_t)length);
		vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
	}
	text->length += (size_t)length;
	va_end(again);
	va_end(arguments);
}

const char *text_string(const struct text *text)
{
	return text->bytes ? text->bytes : "";
}

char *text_copy_n(const char *string, size_t length)
{
	char *copy = memory_allocate(length + 1, 1);

	memcpy(copy, string, length);
	return copy;
}

char *text_copy(const char *string)
{
	return text_copy_n(string, strlen(string));
}

/* The next character that counts, in lower case; 0 at the end. */
static int next_letter(const char **at)
{
	while (**at == '_' || **at == '-')
		(*at)++;
	return **at ? tolower((unsigned char)*(*at)++) : 0;
}

bool text_same_key(const char *a, const char *b)
{
	int letter;

	do {
		letter = next_letter(&a);
		if (letter != next_letter(&b))
			return false;
	} while (letter);
	return true;
}

bool text_begins_key(const char *key, const char *letters)
{
	int letter;

	while ((letter = next_letter(&letters)))
		if (letter != next_letter(&key))
			return false;
	return true;
}

/* The letters of a key that count; LONGEST_KEY when there are that many or more. */
static unsigned key_letters(const char *key, char letters[LONGEST_KEY])
{
	unsigned count = 0;
	int letter;

	while (count < LONGEST_KEY && (letter = next_letter(&key)))
		letters[count++] = (char)letter;
	return count;
}

static unsigned text_least(unsigned a, unsigned b, unsigned c)
{
	unsigned smaller = a < b ? a : b;

	return smaller < c ? smaller : c;
}

unsigned text_distance(const char *a, const char *b, unsigned limit)
{
	char x[LONGEST_KEY], y[LONGEST_KEY];
	unsigned rows = key_letters(a, x), columns = key_letters(b, y);
	unsigned table[3][LONGEST_KEY + 1]; /* the rows i-2, i-1 and i, taken modulo 3 */

	if (rows == LONGEST_KEY || columns == LONGEST_KEY)
		return limit + 1;
	for (unsigned j = 0; j <= columns; j++)
		table[0][j] = j;
	for (unsigned i = 1; i <= rows; i++) {
		unsigned *now = table[i % 3], *before = table[(i - 1) % 3];

		now[0] = i;
		for (unsigned j = 1; j <= columns; j++) {
			unsigned replaced = before[j - 1] + (x[i - 1] != y[j - 1]);

			now[j] = text_least(before[j] + 1, now[j - 1] + 1, replaced);
			if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
				now[j] = text_least(now[j], table[(i - 2) % 3][j - 2] + 1, now[j]);
		}
	}
	return table[rows % 3][columns] > limit ? limit + 1 : table[rows % 3][columns];
}

uint64_t text_hash(const void *bytes, size_t length)
{
	const unsigned char *at = bytes;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
	return hash;
}

bool text_directory(const char *path, char *directory, size_t size)
{
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) : 0;

	if (length + 2 > size)
		return false;
	if (slash == path)
		strcpy(directory, "/");
	else if (!slash)
		strcpy(directory, ".");
	else
		snprintf(directory, size, "%.*s", (int)length, path);
	return true;
}

void text_trim_slashes(char *path)
{
	for (size_t length = strlen(path); length > 1 && path[length - 1] == '/'; length--)
		path[length - 1] = '\0';
}

void text_path_end(const char *path, char *buffer, size_t size)
{
	size_t whole = strlen(path);

	if (whole < size)
		memcpy(buffer, path, whole + 1);
	else
		snprintf(buffer, size, "...%s", path + whole - (size - 4));
}
