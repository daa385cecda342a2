/* The outputs of text and tables: standard output, and the .txt and .csv files of the job. */
#ifndef PAGE_SINKS_H
#define PAGE_SINKS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "options/job.h"

/* In the order in which the end of a job names their files. */
enum sink_kind {
	SINK_CSV,
	SINK_TASKS,
	SINK_INTERVALS, /* opened by sinks_open_intervals() */
	SINK_TEXT,
	SINK_SUMMARY, /* IOR's, in a file or on standard output */
	SINK_OUT,     /* standard output; file NULL while the summary uses it */
	SINKS
};

struct sink {
	FILE *file;	  /* NULL: not requested, or broken */
	const char *path; /* owned by the job */
	bool broken;	  /* could not be written: reported once, no more is written */
};

struct sinks {
	struct sink list[SINKS];
	const char *document; /* the requested .json; NULL: none */
	pthread_mutex_t lock; /* for standard output: the live line is written by another thread */
	struct text live;     /* the live line on the screen; "": none */
};

/* Returns ERROR_INPUT if an existing file must not be replaced; touches nothing. */
int sinks_check(const struct job *job, struct error *err);

/* Creates the files. ERROR_INPUT when one cannot be made; then none is left open. */
int sinks_open(struct sinks *sinks, const struct job *job, struct error *err);

/* Writes to standard output and to the .txt file, at once. */
void sinks_print(struct sinks *sinks, const struct text *page);
/*
 * Replaces the live line on standard output; an empty line erases it. The line is dropped where
 * writing would have to wait. It stays below the pages that follow, until sinks_close().
 */
void sinks_live(struct sinks *sinks, const struct text *line);
/*
 * Writes to one file at once. Rows of tasks are many, and are flushed when the row of their phase
 * is added.
 */
void sinks_add(struct sinks *sinks, enum sink_kind kind, const struct text *text);

/* True if a test of the job has interval rows. */
bool sinks_have_intervals(const struct job *job);
/* Adds the name of the table of intervals beside a document. */
void sinks_name_intervals(const char *document, struct text *name);
/*
 * Makes the table of intervals; name must stay until sinks_close(). Reports it if that fails; the
 * job goes on, and sinks_close() returns -1.
 */
void sinks_open_intervals(struct sinks *sinks, const struct job *job, const struct text *name);

/* Closes the files. -1 when a file, or standard output, could not be written completely. */
int sinks_close(struct sinks *sinks);

/* True if sinks_close() would return -1 for the output so far. */
bool sinks_broken(const struct sinks *sinks);

#endif
