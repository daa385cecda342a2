/* Rounds in which several tasks measure at the same time. Private to the room. */
#ifndef ASSESS_ROUNDS_H
#define ASSESS_ROUNDS_H

#include "assess/limits_measure.h"

enum { ROUNDS = 5 };

/* A series of rounds; the same on every task of the crew. */
struct rounds {
	double rates[ROUNDS]; /* bytes/s of all tasks together */
	unsigned count;
	bool failed; /* on any task */
};

/* The work of one task in a round. */
struct turn {
	double amount, seconds;
	bool failed;
};

/*
 * Joins a round of all tasks: the sum of the amounts, the longest time, and whether any task
 * failed. Collective over the crew.
 */
struct turn rounds_join(const struct measuring *measuring, struct turn own);

/* The calls of the test on a file in memory. Adds its limits on the crew's first task. */
void limits_measure_client(const struct measuring *measuring, struct measured *measured);
/* Writes and cold reads of own files that have no name. */
void limits_measure_target(struct measuring *measuring, struct measured *measured);

/* True if measuring took so long, on any task, that no further round begins. Collective. */
bool rounds_end(const struct measuring *measuring);

double rounds_now(void); /* s, CLOCK_MONOTONIC */

#endif
