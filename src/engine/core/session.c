/* A backend's session for one test. */
#include "engine/core/session.h"

#include <stdlib.h>
#include <string.h>

#include "backends/fault.h"
#include "base/memory.h"
#include "comm/comm.h"

enum {
	BLOB_ROOM = 65536,
	ALIGNED = 16, /* for all types that a backend's file may hold */
};

static const struct backend_options *options_of(const struct test_spec *spec,
						const struct option_table *table)
{
	const struct option_set *set = test_spec_set(spec, table);

	return set ? set->values : NULL;
}

/* Sends task 0's blob, for instance pool and container handles, to every task. */
static int share_blob(struct worker *worker, const struct backend_start *start, struct text *blob,
		      struct error *err)
{
	size_t size = BLOB_ROOM;
	int ret = 0;

	if (!worker->backend->prepare)
		return 0;
	if (worker->task == 0) {
		char *room = memory_allocate(1, size);

		ret = worker->backend->prepare(start, room, &size, err);
		if (!ret)
			text_add_bytes(blob, room, size);
		free(room);
	}
	/* Either all tasks call start or none, as it may be collective. */
	comm_share_fixed(&worker->crew->comm, &ret, sizeof(ret), worker->idle);
	comm_share(&worker->crew->comm, blob, worker->idle);
	if (ret && worker->task != 0)
		error_set(err, 0, "task 0 could not prepare the session");
	return ret;
}

int session_start(struct worker *worker, const struct test_spec *spec, struct error *err)
{
	const struct backend *inner = worker->plan->backend;
	const struct backend_options *faults = options_of(spec, &fault_options);
	struct session_state *state = &worker->state;
	struct text blob = {0};
	char path[PLAN_PATH_SIZE];
	int ret;

	plan_probe_path(worker->plan, worker->task, path);
	state->inner_start = (struct backend_start){
		.comm = worker->crew->comm.handle,
		.task = worker->crew->comm.rank,
		.tasks = worker->crew->comm.size,
		.queue_depth = worker->plan->queue_depth,
		.options = options_of(spec, inner->options),
		.path = path,
	};
	test_spec_hints_file(spec, inner->options, &state->inner_start.spares_private);
	state->start = state->inner_start;
	worker->backend = inner;
	if (fault_wanted(faults)) {
		fault_wrap(inner, &state->wrapper);
		state->wrapper.may_hide_errors |= fault_hides(faults);
		worker->backend = &state->wrapper;
		state->start.options = faults;
		state->start.inner = inner;
		state->start.inner_start = &state->inner_start;
	}
	worker->session = memory_allocate(1, worker->backend->session_size);
	worker->file_step = (worker->backend->file_size + ALIGNED - 1) / ALIGNED * ALIGNED;
	worker->files = memory_allocate(worker->plan->own_files, worker->file_step);
	worker->file = worker_file(worker, 0);
	worker->item =
		worker->plan->names ? memory_allocate(1, worker->backend->file_size) : worker->file;
	ret = share_blob(worker, &state->start, &blob, err);
	state->entered = !ret;
	state->inner_start.blob = state->start.blob = blob.bytes;
	state->inner_start.blob_size = state->start.blob_size = blob.length;
	if (!ret && worker->backend->start)
		ret = worker->backend->start(worker->session, &state->start, err);
	text_release(&blob);
	state->inner_start.path = state->start.path = NULL;
	return ret;
}

int session_stop(struct worker *worker, struct error *err)
{
	int ret = 0;

	if (worker->state.entered && worker->backend->left_open)
		worker->left_open = worker->backend->left_open(worker->session);
	if (worker->state.entered && worker->backend->stop)
		ret = worker->backend->stop(worker->session, err);
	free(worker->session);
	if (worker->plan->names)
		free(worker->item);
	free(worker->files);
	worker->session = NULL;
	worker->files = NULL;
	worker->file = worker->item = NULL;
	return ret;
}
