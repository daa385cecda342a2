/*
 * Work that comes to tasks that have none from those that have it, until nobody has any.
 *
 * A task whose pile is empty asks its neighbours once, those 1, 2, 4 … tasks on. Whoever has work gives an
 * equal share of its oldest pieces to each that has asked; what came to one goes on to those that wait
 * for it, so that all tasks are reached in log2(tasks) steps. No task is asked again before it gave.
 * Who waits sleeps between two looks, 2 ms at most. That nobody has any is found by sums of the blocks
 * sent and received, to which each task adds its own when it has nothing: when two sums in turn are the
 * same, and as much was received as was sent, nothing is on its way (F. Mattern, Algorithms for
 * distributed termination detection, 1987).
 */
#ifndef COMM_STEAL_H
#define COMM_STEAL_H

#include "base/pile.h"
#include "comm/comm.h"

struct steal;

/* All tasks of comm must; the pile outlives it. */
struct steal *steal_create(const struct comm *comm, struct pile *pile);

/* Between two pieces of work, often: takes what has come, and gives to those that asked. */
void steal_serve(struct steal *steal);

/*
 * Once the pile is empty: returns true when there is something in it, false when nobody has anything. Every
 * task must call it until it is false, also one that has given up.
 */
bool steal_wait(struct steal *steal, const struct idle *idle);

/* For a task that has failed or was stopped: empties its pile, and throws away what comes. */
void steal_give_up(struct steal *steal);

/* Pieces that came from other tasks. */
uint64_t steal_taken(const struct steal *steal);

/* After steal_wait() was false. */
void steal_free(struct steal *steal);

#endif
