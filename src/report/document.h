/*
 * The document NAME.json, made from the lines of a journal: phases inside their tests, the status
 * of the whole. Each line is checked and written again from what was read; one line is in memory
 * at a time.
 */
#ifndef REPORT_DOCUMENT_H
#define REPORT_DOCUMENT_H

#include <stdio.h>

#include "base/error.h"
#include "base/text.h"

/* Outcome of making a document, beside the document. */
struct document_notes {
	struct text
		left_out; /* how many lines are not in it, which one is the first and why; "" none */
	struct text older; /* the new name of a document that was there; "" none */
};

void document_notes_release(struct document_notes *notes);

/*
 * Written beside the document under another name, synced and put in its place. The document of
 * another run that is there gets a number behind its name, as does any other file. without_end: the
 * status when the journal has no "end" line. Safe from any thread at any time.
 */
int document_make(const char *journal, const char *document, const char *without_end,
		  struct document_notes *notes, struct error *err);

/* The document from one open file to another. name: of the journal, for messages. */
int document_compose(FILE *journal, const char *name, const char *without_end, FILE *out,
		     struct document_notes *notes, struct error *err);

/* ERROR_INPUT where a file is there that has bytes and is no document of iorx. */
int document_check_free(const char *document, struct error *err);

/*
 * The same for --finish, which also leaves the document of the journal's own run alone unless that
 * is an interrupted one.
 */
int document_check_replace(const char *journal, const char *document, struct error *err);

#endif
