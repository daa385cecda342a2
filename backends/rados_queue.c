/* The requests in flight of a session, and how those that have ended are found. */
#include <errno.h>
#include <string.h>

#include "backends/rados_state.h"
#include "base/memory.h"

static bool is_queued(const struct rados_call *call)
{
	return call != &call->session->calls[call->session->depth];
}

/* librados's thread: a request has ended. The last one of a call brings it to the landed ones. */
static void note_end(rados_completion_t completion, void *context)
{
	struct rados_call *call = context;
	struct backend_session *session = call->session;

	pthread_mutex_lock(&session->lock);
	if (!--call->pending) {
		const uint64_t at = (session->first + session->landed_count++) % session->depth;

		session->landed[at] = call;
		pthread_cond_signal(&session->grown);
	}
	pthread_mutex_unlock(&session->lock);
}

void rados_queue_start(struct rados_call *call, size_t count)
{
	if (count > call->room) {
		call->pieces = memory_grow(call->pieces, count * sizeof(*call->pieces));
		call->room = count;
	}
	call->count = 0;
	call->pending = count ? count : 1;
	call->session->in_flight += is_queued(call);
	if (!count && is_queued(call))
		note_end(NULL, call);
}

rados_completion_t rados_queue_add(struct rados_call *call, uint64_t length)
{
	struct rados_piece *piece = &call->pieces[call->count++];

	*piece = (struct rados_piece){.length = length};
	rados_aio_create_completion2(call, is_queued(call) ? note_end : NULL, &piece->completion);
	return piece->completion;
}

void rados_queue_sent(struct rados_call *call, int code)
{
	if (!code)
		return;
	call->pieces[call->count - 1].error = code;
	if (is_queued(call))
		note_end(NULL, call);
}

/*
 * The file's size says how many bytes a read brings, so what an object lacks of them is a hole, and
 * zeros.
 */
static int end_piece(const struct rados_call *call, struct rados_piece *piece, char *bytes)
{
	const bool reads = call->transfer.file && call->transfer.access == ACCESS_READ;
	int ret = piece->error;

	if (!ret) {
		rados_aio_wait_for_complete(piece->completion);
		ret = rados_aio_get_return_value(piece->completion);
	}
	rados_aio_release(piece->completion);
	if (reads && ret == -ENOENT)
		ret = 0;
	if (reads && ret >= 0 && (uint64_t)ret < piece->length)
		memset(bytes + ret, 0, piece->length - (uint64_t)ret);
	return ret;
}

int64_t rados_queue_settle(struct rados_call *call)
{
	int64_t sum = 0;
	int failure = 0;

	for (size_t i = 0; i < call->count; i++) {
		char *bytes = (char *)call->transfer.buffer + sum;
		const int ret = end_piece(call, &call->pieces[i], bytes);

		if (ret < 0 && !failure)
			failure = ret;
		sum += (int64_t)call->pieces[i].length;
	}
	if (failure == -ECANCELED && !call->transfer.file)
		failure = rados_remove_whole(call->session, call->name);
	return failure ? failure : sum;
}

int rados_queue_reap(struct backend_session *session, struct completion *completions,
		     unsigned minimum, unsigned maximum, struct error *err)
{
	unsigned count = 0;

	while (count < maximum) {
		struct rados_call *call = NULL;

		pthread_mutex_lock(&session->lock);
		while (!session->landed_count && count < minimum)
			pthread_cond_wait(&session->grown, &session->lock);
		if (session->landed_count) {
			call = session->landed[session->first++ % session->depth];
			session->landed_count--;
		}
		pthread_mutex_unlock(&session->lock);
		if (!call)
			break;
		session->in_flight--;
		completions[count++] = (struct completion){.cookie = call->transfer.cookie,
							   .result = rados_queue_settle(call)};
	}
	return (int)count;
}

void rados_queue_drain(struct backend_session *session)
{
	struct completion ignored;
	struct error err;

	while (session->in_flight)
		rados_queue_reap(session, &ignored, 1, 1, &err);
}
