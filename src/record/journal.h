/*
 * The journal NAME.jsonl. Each line is a JSON object with one member, "run", "test", "phase",
 * "test_end", "error", "end" or "session". Each line is written at once and synced, so finished
 * phases are on disk whatever happens to the job.
 */
#ifndef RECORD_JOURNAL_H
#define RECORD_JOURNAL_H

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct journal {
	char *name;	/* name of the journal */
	char *document; /* name of the document made from it */
	int fd;		/* -1 while closed */
	off_t length;	/* length of the complete lines */
	bool broken;	/* a line could not be written: reported once, no more is written */
};

/*
 * Creates the journal, which also reserves the document's name. No two jobs have the same journal,
 * and only the job of a journal writes its document.
 *
 * An existing journal belongs to a job that runs or was killed. Journal and document then get -2,
 * -3 … behind their names. Default names (document NULL: iorx-<date>-<time>.json in the working
 * directory) get a number if their document exists too. ERROR_INPUT where a named document is a
 * directory.
 */
int journal_open(struct journal *journal, const char *document, struct error *err);

/* The journal of an earlier session of the job, as it was read. */
struct journal_before {
	const char *name;
	off_t length; /* up to the end of its last line that is not torn */
	off_t size;
};

/*
 * Opens that journal to go on behind its last line. A torn line behind it is cut off. ERROR_INPUT
 * where another job writes it.
 */
int journal_continue(struct journal *journal, const struct journal_before *before,
		     struct error *err);

/*
 * Writes one line {"<event>": value}; the first line also has the schema. Takes ownership of value.
 * -1: not written.
 */
int journal_add(struct journal *journal, const char *event, json_t *value, struct error *err);

char *journal_name(const char *document);    /* name of a document's first journal; caller frees */
char *journal_document(const char *name);    /* name of a journal's document; caller frees */
void journal_close(struct journal *journal); /* the file stays */
void journal_release(struct journal *journal);

#endif
