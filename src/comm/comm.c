/* A group of tasks that communicate. */
#include "comm/comm.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"

enum { TAG_FOLD = 101, TAG_ASK = 103, TAG_COLLECT, TAG_QUESTION, TAG_ANSWER }; /* 102: stop.c */
enum { ABORT_AFTER_NS = 500000000 };

void comm_rest(uint64_t since_ns)
{
	enum { SHORTEST_NS = 20000, LONGEST_NS = 20000000, YIELD_NS = 100000 };
	uint64_t waited_ns = clock_monotonic_ns() - since_ns;
	uint64_t sleep_ns = waited_ns / 8;

	if (waited_ns < YIELD_NS) {
		sched_yield();
		return;
	}
	if (sleep_ns < SHORTEST_NS)
		sleep_ns = SHORTEST_NS;
	if (sleep_ns > LONGEST_NS)
		sleep_ns = LONGEST_NS;
	nanosleep(&(struct timespec){.tv_nsec = (long)sleep_ns}, NULL);
}

static void wait_for_status(MPI_Request *request, MPI_Status *status, const struct idle *idle)
{
	uint64_t since_ns = clock_monotonic_ns();
	int done = 0;

	for (;;) {
		MPI_Test(request, &done, status);
		if (done)
			return;
		if (idle)
			idle->poll(idle->context);
		comm_rest(since_ns);
	}
}

static void wait_for(MPI_Request *request, const struct idle *idle)
{
	wait_for_status(request, MPI_STATUS_IGNORE, idle);
}

void comm_group(const struct comm *from, bool inside, struct comm *group)
{
	*group = (struct comm){.handle = MPI_COMM_NULL, .rank = -1};
	MPI_Comm_split(from->handle, inside ? 0 : MPI_UNDEFINED, from->rank, &group->handle);
	if (!inside)
		return;
	MPI_Comm_rank(group->handle, &group->rank);
	MPI_Comm_size(group->handle, &group->size);
}

void comm_release(struct comm *group)
{
	if (group->handle != MPI_COMM_NULL)
		MPI_Comm_free(&group->handle);
}

void comm_wait_for_all(const struct comm *comm, const struct idle *idle)
{
	MPI_Request request;

	MPI_Ibarrier(comm->handle, &request);
	wait_for(&request, idle);
}

void gate_enter(struct gate *gate, const struct comm *comm)
{
	gate->open = false;
	MPI_Ibarrier(comm->handle, &gate->request);
}

bool gate_is_open(struct gate *gate)
{
	int open = gate->open;

	if (!open)
		MPI_Test(&gate->request, &open, MPI_STATUS_IGNORE);
	gate->open = open;
	return open;
}

void gate_wait(struct gate *gate, const struct idle *idle)
{
	if (!gate->open)
		wait_for(&gate->request, idle);
	gate->open = true;
}

bool comm_any(const struct comm *comm, bool mine)
{
	int own = mine, any;

	MPI_Allreduce(&own, &any, 1, MPI_INT, MPI_MAX, comm->handle);
	return any;
}

void comm_most(const struct comm *comm, uint64_t *numbers, int count)
{
	MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_UINT64_T, MPI_MAX, comm->handle);
}

void comm_most_of_late(const struct comm *comm, uint64_t *numbers, int count,
		       const struct idle *idle)
{
	MPI_Request request;

	MPI_Iallreduce(MPI_IN_PLACE, numbers, count, MPI_UINT64_T, MPI_MAX, comm->handle, &request);
	wait_for(&request, idle);
}

uint64_t comm_ask(const struct comm *comm, int source, uint64_t mine, const struct idle *idle)
{
	MPI_Request asked, told, question, answer;
	MPI_Status status;
	uint64_t theirs;
	char nothing = 0;

	MPI_Irecv(&theirs, 1, MPI_UINT64_T, source, TAG_ANSWER, comm->handle, &told);
	MPI_Irecv(&nothing, 0, MPI_BYTE, MPI_ANY_SOURCE, TAG_QUESTION, comm->handle, &asked);
	MPI_Isend(&nothing, 0, MPI_BYTE, source, TAG_QUESTION, comm->handle, &question);
	wait_for_status(&asked, &status, idle);
	MPI_Isend(&mine, 1, MPI_UINT64_T, status.MPI_SOURCE, TAG_ANSWER, comm->handle, &answer);
	wait_for(&told, idle);
	wait_for(&question, idle);
	wait_for(&answer, idle);
	return theirs;
}

void comm_share_fixed(const struct comm *comm, void *bytes, size_t size, const struct idle *idle)
{
	MPI_Request request;

	if (size > INT_MAX)
		BUG("a message of %zu bytes", size);
	MPI_Ibcast(bytes, (int)size, MPI_BYTE, 0, comm->handle, &request);
	wait_for(&request, idle);
}

void comm_share(const struct comm *comm, struct text *bytes, const struct idle *idle)
{
	uint64_t length = bytes->length;

	comm_share_fixed(comm, &length, sizeof(length), idle);
	if (comm->rank != 0) {
		text_clear(bytes);
		char *room = memory_allocate(1, length + 1);

		text_add_bytes(bytes, room, length);
		free(room);
	}
	if (length)
		comm_share_fixed(comm, bytes->bytes, length, idle);
}

/* Waits for a message from one task and hands its bytes to merge. */
static void fold_in(const struct comm *comm, int source, struct text *blob, comm_merge *merge,
		    void *context, const struct idle *idle)
{
	uint64_t since_ns = clock_monotonic_ns();
	MPI_Message message;
	MPI_Status status;
	int found = 0;
	int length;

	for (;;) {
		MPI_Improbe(source, TAG_FOLD, comm->handle, &found, &message, &status);
		if (found)
			break;
		if (idle)
			idle->poll(idle->context);
		comm_rest(since_ns);
	}
	MPI_Get_count(&status, MPI_BYTE, &length);
	char *theirs = memory_allocate(1, (size_t)length);

	MPI_Mrecv(theirs, length, MPI_BYTE, &message, MPI_STATUS_IGNORE);
	merge(context, blob, theirs, (size_t)length);
	free(theirs);
}

void comm_fold(const struct comm *comm, struct text *blob, comm_merge *merge, void *context,
	       const struct idle *idle)
{
	for (int step = 1; step < comm->size; step *= 2) {
		if (comm->rank & step) {
			MPI_Request request;

			if (blob->length > INT_MAX)
				BUG("a message of %zu bytes", blob->length);
			MPI_Isend(blob->bytes, (int)blob->length, MPI_BYTE, comm->rank - step,
				  TAG_FOLD, comm->handle, &request);
			wait_for(&request, idle);
			return;
		}
		if (comm->rank + step < comm->size)
			fold_in(comm, comm->rank + step, blob, merge, context, idle);
	}
}

void comm_fold_fixed(const struct comm *comm, void *bytes, size_t size, comm_merge *merge,
		     void *context, const struct idle *idle)
{
	struct text blob = {0};

	text_add_bytes(&blob, bytes, size);
	comm_fold(comm, &blob, merge, context, idle);
	memcpy(bytes, blob.bytes, size);
	text_release(&blob);
}

static void send_to(const struct comm *comm, const void *bytes, size_t size, int task, int tag,
		    const struct idle *idle)
{
	MPI_Request request;

	MPI_Isend(bytes, (int)size, MPI_BYTE, task, tag, comm->handle, &request);
	wait_for(&request, idle);
}

static void receive_from(const struct comm *comm, void *bytes, size_t size, int task, int tag,
			 const struct idle *idle)
{
	MPI_Request request;

	MPI_Irecv(bytes, (int)size, MPI_BYTE, task, tag, comm->handle, &request);
	wait_for(&request, idle);
}

void comm_collect(const struct comm *comm, const struct node_map *map, const void *bytes,
		  size_t size, comm_take *take, void *context, const struct idle *idle)
{
	enum { AHEAD = 64 };

	if (comm->rank != 0) {
		receive_from(comm, NULL, 0, 0, TAG_ASK, idle);
		send_to(comm, bytes, size, 0, TAG_COLLECT, idle);
		return;
	}
	void *theirs = memory_allocate(1, size);

	/* Task 0 is the first task of the first node. */
	take(context, bytes);
	for (uint32_t asked = 1, position = 1; position < map->tasks; position++) {
		for (; asked < map->tasks && asked < position + AHEAD; asked++)
			send_to(comm, NULL, 0, (int)node_map_at(map, asked), TAG_ASK, idle);
		receive_from(comm, theirs, size, (int)node_map_at(map, position), TAG_COLLECT,
			     idle);
		take(context, theirs);
	}
	free(theirs);
}

static void keep_first_error(void *context, struct text *mine, const void *theirs, size_t length)
{
	struct error own;

	memcpy(&own, mine->bytes, sizeof(own));
	if (own.kind == ERROR_NONE)
		memcpy(mine->bytes, theirs, length);
}

int comm_agree_error(const struct comm *comm, struct error *err)
{
	comm_fold_fixed(comm, err, sizeof(*err), keep_first_error, NULL, NULL);
	comm_share_fixed(comm, err, sizeof(*err), NULL);
	return err->kind == ERROR_NONE ? 0 : -1;
}

_Noreturn void comm_abort(int code)
{
	struct timespec moment = {.tv_nsec = ABORT_AFTER_NS};

	nanosleep(&moment, NULL);
	MPI_Abort(MPI_COMM_WORLD, code);
	abort();
}
