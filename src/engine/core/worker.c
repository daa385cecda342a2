/* The worker: one task's state for the phases of a test. */
#include "engine/core/worker.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "engine/core/full.h"

static void note_failure(struct worker *worker)
{
	const struct failure *failure = &worker->failure;
	struct text text = {0};

	text_add(&text, "task %" PRIu32 " failed: %s of %s: %s", failure->task, failure->operation,
		 failure->path, failure->error.text);
	node_note_failure(worker->node, text_string(&text));
	text_release(&text);
}

void worker_note(const struct worker *worker, const char *path, struct failure *failure,
		 const struct error *error, const char *operation, uint64_t offset, uint64_t length)
{
	*failure = (struct failure){
		.error = *error,
		.at_ns = worker_common_ns(worker, clock_now(worker->clock)),
		.task = worker->task,
		.rank = worker->rank,
		.offset = offset,
		.length = length,
	};
	snprintf(failure->host, sizeof(failure->host), "%s", worker->host);
	snprintf(failure->operation, sizeof(failure->operation), "%s", operation);
	text_path_end(path, failure->path, sizeof(failure->path));
}

void worker_fail(struct worker *worker, const struct error *error, const char *operation,
		 uint64_t offset, uint64_t length)
{
	stop_request(worker->node, STOP_FAILURE);
	if (worker_failed(worker))
		return;
	worker_note(worker, worker->path, &worker->failure, error, operation, offset, length);
	full_explain(worker, &worker->failure.error, length);
	note_failure(worker);
}

struct backend_open worker_open(const struct worker *worker, enum access access)
{
	const struct geometry *geometry = &worker->plan->geometry;

	return (struct backend_open){
		.path = worker->path,
		.access = access,
		.comm = MPI_COMM_SELF,
		.transfer_size = worker->plan->transfer_bytes,
		.file_size = worker->plan->file_size,
		.tasks = geometry->tasks,
		.block = geometry->block,
		.segments = geometry->segments,
		.shared = geometry->shared,
		.source = UINT64_MAX,
	};
}

struct backend_open worker_open_shared(const struct worker *worker, enum access access,
				       uint32_t source)
{
	struct backend_open how = worker_open(worker, access);

	how.collective = worker->plan->test->collective;
	how.strided = worker->plan->test->strided;
	how.source = worker->plan->order == ORDER_SEQUENTIAL ? source : UINT64_MAX;
	if (how.shared)
		how.comm = worker->crew->comm.handle;
	return how;
}

uint64_t worker_common_ns(const struct worker *worker, uint64_t at_ns)
{
	return at_ns + (uint64_t)node_time_offset(worker->node->shared->times, at_ns);
}

uint64_t worker_own_ns(const struct worker *worker, uint64_t common_ns)
{
	uint64_t now_ns = clock_now(worker->clock);

	return common_ns - (worker_common_ns(worker, now_ns) - now_ns);
}

/*
 * Returns the lowest of a few measurements. Large transfers are not measured: stamps cost them
 * little.
 */
static double measure_stamping(const struct worker *worker, uint64_t length)
{
	enum { ATTEMPTS = 5, STAMPS = 200, LARGE = 65536 };
	double best_ns = 1e9;

	if (length > LARGE)
		return best_ns;
	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		uint64_t start_ns = clock_now(worker->clock);

		for (uint64_t i = 0; i < STAMPS; i++) {
			content_put(&worker->content, &worker->buffer, i * length, length);
			__asm__ volatile("" : : "r"(worker->buffer.bytes) : "memory");
		}
		double cost_ns = (double)(clock_now(worker->clock) - start_ns) / STAMPS;

		if (cost_ns < best_ns)
			best_ns = cost_ns;
	}
	return best_ns;
}

int worker_find_alignment(struct worker *worker, struct backend_alignment *alignment,
			  struct error *err)
{
	*alignment = (struct backend_alignment){1, 1};
	plan_probe_path(worker->plan, worker->task, worker->path);
	if (!worker->backend->alignment)
		return 0;
	return worker->backend->alignment(worker->session, worker->path, alignment, err);
}

int worker_check_alignment(const struct worker *worker, const struct backend_alignment *alignment,
			   const char *option, uint64_t size, struct error *err)
{
	if (size % alignment->offset == 0)
		return 0;
	return error_input(err,
			   "%s: %" PRIu64 " is no multiple of the %" PRIu64
			   " bytes that %s transfers with these options need here",
			   option, size, alignment->offset, worker->backend->name);
}

/*
 * Registers all buffers with the backend if it wants that, for instance io_uring's fixed buffers.
 */
static int register_buffers(struct worker *worker, struct error *err)
{
	uint64_t count = worker->plan->buffers;
	void **buffers;
	int ret;

	if (!worker->backend->register_buffers)
		return 0;
	buffers = memory_allocate(count, sizeof(*buffers));
	for (uint64_t i = 0; i < count; i++)
		buffers[i] = worker->buffer.bytes + i * worker->buffer_step;
	/* A transfer written in place may begin anywhere in its buffer. */
	ret = worker->backend->register_buffers(worker->session, buffers, (unsigned)count,
						worker->buffer_step, err);
	free(buffers);
	return ret;
}

/* In place, the buffer address moves with the file offset, which must suit direct I/O. */
static bool may_be_in_place(const struct worker *worker, uint64_t align)
{
	const struct plan *plan = worker->plan;

	return plan_writes_in_place(plan) && align <= 4096 && plan->transfer_bytes % align == 0;
}

static int start_content(struct worker *worker, struct error *err)
{
	const struct test *test = worker->plan->test;
	const struct geometry *geometry = &worker->plan->geometry;
	const struct content_setup setup = {
		.kind = (enum content_kind)test->content,
		.seed = worker->seed,
		.compress = test->content_compress,
		.dedup = test->content_dedup,
		.dedup_block = test->content_dedup_block,
		.file = test->content_file,
		.spares_private = worker->spares_private,
		.layout = {geometry->tasks, geometry->block, geometry->transfer, geometry->shared},
	};

	return content_start(&worker->content, &setup, err);
}

static int allocate_buffers(struct worker *worker, uint64_t align, struct error *err)
{
	uint64_t bytes = worker->plan->largest_call;
	struct content_buffer *buffer = &worker->buffer;
	uint64_t page = align < 4096 ? 4096 : align;

	*buffer = (struct content_buffer){.in_place = may_be_in_place(worker, align)};
	worker->buffer_step = (content_room(bytes, buffer->in_place) + page - 1) / page * page;
	buffer->room = worker->buffer_step * worker->plan->buffers;
	buffer->bytes = aligned_alloc(page, buffer->room);
	if (!buffer->bytes)
		return error_set(err, ENOMEM,
				 "no memory for transfer buffers of %.1f MiB; lower "
				 "transfer_size or queue_depth",
				 (double)buffer->room / MIB);
	if (start_content(worker, err))
		return -1;
	/* Reads need it too: touching the pages now keeps page faults out of the phase. */
	content_buffer_prepare(&worker->content, buffer);
	return 0;
}

int worker_buffers(struct worker *worker, struct error *err)
{
	struct backend_alignment alignment;

	if (worker->plan->buffer_bytes == 0)
		return 0;
	if (worker_find_alignment(worker, &alignment, err) ||
	    allocate_buffers(worker, alignment.memory, err))
		return -1;
	worker->stamp_ns = measure_stamping(worker, worker->plan->geometry.transfer);
	return register_buffers(worker, err);
}

void worker_release_buffers(struct worker *worker)
{
	content_release(&worker->content);
	free(worker->buffer.bytes);
	worker->buffer = (struct content_buffer){0};
}
