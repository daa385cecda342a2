/*
 * The document NAME.json, joined from the lines of a journal: phases inside their tests, and the
 * status of the run. The end of a job, a signal and --finish make it in the same way. Each line is
 * written again from its parsed value. Only one line is in memory at a time. Lines that are torn,
 * or whose test has no line, are left out and counted.
 */
#ifndef RECORD_DOCUMENT_H
#define RECORD_DOCUMENT_H

#include <stdio.h>

#include "base/error.h"
#include "base/text.h"

/* Outcome of making a document, beside the document. */
struct document_notes {
	struct text left_out; /* number of lines left out, the first of them, and why; "" none */
	struct text older;    /* new name of a document found under the name; "" none */
};

void document_notes_release(struct document_notes *notes);

/*
 * Writes the document under a temporary name, syncs it and renames it. A document of another run,
 * or any other file under the name, is kept with a number behind its name. without_end: the status
 * when the journal has no "end" line. Safe from any thread at any time.
 */
int document_make(const char *journal, const char *document, const char *without_end,
		  struct document_notes *notes, struct error *err);

/* Writes the document of one open file into another. name: of the journal, for messages. */
int document_compose(FILE *journal, const char *name, const char *without_end, FILE *out,
		     struct document_notes *notes, struct error *err);

/*
 * True for the document of a job that came to its end without a failure. journal: of this job;
 * NULL: of any.
 */
bool document_is_complete(const char *document, const char *journal);

/* Returns ERROR_INPUT if the name belongs to a file with content that is no document of iorx. */
int document_check_free(const char *document, struct error *err);

/*
 * As document_check_free(), for --finish. A document of the journal's own run may only be replaced
 * if it is an interrupted one.
 */
int document_check_replace(const char *journal, const char *document, struct error *err);

#endif
