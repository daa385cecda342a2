/*
 * The document NAME.json, made from the lines of a journal: phases inside their tests, the status
 * of the whole. Works on the two files alone, and holds one line in memory at a time.
 */
#ifndef REPORT_DOCUMENT_H
#define REPORT_DOCUMENT_H

#include "base/error.h"

/*
 * Written beside the document under another name, synced and renamed. without_end: the status when
 * the journal has no "end" line. A torn last line and lines that are not JSON are left out and
 * counted. Safe from any thread at any time.
 */
int document_make(const char *journal, const char *document, const char *without_end,
		  struct error *err);

/*
 * Whether a document may take the place of what is there: nothing, or the interrupted document of
 * the journal's own run. Anything else is ERROR_INPUT.
 */
int document_check_replace(const char *journal, const char *document, struct error *err);

#endif
