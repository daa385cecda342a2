/* Text in at most 80 columns: paragraphs with a hanging indent, and lines. */
#ifndef REPORT_LAYOUT_H
#define REPORT_LAYOUT_H

#include "base/text.h"

enum { COLUMNS = 80 };

/*
 * label, blanks up to the indent, then the words, wrapped; a word longer than a line is cut. What
 * comes from outside is made printable. Ends with a newline.
 */
void layout_paragraph(struct text *out, const char *label, unsigned indent, const char *words);

/* Appends one line without the blanks at its end; what passes column 80 is cut. */
void layout_line(struct text *out, const char *line);

#endif
