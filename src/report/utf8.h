/* Bytes that came from outside, made safe to print: valid UTF-8, and no control characters. */
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Bytes of the valid sequence at the start of a string that is not at its end; 0: it is invalid. */
size_t utf8_sequence(const char *at);

/* Appends with invalid bytes replaced by U+FFFD. */
void utf8_repair(struct text *out, const char *bytes);

/* The same for terminals: control characters become '?', tabs and line ends blanks. */
void utf8_printable(struct text *out, const char *bytes);

/* Columns, one per character: wide characters are not known here. */
size_t utf8_columns(const char *text);

#endif
