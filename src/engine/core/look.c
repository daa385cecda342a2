/* Reads samples of a file through the backend. */
#include "engine/core/look.h"

bool look_reveals_seed(const struct plan *plan)
{
	const enum content_kind kind = (enum content_kind)plan->test->content;

	return content_has_stamps(kind) || kind == CONTENT_IOR || kind == CONTENT_IOR_OFFSET;
}

uint64_t look_read(struct worker *worker, char *bytes, uint64_t offset, uint64_t length)
{
	const struct geometry *geometry = &worker->plan->geometry;
	struct transfer piece = {.count = 1, .access = ACCESS_READ};
	uint64_t done = 0;
	struct error ignored = {0};

	while (done < length) {
		uint64_t block = (offset + done) / geometry->block;

		piece.buffer = bytes + done;
		piece.offset = offset + done;
		piece.length = geometry->transfer - piece.offset % geometry->transfer;
		if (piece.length > length - done)
			piece.length = length - done;
		piece.segment = geometry->shared ? block / geometry->tasks : block;
		piece.block = geometry->shared ? block % geometry->tasks : 0;
		int64_t moved = worker->backend->transfer(worker->file, &piece, &ignored);

		if (moved <= 0)
			break;
		done += (uint64_t)moved;
	}
	return done;
}

void look_together(struct worker *worker, uint64_t repetition, learner *learn,
		   struct content_origin *lesson)
{
	struct error err = {0};

	*lesson = (struct content_origin){0};
	node_set_activity(worker->node, ACTIVITY_FILES);
	if (worker->task == 0 && learn(worker, repetition, lesson, &err))
		worker_fail(worker, &err, "learn", UINT64_MAX, 0);
	node_set_activity(worker->node, ACTIVITY_WAITING);
	comm_share_fixed(&worker->crew->comm, lesson, sizeof(*lesson), worker->idle);
}
