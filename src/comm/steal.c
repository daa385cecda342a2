/* Work stealing between tasks. */
#include "comm/steal.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"

enum {
	TAG_STEAL = 108, /* an empty message asks, any other is a block of work */
	NEIGHBOURS = 31,
	GIVE_MOST = 1 << 16, /* bytes at a time */
};

struct victim {
	int task;
	bool asked;
	MPI_Request asking; /* complete once the victim has received it */
};

struct thief {
	int task;
	bool asks;
	MPI_Request giving;
	struct text block; /* the block being sent */
};

/* A sum over all tasks that is under way. */
struct wave {
	bool runs, first_is_over;
	MPI_Request request;
	uint64_t mine[2], all[2], before[2]; /* blocks sent, received; before: of the last wave */
};

struct steal {
	const struct comm *comm;
	struct pile *pile;
	struct victim victims[NEIGHBOURS];
	struct thief thieves[NEIGHBOURS];
	int count; /* of each */
	bool given_up;
	uint64_t sent, received, taken;
	char *message;
	size_t room;
	struct wave wave;
};

struct steal *steal_create(const struct comm *comm, struct pile *pile)
{
	struct steal *steal = memory_allocate(1, sizeof(*steal));

	steal->comm = comm;
	steal->pile = pile;
	for (int64_t step = 1; step < comm->size; step *= 2) {
		int i = steal->count++;

		steal->victims[i] = (struct victim){
			.task = (int)((comm->rank + step) % comm->size),
			.asking = MPI_REQUEST_NULL,
		};
		steal->thieves[i] = (struct thief){
			.task = (int)((comm->rank - step + comm->size) % comm->size),
			.giving = MPI_REQUEST_NULL,
		};
	}
	return steal;
}

static void note_request(struct steal *steal, int task)
{
	for (int i = 0; i < steal->count; i++)
		if (steal->thieves[i].task == task)
			steal->thieves[i].asks = true;
}

static void accept(struct steal *steal, int task, size_t length)
{
	for (int i = 0; i < steal->count; i++)
		if (steal->victims[i].task == task)
			steal->victims[i].asked = false;
	steal->received++;
	if (!steal->given_up)
		steal->taken += pile_put(steal->pile, steal->message, length);
}

/* Receives all messages that have arrived. */
static void steal_receive_all(struct steal *steal)
{
	for (;;) {
		MPI_Message message;
		MPI_Status status;
		int found, length;

		MPI_Improbe(MPI_ANY_SOURCE, TAG_STEAL, steal->comm->handle, &found, &message,
			    &status);
		if (!found)
			return;
		MPI_Get_count(&status, MPI_BYTE, &length);
		if ((size_t)length > steal->room) {
			steal->room = (size_t)length;
			steal->message = memory_grow(steal->message, steal->room);
		}
		MPI_Mrecv(steal->message, length, MPI_BYTE, &message, MPI_STATUS_IGNORE);
		if (length)
			accept(steal, status.MPI_SOURCE, (size_t)length);
		else
			note_request(steal, status.MPI_SOURCE);
	}
}

/* True if the thief has asked, and the last block for it has been sent. */
static bool can_receive(struct thief *thief)
{
	int done = 1;

	if (thief->asks)
		MPI_Test(&thief->giving, &done, MPI_STATUS_IGNORE);
	return thief->asks && done;
}

static void steal_give(struct steal *steal, struct thief *thief, uint64_t count)
{
	text_clear(&thief->block);
	pile_give(steal->pile, count, GIVE_MOST, &thief->block);
	MPI_Isend(thief->block.bytes, (int)thief->block.length, MPI_BYTE, thief->task, TAG_STEAL,
		  steal->comm->handle, &thief->giving);
	thief->asks = false;
	steal->sent++;
}

/* Gives each thief an equal share and keeps one share. */
static void feed(struct steal *steal)
{
	struct thief *served[NEIGHBOURS];
	uint64_t count = 0;

	for (int i = 0; i < steal->count; i++)
		if (can_receive(&steal->thieves[i]))
			served[count++] = &steal->thieves[i];
	for (uint64_t i = 0; i < count && steal->pile->count > 1; i++) {
		uint64_t share = steal->pile->count / (count - i + 1);

		steal_give(steal, served[i], share ? share : 1);
	}
}

void steal_serve(struct steal *steal)
{
	if (!steal->count)
		return;
	steal_receive_all(steal);
	if (steal->pile->count > 1)
		feed(steal);
}

static void steal_ask(struct steal *steal)
{
	for (int i = 0; i < steal->count; i++) {
		struct victim *victim = &steal->victims[i];

		if (victim->asked)
			continue;
		victim->asked = true;
		/* The victim has given since, so it has received the last request. */
		MPI_Wait(&victim->asking, MPI_STATUS_IGNORE);
		MPI_Issend(NULL, 0, MPI_BYTE, victim->task, TAG_STEAL, steal->comm->handle,
			   &victim->asking);
	}
}

/* Called by a task without work: true if no task has work and no block is on its way. */
static bool nobody_has_any(struct steal *steal)
{
	struct wave *wave = &steal->wave;
	bool same;
	int done;

	if (!wave->runs) {
		wave->mine[0] = steal->sent;
		wave->mine[1] = steal->received;
		MPI_Iallreduce(wave->mine, wave->all, 2, MPI_UINT64_T, MPI_SUM, steal->comm->handle,
			       &wave->request);
		wave->runs = true;
	}
	MPI_Test(&wave->request, &done, MPI_STATUS_IGNORE);
	if (!done)
		return false;
	same = wave->first_is_over && wave->all[0] == wave->before[0] &&
	       wave->all[1] == wave->before[1] && wave->all[0] == wave->all[1];
	wave->runs = false;
	wave->first_is_over = true;
	wave->before[0] = wave->all[0];
	wave->before[1] = wave->all[1];
	return same;
}

/* Sleeps 2 ms at most, so that passing work on from task to task stays fast. */
static void sleep_a_little(uint64_t since_ns)
{
	enum { MOST_NS = 16000000 }; /* comm_rest() sleeps an eighth of it */
	uint64_t now_ns = clock_monotonic_ns();

	comm_rest(now_ns - since_ns > MOST_NS ? now_ns - MOST_NS : since_ns);
}

static bool all_asks_were_seen(struct steal *steal)
{
	for (int i = 0; i < steal->count; i++) {
		int done;

		MPI_Test(&steal->victims[i].asking, &done, MPI_STATUS_IGNORE);
		if (!done)
			return false;
	}
	return true;
}

/*
 * Serves messages until all tasks' requests were received, so that no request outlives the phase.
 */
static void drain(struct steal *steal, const struct idle *idle)
{
	uint64_t since_ns = clock_monotonic_ns();
	MPI_Request request = MPI_REQUEST_NULL;
	bool entered = false;
	int done = 0;

	while (!done) {
		steal_receive_all(steal);
		if (!entered && all_asks_were_seen(steal)) {
			MPI_Ibarrier(steal->comm->handle, &request);
			entered = true;
		}
		if (entered)
			MPI_Test(&request, &done, MPI_STATUS_IGNORE);
		if (done)
			break;
		if (idle)
			idle->poll(idle->context);
		sleep_a_little(since_ns);
	}
	for (int i = 0; i < steal->count; i++)
		MPI_Wait(&steal->thieves[i].giving, MPI_STATUS_IGNORE);
}

bool steal_wait(struct steal *steal, const struct idle *idle)
{
	uint64_t since_ns = clock_monotonic_ns();

	if (!steal->count)
		return steal->pile->count > 0;
	if (!steal->given_up)
		steal_ask(steal);
	for (;;) {
		steal_receive_all(steal);
		if (steal->pile->count)
			return true;
		if (nobody_has_any(steal))
			break;
		if (idle)
			idle->poll(idle->context);
		sleep_a_little(since_ns);
	}
	drain(steal, idle);
	return false;
}

void steal_give_up(struct steal *steal)
{
	steal->given_up = true;
	pile_clear(steal->pile);
}

uint64_t steal_taken(const struct steal *steal)
{
	return steal->taken;
}

void steal_free(struct steal *steal)
{
	for (int i = 0; i < steal->count; i++)
		text_release(&steal->thieves[i].block);
	free(steal->message);
	free(steal);
}
