/*
 * Texts on their way to the first task of the job while phases run. Any thread may add to a post or
 * take from it. Only the first thread of a process may call MPI, so it moves what waits when it
 * polls.
 */
#ifndef COMM_POST_H
#define COMM_POST_H

#include <pthread.h>

#include "base/text.h"
#include "comm/comm.h"

struct post {
	pthread_mutex_t lock;
	const struct comm *comm;
	struct text waiting; /* what this task sends; on the first task, what has come */
	struct text leaving; /* the message that is being sent */
	MPI_Request sending;
	unsigned ended; /* on the first task: senders that have sent all */
};

/* comm: all tasks of the job. */
void post_init(struct post *post, const struct comm *comm);
void post_release(struct post *post);

void post_add(struct post *post, const struct text *text);
/* Moves what waits behind *text. */
void post_take(struct post *post, struct text *text);

/* On the first thread, now and then. */
void post_poll(struct post *post);
/*
 * Brings all to the first task, which must call it like the senders. senders: the tasks that call
 * it beside the first task.
 */
void post_settle(struct post *post, unsigned senders);

#endif
