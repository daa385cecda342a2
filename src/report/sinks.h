/* Where the text and the table go: standard output, and the .txt and .csv files of the job. */
#ifndef REPORT_SINKS_H
#define REPORT_SINKS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "options/job.h"

struct sink {
	FILE *file;       /* NULL: not asked for, or broken */
	const char *path; /* the job's */
	bool broken;      /* could not be written: said once, nothing is written after it */
};

struct sinks {
	struct sink text, csv, tasks, summary; /* summary: IOR's, in a file or on standard output */
	struct sink out; /* standard output; no file while the summary has it */
	const char *document; /* the .json that was asked for, NULL for none */
	pthread_mutex_t lock; /* of standard output: the live line comes from another thread */
	bool live;            /* one stands there */
};

/* ERROR_INPUT if a file is there that must not be replaced; touches nothing. */
int sinks_check(const struct job *job, struct error *err);

/* Makes the files; ERROR_INPUT when one cannot be made, and then none is left open. */
int sinks_open(struct sinks *sinks, const struct job *job, struct error *err);

/* To standard output and to the .txt file, at once. */
void sinks_say(struct sinks *sinks, const struct text *page);
/*
 * To standard output, in place of the live line before it; an empty one takes it away. Dropped where that
 * would have to wait: the next page takes an old line away too.
 */
void sinks_live(struct sinks *sinks, const struct text *line);
void sinks_row(struct sinks *sinks, const struct text *row);
/* To the table of tasks; written out when the phase is told. */
void sinks_task_row(struct sinks *sinks, const struct text *row);

void sinks_summary(struct sinks *sinks, const struct text *text);

/* Closes the files. -1 when one of them, or standard output, could not be written whole. */
int sinks_close(struct sinks *sinks);

/* What sinks_close() would say of what was written so far. */
bool sinks_broken(const struct sinks *sinks);

#endif
