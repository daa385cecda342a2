/*
 * A study: options with lists of values. Each combination of values becomes a test of its own. The
 * option that was given last changes fastest. The lists of the members of a set multiply, and each
 * combination becomes a set; then each member has a study, which names the lists of all.
 */
#ifndef OPTIONS_STUDY_H
#define OPTIONS_STUDY_H

#include "options/lists.h"
#include "options/option.h"

enum { STUDY_TESTS_MOST = 1000 }; /* most tests that lists may make */

struct job;

/* One option and its values. */
struct varied {
	const struct option_table *table;
	const struct option *row;
	struct list list;
	struct origin origin;
	/*
	 * The test that has the option, counted from this one in the job. 0: this test. Others are
	 * members of its set.
	 */
	long owner;
};

struct study {
	struct varied *options;
	size_t count;	 /* 0: the test is in no study */
	bool made;	 /* lists have made this test */
	unsigned number; /* of the study in the job, from 0, when made */
};

/* The number of combinations of the lists. Stops counting at too many. */
size_t study_combinations(const struct study *study);
void study_release(struct study *study);
void study_copy(struct study *to, const struct study *from); /* to: uninitialised */

/* Takes ownership of list, which replaces an earlier list of the option. */
void study_vary(struct study *study, const struct option_table *table, const struct option *row,
		struct list *list, struct origin origin);
/* Gives the option one value again: removes its list. */
void study_settle(struct study *study, const struct option *row);

/*
 * Replaces tests with lists by tests with one value of each option. Too many tests are an
 * error that starts with the location of the list and its key.
 */
int study_make_tests(struct job *job, struct error *err);

#endif
