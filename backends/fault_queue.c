/*
 * The fault wrapper's queued operations. Calls are submitted one at a time, so that the one with a
 * fault can be chosen. A call that fails or is lost never reaches inner.
 */
#include "backends/fault_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Data that a queued call needs at its completion, found by its cookie. */
struct fault_held {
	struct fault_held *next;
	uint64_t cookie;
	bool withheld;	/* inner never saw it */
	int64_t result; /* result of a withheld call */
	void *copy;	/* copy of a write's buffer, to be freed */
	void *target;	/* a read's buffer, to be corrupted */
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

static void fault_queue_drop(struct fault_held **link)
{
	struct fault_held *held = *link;

	*link = held->next;
	free(held->copy);
	free(held);
}

void fault_queue_release(struct fault_held **list)
{
	while (*list)
		fault_queue_drop(list);
}

/* Stores up to `maximum` completions of withheld calls and returns their number. */
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
		fault_queue_drop(link);
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
	fault_queue_drop(link);
}

/* --- transfers ------------------------------------------------------------------------------ */

static int hand_on(struct backend_session *session, const struct transfer *transfer,
		   struct error *err)
{
	struct transfer inner = *transfer;

	inner.file = transfer->file->inner;
	return session->backend->submit(session->inner, &inner, 1, err);
}

static int submit_corrupted(struct backend_session *session, const struct transfer *transfer,
			    struct error *err)
{
	struct fault_held what = {.cookie = transfer->cookie};
	struct transfer changed = *transfer;
	int taken;

	if (transfer->access == ACCESS_READ)
		what.target = transfer->buffer;
	else if (!(changed.buffer = what.copy = fault_corrupted_copy(transfer, err)))
		return -1;
	if (hold(&session->held, &what, err) < 0) {
		free(what.copy);
		return -1;
	}
	taken = hand_on(session, &changed, err);
	if (taken < 1)
		fault_queue_drop(&session->held);
	return taken;
}

static int submit_one(struct backend_session *session, const struct transfer *transfer,
		      struct error *err)
{
	struct fault_held held = {.cookie = transfer->cookie, .withheld = true};
	struct transfer shorter;

	switch (fault_strike(session, fault_of_access(transfer->access))) {
	case FAULT_FAIL:
		held.result = -session->code;
		return hold(&session->held, &held, err) < 0 ? -1 : 1;
	case FAULT_LOSE:
		held.result = (int64_t)transfer->length;
		return hold(&session->held, &held, err) < 0 ? -1 : 1;
	case FAULT_CORRUPT:
		return submit_corrupted(session, transfer, err);
	case FAULT_SHORT:
		fault_shorten(transfer, &shorter);
		return hand_on(session, &shorter, err);
	default:
		return hand_on(session, transfer, err);
	}
}

/* A transfer that inner did not take is not counted, as it is submitted again. */
static int fault_submit(struct backend_session *session, const struct transfer *transfers,
			unsigned count, struct error *err)
{
	for (unsigned i = 0; i < count; i++) {
		uint64_t seen = session->seen;
		int taken = submit_one(session, &transfers[i], err);

		if (taken == 1)
			continue;
		session->seen = seen;
		if (i)
			err->kind = ERROR_NONE;
		return i ? (int)i : taken;
	}
	return (int)count;
}

/* Reaps withheld calls first, then those of inner. */
static int reap_both(struct backend_session *session,
		     int (*reap)(struct backend_session *, struct completion *, unsigned, unsigned,
				 struct error *),
		     struct completion *completions, unsigned minimum, unsigned maximum,
		     struct error *err)
{
	unsigned withheld = take_withheld(&session->held, completions, maximum);
	unsigned still = minimum > withheld ? minimum - withheld : 0;
	int reaped;

	if (withheld == maximum)
		return (int)withheld;
	reaped = reap(session->inner, completions + withheld, still, maximum - withheld, err);
	for (int i = 0; i < reaped; i++)
		complete(&session->held, &completions[withheld + (unsigned)i]);
	return reaped < 0 ? -1 : (int)withheld + reaped;
}

static int fault_reap(struct backend_session *session, struct completion *completions,
		      unsigned minimum, unsigned maximum, struct error *err)
{
	return reap_both(session, session->backend->reap, completions, minimum, maximum, err);
}

/* Only its errno distinguishes such a fault from a failure of the storage. */
static int fault_explain(struct backend_file *file, const struct transfer *transfer, int code,
			 struct error *err)
{
	const struct backend_session *session = file->session;

	if (session->options->kind == FAULT_FAIL && code == session->code)
		return fault_error(session, fault_of_access(transfer->access), err);
	return session->backend->explain(file->inner, transfer, code, err);
}

/* --- names ---------------------------------------------------------------------------------- */

static const enum fault_operation fault_of_kind[METADATA_KINDS] = {
	[METADATA_CREATE] = FAULT_CREATE,	  [METADATA_STAT] = FAULT_STAT,
	[METADATA_OPEN_CLOSE] = FAULT_OPEN_CLOSE, [METADATA_REMOVE] = FAULT_REMOVE,
	[METADATA_MKDIR] = FAULT_MKDIR,		  [METADATA_RMDIR] = FAULT_RMDIR,
};

static int fault_prepare_metadata(struct backend_session *session, enum metadata_kind kind,
				  struct error *err)
{
	return session->backend->prepare_metadata(session->inner, kind, err);
}

static int fault_submit_metadata(struct backend_session *session,
				 const struct metadata_operation *operations, unsigned count,
				 struct error *err)
{
	struct fault_held failure = {
		.cookie = operations->cookie,
		.withheld = true,
		.result = -session->code,
	};
	struct metadata_operation inner = *operations;
	uint64_t seen = session->seen;
	int taken;

	inner.directory = fault_behind(inner.directory);
	if (fault_strike(session, fault_of_kind[inner.kind]) == FAULT_FAIL)
		return hold(&session->held, &failure, err) < 0 ? -1 : 1;
	taken = session->backend->submit_metadata(session->inner, &inner, 1, err);
	if (taken == 0)
		session->seen = seen;
	return taken;
}

static int fault_reap_metadata(struct backend_session *session, struct completion *completions,
			       unsigned minimum, unsigned maximum, struct error *err)
{
	return reap_both(session, session->backend->reap_metadata, completions, minimum, maximum,
			 err);
}

void fault_wrap_queue(const struct backend *inner, struct backend *wrapper)
{
	wrapper->submit = inner->submit ? fault_submit : NULL;
	wrapper->reap = inner->reap ? fault_reap : NULL;
	wrapper->explain = inner->explain ? fault_explain : NULL;
	wrapper->prepare_metadata = inner->prepare_metadata ? fault_prepare_metadata : NULL;
	wrapper->submit_metadata = inner->submit_metadata ? fault_submit_metadata : NULL;
	wrapper->reap_metadata = inner->reap_metadata ? fault_reap_metadata : NULL;
}
