/*
 * When the operations of a load are due. A closed loop issues the next operation when the last one
 * is done; an open one at moments that do not depend on how long operations take. Pure arithmetic.
 */
#ifndef PLAN_LOAD_ARRIVAL_H
#define PLAN_LOAD_ARRIVAL_H

#include <stdint.h>

#include "options/load.h"

/* The pace that a load was asked for. */
struct arrival {
	enum arrival_kind kind;
	double rate;	   /* operations/s of all tasks of the test together; 0 in a closed loop */
	uint32_t burst;	   /* operations that are due together; 0 and 1: no bursts */
	uint64_t pause_ns; /* closed loop: behind each `burst` operations */
	uint64_t think_ns; /* closed loop: behind each operation */
};

/*
 * The moments at which one task's operations are due, from the start of the phase. The walk keeps
 * them in 2^-64 ns, so that nothing adds up: at 10^6/s for 72 hours the last operation is due
 * within 10^-3 ns of operation / rate, before arrival_next() rounds it to 1 ns.
 */
struct arrival_walk {
	enum arrival_kind kind;
	uint32_t burst, left; /* operations of this burst that are still due at due_ns */
	unsigned __int128 due, step;
	double scale; /* turns a gap of mean 1 into 2^-shift ns */
	unsigned shift;
	uint64_t state;
};

/* arrival->rate: above 0 unless closed. task: 0 .. tasks-1. */
void arrival_start(struct arrival_walk *walk, const struct arrival *arrival, uint32_t task,
		   uint32_t tasks, uint64_t seed);

void arrival_advance(struct arrival_walk *walk); /* for arrival_next() only */

/* When the next operation is due; 0 in a closed loop. */
static inline uint64_t arrival_next(struct arrival_walk *walk)
{
	if (walk->kind == ARRIVAL_CLOSED)
		return 0;
	if (!walk->left)
		arrival_advance(walk);
	walk->left--;
	/* Rounded: the moments at multiples of a second lie there, and not 1 ns before. */
	return (uint64_t)((walk->due + ((unsigned __int128)1 << 63)) >> 64);
}

/* Closed loop: how long the task waits behind its operation number `done`, counted from 1. */
static inline uint64_t arrival_pause_ns(const struct arrival *arrival, uint64_t done)
{
	uint64_t pause = arrival->burst && done % arrival->burst == 0 ? arrival->pause_ns : 0;

	return arrival->think_ns + pause;
}

#endif
