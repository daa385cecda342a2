/* Text in at most 80 columns: paragraphs with a hanging indent, and lines. */
#ifndef PAGE_LAYOUT_H
#define PAGE_LAYOUT_H

#include "base/text.h"

enum { COLUMNS = 80 };

/*
 * Appends the label, blanks up to the indent, and the wrapped words. A word longer than a line is
 * cut. Bytes that are not printable are replaced. Ends with a newline.
 */
void layout_paragraph(struct text *out, const char *label, unsigned indent, const char *words);

/* Appends a paragraph of the words, or nothing if there are none, and releases them. */
void layout_words(struct text *out, const char *label, unsigned indent, struct text *words);

/* Appends one line without trailing blanks, cut at column 80. */
void layout_line(struct text *out, const char *line);

#endif
