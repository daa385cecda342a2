/* Bytes from outside, made safe to print: valid UTF-8 without control characters. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Length of the valid sequence at the start of a string that is not at its end; 0: invalid. */
size_t utf8_sequence(const char *at);

/* Appends bytes. U+FFFD replaces invalid ones. */
void utf8_repair(struct text *out, const char *bytes);

/* As utf8_repair(), for terminals: control characters become '?', tabs and line ends blanks. */
void utf8_printable(struct text *out, const char *bytes);

/* Number of columns, one per character; wide characters are not recognised. */
size_t utf8_columns(const char *text);

#endif
