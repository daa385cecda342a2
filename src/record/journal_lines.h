/*
 * The good lines of a journal: what each one reports and where it lies. Lines that are torn, or
 * whose test has no line, are left out and counted. So are, uncounted, lines that a later session
 * of the job has replaced. No line stays in memory.
 */
#ifndef RECORD_JOURNAL_LINES_H
#define RECORD_JOURNAL_LINES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"

enum journal_event {
	EVENT_RUN,
	EVENT_TEST,
	EVENT_PHASE,
	EVENT_TEST_END,
	EVENT_ERROR,
	EVENT_END,
	EVENT_SESSION, /* a later session of the job goes on behind the lines before */
	EVENTS
};

/* A good line of the journal. */
struct journal_line {
	enum journal_event event;
	json_int_t test; /* number of its test, or JOURNAL_NO_TEST */
	uint64_t number; /* from 1 */
	off_t offset;
	size_t length;
	unsigned session; /* of the job, from 1 */
	/* of a phase */
	uint64_t repetition;
	uint64_t phase; /* its number in the plan */
	bool failed;	/* or it found wrong data */
	/* a phase came to its end; a test wants no further repetition; the job ended well */
	bool complete;
};

enum { JOURNAL_NO_TEST = -1 };

/* The good lines of a journal, those of no test first, then those of each test in their order. */
struct journal_lines {
	FILE *file;
	struct journal_line *list;
	size_t count;
	uint64_t read; /* all lines */
	uint64_t left_out;
	unsigned sessions; /* of the job */
	off_t end, size;   /* behind the last line that is not torn; of the file */
	bool over;	   /* a second run has begun, whose lines may be those of another job */
	struct text why;   /* reason of the first line left out */
};

/*
 * Reads all lines of an open journal, which stays open until journal_lines_release(). name: of the
 * journal, for messages. ERROR_INPUT if it is no journal of this version of iorx.
 */
int journal_lines_read(struct journal_lines *lines, FILE *file, const char *name,
		       struct error *err);
void journal_lines_release(struct journal_lines *lines);

/* Reads a line again and returns its value, which the caller releases; NULL: it has changed. */
json_t *journal_lines_value(const struct journal_lines *lines, const struct journal_line *line);

/* The first line of this event among those from `from` on that are of the same test, or NULL. */
const struct journal_line *journal_lines_find(const struct journal_lines *lines, size_t from,
					      enum journal_event event);

#endif
