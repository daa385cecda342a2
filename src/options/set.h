/*
 * Sets: tests that run at the same time on different tasks. A job file writes them between TOGETHER
 * START and TOGETHER STOP.
 */
#ifndef OPTIONS_SET_H
#define OPTIONS_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct job;
struct test_spec;

enum { SET_MOST = 256 }; /* tests of a set */

/* The place of a test in a set. */
struct membership {
	unsigned number; /* of the set in the job, from 1; 0: the test runs alone */
	unsigned line;	 /* of TOGETHER START */
	/* its tasks as "rest", "25%" or "3/4"; "": num_tasks has their number */
	char share[24];
	unsigned copy;	   /* number of the copy of the members, from 1 */
	bool alone;	   /* the test repeats a member of an earlier set, alone */
	unsigned alone_of; /* the number of that member among the tests */
};

/*
 * Keeps num_tasks as a share of the job's tasks, "rest", "25%" or "3/4", which only members of sets
 * have. It replaces an earlier number, as a number replaces it. False: the key or the value is
 * something else.
 */
bool set_take_share(struct test_spec *spec, const char *key, const char *value);

/*
 * Call it after lists have made tests. Checks what members may not have. The error text begins with
 * a location.
 */
int sets_check(const struct job *job, struct error *err);

/*
 * Adds the copies of the members to each set. Behind each set it adds a copy of each member that is
 * to run alone too, as a set of one test.
 */
void sets_complete(struct job *job);

/* The number of tests from `first` on that belong to its set; 1 for a test that runs alone. */
size_t set_size(const struct job *job, size_t first);

#endif
