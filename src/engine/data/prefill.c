/* random_prefill: fills the file in file order before it is written in a random order. */
#include "engine/data/prefill.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "engine/data/data_state.h"
#include "engine/data/files.h"
#include "engine/data/transfer_loop.h"

struct prefill {
	struct worker *worker;
	struct content content;
	char *bytes; /* buffer of one piece */
	uint64_t piece;
	struct sequence sequence; /* access pattern of the calls */
};

/*
 * Uses the test's content if its sectors carry a mark for prefill, else random content, which needs
 * no memory.
 */
static int start_content(struct prefill *prefill, struct error *err)
{
	const struct content *own = &prefill->worker->content;
	const struct content_setup setup = {.kind = CONTENT_RANDOM, .seed = own->seed};

	prefill->content = *own;
	if (!content_has_stamps(own->kind) && content_start(&prefill->content, &setup, err))
		return -1;
	content_select(&prefill->content, own->file, CONTENT_PREFILL);
	return 0;
}

static int prefill_start(struct prefill *prefill, struct error *err)
{
	struct worker *worker = prefill->worker;
	struct backend_alignment alignment = {1, 1};
	uint64_t page = 4096;

	if (worker->backend->alignment &&
	    worker->backend->alignment(worker->session, worker->path, &alignment, err))
		return -1;
	if (page < alignment.memory)
		page = alignment.memory;
	prefill->bytes = aligned_alloc(page, (prefill->piece + page - 1) / page * page);
	if (!prefill->bytes)
		return error_set(err, ENOMEM, "no memory for pieces of %.1f MiB; lower it",
				 (double)prefill->piece / MIB);
	return start_content(prefill, err);
}

static int prefill_open_file(struct worker *worker, uint64_t piece, struct error *err)
{
	struct backend_open how = worker_open_shared(worker, ACCESS_WRITE, worker->task);

	files_create(worker, &how);
	how.collective = how.strided = false;
	how.source = UINT64_MAX;
	how.transfer_size = piece;
	memset((void *)worker->file, 0, worker->backend->file_size);
	if (!worker->backend->open(worker->session, worker->file, &how, err))
		return 0;
	files_explain_open(worker, &how, err);
	return -1;
}

/* All its calls are made by one task alone. */
static void prefill_count_call(struct prefill *prefill, uint64_t offset, uint64_t moved)
{
	struct counters *counters = &prefill->worker->measure->prefill;

	counters_add_calls(counters, &counters->writes, moved, 1);
	sequence_note(&prefill->sequence, offset, moved);
}

static void keep_counters(const struct prefill *prefill)
{
	struct counters *counters = &prefill->worker->measure->prefill;
	struct access_counters *writes = &counters->writes;

	counters->alignment = prefill->worker->alignment;
	counters->misaligned = prefill->sequence.misaligned;
	writes->alone = writes->calls;
	writes->consecutive = prefill->sequence.consecutive;
	writes->sequential = prefill->sequence.sequential;
	writes->most = prefill->sequence.most;
}

/* Writes all of one piece. Returns 0 or -1. */
static int write_piece(struct prefill *prefill, uint64_t offset, uint64_t length, struct error *err)
{
	struct transfer piece = {.buffer = prefill->bytes,
				 .offset = offset,
				 .length = length,
				 .count = 1,
				 .access = ACCESS_WRITE};

	content_fill(&prefill->content, prefill->bytes, offset, length);
	while (piece.length) {
		int64_t moved =
			prefill->worker->backend->transfer(prefill->worker->file, &piece, err);

		if (moved >= 0)
			prefill_count_call(prefill, piece.offset, (uint64_t)moved);
		if (moved == 0)
			error_set(err, 0, "nothing more can be written, %" PRIu64 " bytes are left",
				  piece.length);
		if (moved <= 0)
			return -1;
		piece.buffer = (char *)piece.buffer + moved;
		piece.offset += (uint64_t)moved;
		piece.length -= (uint64_t)moved;
	}
	return 0;
}

/* The task's share: a contiguous part of the shared file, as many bytes as it will write. */
static void write_share(struct prefill *prefill)
{
	struct worker *worker = prefill->worker;
	const uint64_t share = worker->plan->bytes_per_task;
	uint64_t begin = worker->plan->geometry.shared ? worker->task * share : 0, piece;
	struct error err = {0};

	worker->poll_at_ns = clock_now(worker->clock);
	for (uint64_t done = 0; done < share; done += piece) {
		uint64_t now_ns = clock_now(worker->clock);

		if (now_ns >= worker->poll_at_ns && loop_asked_to_stop(worker, now_ns))
			return;
		piece = share - done < prefill->piece ? share - done : prefill->piece;
		if (write_piece(prefill, begin + done, piece, &err)) {
			worker_fail(worker, &err, "prefill", begin + done, piece);
			return;
		}
		atomic_fetch_add_explicit(&worker->node->own->operations, 1, memory_order_relaxed);
	}
}

/* Syncs, so that prefilled data is not written back while the phase is measured. */
static void sync_file(struct worker *worker)
{
	bool may = !worker_failed(worker) && !worker->stopped;
	struct error err = {0};

	if (worker->backend->sync_together && worker->plan->geometry.shared)
		may = !comm_any(&worker->crew->comm, !may);
	if (!may || !worker->backend->sync)
		return;
	if (worker->backend->sync(worker->file, &err))
		worker_fail(worker, &err, "prefill: sync", UINT64_MAX, 0);
	else
		worker->measure->prefill.syncs++;
}

/* Steps that all tasks of a shared file make together, even after a failure. */
static void fill_file(struct prefill *prefill)
{
	struct worker *worker = prefill->worker;
	struct error err = {0};
	int ret;

	node_set_activity(worker->node, ACTIVITY_OPEN);
	ret = prefill_open_file(worker, prefill->piece, &err);
	if (ret && !worker_failed(worker))
		worker_fail(worker, &err, "prefill: open", UINT64_MAX, 0);
	worker->data->file->made |= !ret;
	worker->measure->prefill.opens = !ret;
	node_set_activity(worker->node, ACTIVITY_TRANSFER);
	if (!worker_failed(worker))
		write_share(prefill);
	node_set_activity(worker->node, ACTIVITY_SYNC);
	sync_file(worker);
	node_set_activity(worker->node, ACTIVITY_CLOSE);
	if (worker->backend->close(worker->file, &err) && !worker_failed(worker))
		worker_fail(worker, &err, "prefill: close", UINT64_MAX, 0);
}

void prefill_run(struct worker *worker)
{
	struct prefill prefill = {
		.worker = worker,
		.piece = worker->plan->test->random_prefill,
		.sequence = {.next = 1, .align_mask = worker->alignment - 1},
	};
	struct error err = {0};

	if (prefill.piece > worker->plan->bytes_per_task)
		prefill.piece = worker->plan->bytes_per_task;
	if (prefill_start(&prefill, &err))
		worker_fail(worker, &err, "prefill", UINT64_MAX, 0);
	fill_file(&prefill);
	keep_counters(&prefill);
	free(prefill.bytes);
	worker->stopped = false;
}
