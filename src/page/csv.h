/*
 * The CSV table: one row per phase and repetition, made from the records that the journal gets.
 * Column names carry the units. Cells are quoted as in RFC 4180.
 */
#ifndef PAGE_CSV_H
#define PAGE_CSV_H

#include <jansson.h>

#include "base/text.h"
#include "plan/series.h"

void csv_head(struct text *out);
/*
 * Appends the rows of a phase: one, and one more for each further series, as a mix has. test comes
 * from record_test(), line is that of the phase. host: of the test's first task, or NULL.
 */
void csv_rows(struct text *out, const struct plan *plan, const char *host, json_t *test,
	      json_t *line);

/*
 * Appends a cell of text. Spreadsheets evaluate cells that begin with = + - @, a tab or a carriage
 * return. Such a cell gets an apostrophe ' before it, inside the double quotes.
 */
void csv_add_text(struct text *out, const char *text);

#endif
