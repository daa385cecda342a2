/*
 * A study: options of which a list of values was given. Each combination of values becomes a test of
 * its own; the option that was given last changes fastest.
 */
#ifndef OPTIONS_STUDY_H
#define OPTIONS_STUDY_H

#include "options/lists.h"
#include "options/option.h"

enum { STUDY_TESTS_MOST = 1000 }; /* that lists may make of a job */

struct job;

/* One option and its values. */
struct varied {
	const struct option_table *table;
	const struct option *row;
	struct list list;
	struct origin origin;
};

struct study {
	struct varied *options;
	size_t count; /* 0: the test belongs to none */
	bool made;    /* the test is one of those that the lists make */
	unsigned number; /* of the study in the job, from 0, when made */
};

void study_release(struct study *study);
void study_copy(struct study *to, const struct study *from); /* to: uninitialised */

/* Takes list; an earlier one of the option is gone. */
void study_vary(struct study *study, const struct option_table *table, const struct option *row,
		struct list *list, struct origin origin);
/* The option has one value again. */
void study_settle(struct study *study, const struct option *row);

/*
 * Puts tests with one value of each option in the place of those with lists. Too many tests, and more tasks
 * than the job has, are errors that start with the place of the list and its key.
 */
int study_make_tests(struct job *job, struct error *err);

#endif
