/*
 * Work stealing: idle tasks (thieves) get work from busy tasks (victims) until no task has any.
 *
 * A thief asks its neighbours once: the tasks at distance 1, 2, 4, … A victim gives each thief that
 * has asked an equal share of its oldest pieces. Pieces travel on from thief to thief, so all tasks
 * are reached in log2(tasks) steps. A thief asks a victim again only after that has given work. A
 * waiting task sleeps 2 ms at most between two polls.
 *
 * Termination: tasks without work add up the numbers of blocks sent and received. If two sums in
 * turn are equal, and as many blocks were received as sent, no block is on its way (F. Mattern,
 * Algorithms for distributed termination detection, 1987).
 */
#ifndef COMM_STEAL_H
#define COMM_STEAL_H

#include "base/pile.h"
#include "comm/comm.h"

struct steal;

/* All tasks of comm must call it. The pile must outlive the result. */
struct steal *steal_create(const struct comm *comm, struct pile *pile);

/* Receives messages and gives work to thieves. Call it often, between two pieces of work. */
void steal_serve(struct steal *steal);

/*
 * Waits for work when the pile is empty. Returns true once the pile has work, false if no task has
 * any. Every task must call it until it returns false, also after steal_give_up().
 */
bool steal_wait(struct steal *steal, const struct idle *idle);

/* For a task that has failed or was stopped: empties its pile and discards work that arrives. */
void steal_give_up(struct steal *steal);

/* Number of pieces that came from other tasks. */
uint64_t steal_taken(const struct steal *steal);

/* Call it only after steal_wait() has returned false. */
void steal_free(struct steal *steal);

#endif
