/* Text in at most 80 columns: paragraphs with a hanging indent, and numbers of a fixed width. */
#ifndef REPORT_LAYOUT_H
#define REPORT_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum { COLUMNS = 80, NUMBER_SIZE = 32 };

/*
 * label, blanks up to the indent, then the words, wrapped; a word longer than a line is cut. What
 * comes from outside is made printable. Ends with a newline.
 */
void layout_paragraph(struct text *out, const char *label, unsigned indent, const char *words);

/* Appends one line without the blanks at its end; what passes column 80 is cut. */
void layout_line(struct text *out, const char *line);
/* The same for a terminal of so many columns. */
void layout_wide_line(struct text *out, const char *line, unsigned columns);

/*
 * A number in at most `width` characters, as many decimals as fit: "0.1234", "1234.5", "123456",
 * "1.23M". "-" when it is not finite. Returns buffer, NUMBER_SIZE bytes, as all below.
 */
char *layout_number(double value, unsigned width, char *buffer);
/* Three digits and the unit in 6 characters: "812ns", "1.24ms", "124ms", "12.4s". */
char *layout_ns(uint64_t ns, char *buffer);
/* The same of seconds. */
char *layout_seconds(double seconds, char *buffer);
/* As layout_number, but with four digits below 1000, and without decimals from there on. */
char *layout_whole(double value, unsigned width, char *buffer);
/* "1 MiB" where exact, "9.24 GiB" otherwise. */
char *layout_bytes(uint64_t bytes, char *buffer);

#endif
