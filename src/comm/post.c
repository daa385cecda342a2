/* Texts on their way to the first task of the job. */
#include "comm/post.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"

enum { TAG_POST = 109 };

void post_init(struct post *post, const struct comm *comm)
{
	*post = (struct post){.comm = comm, .sending = MPI_REQUEST_NULL};
	pthread_mutex_init(&post->lock, NULL);
}

void post_release(struct post *post)
{
	if (!post->comm)
		return;
	text_release(&post->waiting);
	text_release(&post->leaving);
	pthread_mutex_destroy(&post->lock);
}

void post_add(struct post *post, const struct text *text)
{
	pthread_mutex_lock(&post->lock);
	text_add_bytes(&post->waiting, text->bytes, text->length);
	pthread_mutex_unlock(&post->lock);
}

void post_take(struct post *post, struct text *text)
{
	pthread_mutex_lock(&post->lock);
	if (post->waiting.length)
		text_add_bytes(text, post->waiting.bytes, post->waiting.length);
	text_clear(&post->waiting);
	pthread_mutex_unlock(&post->lock);
}

/* Receives one message if there is one. An empty message is a sender's last. */
static bool receive(struct post *post)
{
	struct text text = {0};
	MPI_Message message;
	MPI_Status status;
	int found, length;

	MPI_Improbe(MPI_ANY_SOURCE, TAG_POST, post->comm->handle, &found, &message, &status);
	if (!found)
		return false;
	MPI_Get_count(&status, MPI_BYTE, &length);
	text.bytes = memory_allocate(1, (size_t)length + 1);
	text.length = (size_t)length;
	MPI_Mrecv(text.bytes, length, MPI_BYTE, &message, MPI_STATUS_IGNORE);
	if (length)
		post_add(post, &text);
	else
		post->ended++;
	free(text.bytes);
	return true;
}

static void post_send(struct post *post)
{
	MPI_Isend(post->leaving.bytes, (int)post->leaving.length, MPI_BYTE, 0, TAG_POST,
		  post->comm->handle, &post->sending);
}

static void send_waiting(struct post *post)
{
	int sent;

	MPI_Test(&post->sending, &sent, MPI_STATUS_IGNORE);
	if (!sent)
		return;
	text_clear(&post->leaving);
	post_take(post, &post->leaving);
	if (post->leaving.length)
		post_send(post);
}

void post_poll(struct post *post)
{
	if (post->comm->rank)
		send_waiting(post);
	else
		while (receive(post))
			;
}

static void post_receive_all(struct post *post, unsigned senders)
{
	const uint64_t since_ns = clock_monotonic_ns();

	while (post->ended < senders)
		if (!receive(post))
			comm_rest(since_ns);
	post->ended = 0;
}

void post_settle(struct post *post, unsigned senders)
{
	if (!post->comm->rank) {
		post_receive_all(post, senders);
		return;
	}
	MPI_Wait(&post->sending, MPI_STATUS_IGNORE);
	send_waiting(post);
	MPI_Wait(&post->sending, MPI_STATUS_IGNORE);
	text_clear(&post->leaving);
	post_send(post);
	MPI_Wait(&post->sending, MPI_STATUS_IGNORE);
}
