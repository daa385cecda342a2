/*
 * The table: one row per phase and repetition, made from the records that the journal gets. Units are
 * in the names of the columns. Cells are quoted as RFC 4180 says.
 */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include <jansson.h>

#include "base/text.h"
#include "result/result.h"

void csv_head(struct text *out);
/* test and phase: by record_test() and record_phase(). number: the phase's in the plan. Each further series of a phase, as a mix has, gets a row more. */
void csv_rows(struct text *out, const struct plan *plan, unsigned number, json_t *test,
	      json_t *phase);

/*
 * A cell of text. Spreadsheets run a cell that begins with = + - @, a tab or a carriage return: it
 * gets a quotation mark ' before it, inside the double quotes.
 */
void csv_add_text(struct text *out, const char *text);

#endif
