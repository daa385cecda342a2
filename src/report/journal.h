/*
 * The journal: NAME.jsonl, one JSON object per line with one member, "run", "test", "phase",
 * "test_end", "error" or "end", and a hash. Each line is written at once and synced, so that what is finished
 * is on disk whatever happens to the job.
 */
#ifndef REPORT_JOURNAL_H
#define REPORT_JOURNAL_H

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct journal {
	char *name;     /* of the journal */
	char *document; /* what it will be turned into */
	int fd;         /* -1 while closed */
	off_t length;   /* of the complete lines */
	bool broken;    /* a line could not be written: said once, nothing is written after it */
};

/*
 * Makes the file, which also keeps the document's name for this job: no two jobs have the same journal,
 * and only its job writes NAME.json. A journal that is there belongs to a job that runs or was killed:
 * journal and document get -2, -3 … then, as do default names (document NULL: iorx-<date>-<time>.json in
 * the working directory) whose document is there. ERROR_INPUT where a named document is a directory.
 */
int journal_open(struct journal *journal, const char *document, struct error *err);

/* Takes value. One line {"<event>": value}, the first one with the schema. -1: not written. */
int journal_add(struct journal *journal, const char *event, json_t *value, struct error *err);

char *journal_name(const char *document); /* of a named document's first journal; to free */
void journal_close(struct journal *journal); /* the file stays */
void journal_release(struct journal *journal);

#endif
