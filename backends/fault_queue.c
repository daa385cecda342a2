/*
 * The fault wrapper's queued operations. One call is taken at a time, so that the one that goes wrong
 * is found; one that fails or is lost never reaches inner.
 */
#include "backends/fault_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What a queued call needs when it completes, by its cookie. */
struct fault_held {
	struct fault_held *next;
	uint64_t cookie;
	bool withheld;  /* inner never saw it */
	int64_t result; /* of one that was withheld */
	void *copy;   /* of a write's buffer, to be freed */
	void *target; /* a read's buffer, to be corrupted */
};

static int hold(struct fault_held **list, const struct fault_held *what, struct error *err)
{
	struct fault_held *held = malloc(sizeof(*held));

	if (!held)
		return error_set(err, ENOMEM, "fault: %s", strerror(ENOMEM));
	*held = *what;
	held->next = *list;
	*list = held;
	return 0;
}

static void drop(struct fault_held **link)
{
	struct fault_held *held = *link;

	*link = held->next;
	free(held->copy);
	free(held);
}

void fault_queue_release(struct fault_held **list)
{
	while (*list)
		drop(list);
}

/* Stores up to `maximum` completions of calls that were withheld; returns how many. */
static unsigned take_withheld(struct fault_held **list, struct completion *completions,
			      unsigned maximum)
{
	struct fault_held **link = list;
	unsigned count = 0;

	while (*link && count < maximum) {
		if (!(*link)->withheld) {
			link = &(*link)->next;
			continue;
		}
		completions[count].cookie = (*link)->cookie;
		completions[count++].result = (*link)->result;
		drop(link);
	}
	return count;
}

static void complete(struct fault_held **list, const struct completion *completion)
{
	struct fault_held **link = list;

	while (*link && ((*link)->withheld || (*link)->cookie != completion->cookie))
		link = &(*link)->next;
	if (!*link)
		return;
	if ((*link)->target && completion->result > 0)
		fault_flip((*link)->target, (uint64_t)completion->result);
	drop(link);
}

/* --- transfers ------------------------------------------------------------------------------ */

static int hand_on(struct backend_file *file, const struct transfer *transfer, struct error *err)
{
	return file->session->backend->submit(file->inner, transfer, 1, err);
}

static int submit_corrupted(struct backend_file *file, const struct transfer *transfer,
			    struct error *err)
{
	struct fault_held what = { .cookie = transfer->cookie };
	struct transfer changed = *transfer;
	int taken;

	if (transfer->access == ACCESS_READ)
		what.target = transfer->buffer;
	else if (!(changed.buffer = what.copy = fault_corrupted_copy(transfer, err)))
		return -1;
	if (hold(&file->held, &what, err) < 0) {
		free(what.copy);
		return -1;
	}
	taken = hand_on(file, &changed, err);
	if (taken < 1)
		drop(&file->held);
	return taken;
}

static int submit_one(struct backend_file *file, const struct transfer *transfer,
		      struct error *err)
{
	struct fault_held held = { .cookie = transfer->cookie, .withheld = true };
	struct transfer shorter;

	switch (fault_strike(file->session, fault_of_access(transfer->access))) {
	case FAULT_FAIL:
		held.result = -file->session->code;
		return hold(&file->held, &held, err) < 0 ? -1 : 1;
	case FAULT_LOSE:
		held.result = (int64_t)transfer->length;
		return hold(&file->held, &held, err) < 0 ? -1 : 1;
	case FAULT_CORRUPT:
		return submit_corrupted(file, transfer, err);
	case FAULT_SHORT:
		fault_shorten(transfer, &shorter);
		return hand_on(file, &shorter, err);
	default:
		return hand_on(file, transfer, err);
	}
}

static int fault_submit(struct backend_file *file, const struct transfer *transfers, unsigned count,
			struct error *err)
{
	struct backend_session *session = file->session;
	uint64_t seen = session->seen;
	int taken;

	if (!session->armed)
		return session->backend->submit(file->inner, transfers, count, err);
	taken = submit_one(file, transfers, err);
	if (taken == 0)
		session->seen = seen; /* the queue is full: it will come again */
	return taken;
}

static int fault_reap(struct backend_file *file, struct completion *completions, unsigned minimum,
		      unsigned maximum, struct error *err)
{
	unsigned failed = take_withheld(&file->held, completions, maximum);
	unsigned still = minimum > failed ? minimum - failed : 0;
	int reaped;

	if (failed == maximum)
		return (int)failed;
	reaped = file->session->backend->reap(file->inner, completions + failed, still,
					      maximum - failed, err);
	for (int i = 0; i < reaped; i++)
		complete(&file->held, &completions[failed + (unsigned)i]);
	return reaped < 0 ? -1 : (int)failed + reaped;
}

/* A fault of this kind is told from the storage's own failures by its errno only. */
static int fault_explain(struct backend_file *file, const struct transfer *transfer, int code,
			 struct error *err)
{
	const struct backend_session *session = file->session;

	if (session->options->kind == FAULT_FAIL && code == session->code)
		return fault_error(session, fault_of_access(transfer->access), err);
	return session->backend->explain(file->inner, transfer, code, err);
}

/* --- names ---------------------------------------------------------------------------------- */

static const enum fault_operation fault_of_kind[NAMESPACE_KINDS] = {
	[NAMESPACE_CREATE] = FAULT_CREATE,	   [NAMESPACE_STAT] = FAULT_STAT,
	[NAMESPACE_OPEN_CLOSE] = FAULT_OPEN_CLOSE, [NAMESPACE_REMOVE] = FAULT_REMOVE,
	[NAMESPACE_MKDIR] = FAULT_MKDIR,	   [NAMESPACE_RMDIR] = FAULT_RMDIR,
};

static int fault_prepare_names(struct backend_session *session, enum namespace_kind kind,
			       struct error *err)
{
	return session->backend->prepare_names(session->inner, kind, err);
}

static int fault_submit_names(struct backend_session *session,
			      const struct namespace_operation *operations, unsigned count,
			      struct error *err)
{
	struct fault_held failure = {
		.cookie = operations->cookie, .withheld = true, .result = -session->code,
	};
	struct namespace_operation inner = *operations;
	uint64_t seen = session->seen;
	int taken;

	(void)count;
	inner.directory = fault_behind(inner.directory);
	if (fault_strike(session, fault_of_kind[inner.kind]) == FAULT_FAIL)
		return hold(&session->held, &failure, err) < 0 ? -1 : 1;
	taken = session->backend->submit_names(session->inner, &inner, 1, err);
	if (taken == 0)
		session->seen = seen;
	return taken;
}

static int fault_reap_names(struct backend_session *session, struct completion *completions,
			    unsigned minimum, unsigned maximum, struct error *err)
{
	unsigned failed = take_withheld(&session->held, completions, maximum);
	unsigned still = minimum > failed ? minimum - failed : 0;
	int reaped;

	if (failed == maximum)
		return (int)failed;
	reaped = session->backend->reap_names(session->inner, completions + failed, still,
					      maximum - failed, err);
	return reaped < 0 ? -1 : (int)failed + reaped;
}

void fault_wrap_queue(const struct backend *inner, struct backend *wrapper)
{
	wrapper->submit = inner->submit ? fault_submit : NULL;
	wrapper->reap = inner->reap ? fault_reap : NULL;
	wrapper->explain = inner->explain ? fault_explain : NULL;
	wrapper->prepare_names = inner->prepare_names ? fault_prepare_names : NULL;
	wrapper->submit_names = inner->submit_names ? fault_submit_names : NULL;
	wrapper->reap_names = inner->reap_names ? fault_reap_names : NULL;
}
