/* The trace that a load replays. */
#include "engine/load/load_replay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/named_file.h"

struct load_replay {
	int fd;
};

static int read_trace(void *context, uint64_t at, void *bytes, size_t length, struct error *err)
{
	const struct load_replay *replay = context;
	const ssize_t got = named_file_read(replay->fd, at, bytes, length);

	if (got < 0)
		return error_set(err, errno, "pread: %s", strerror(errno));
	if ((size_t)got < length)
		return error_set(err, 0, "the trace has become shorter");
	return 0;
}

int load_replay_open(struct worker *worker, struct error *err)
{
	const struct trace *trace = worker->plan->trace;
	const char *name = worker->plan->load->trace;
	const int fd = named_file_open(name, false, err);
	unsigned char head[TRACE_HEAD_BYTES];
	uint64_t before;
	struct error cause = *err;

	if (fd < 0)
		return error_set(err, cause.code, "trace: %.300s cannot be read on %s: %.300s",
				 name, worker->host, cause.text);
	worker->replay = memory_allocate(1, sizeof(*worker->replay));
	*worker->replay = (struct load_replay){.fd = fd};
	if (read_trace(worker->replay, 0, head, sizeof(head), &cause) ||
	    trace_find_records(head, trace->bytes, &before, &cause) || !trace_is_of(trace, head))
		return error_set(err, 0,
				 "trace: %.300s on %s is another file than task 0 saw when the job "
				 "began; copy the trace to all nodes, and leave it as it is while "
				 "it is replayed",
				 name, worker->host);
	return 0;
}

int load_replay_check_files(const struct worker *worker, struct error *err)
{
	char path[PLAN_PATH_SIZE];
	struct stat trace, file;

	if (!worker->backend->files || fstat(worker->replay->fd, &trace))
		return 0;
	for (uint32_t i = 0; i < worker->plan->own_files; i++) {
		plan_path(worker->plan, worker->task, i, 0, path);
		if (!stat(path, &file) && named_file_same(&file, &trace))
			return error_input(err,
					   "test_file: %.300s is the trace itself; give the "
					   "files of the load another name",
					   path);
	}
	return 0;
}

void load_replay_close(struct worker *worker)
{
	if (worker->replay)
		close(worker->replay->fd);
	free(worker->replay);
	worker->replay = NULL;
}

struct trace_walk *load_replay_walk(struct worker *worker)
{
	const struct plan *plan = worker->plan;

	/* Tasks that share files deal the streams. */
	return trace_walk_create(plan->trace, &plan->play, plan_sharer(plan, worker->task),
				 plan_sharers(plan), read_trace, worker->replay);
}

void load_replay_find_end(struct load_loop *loop)
{
	enum { SLACK_NS = 1000000 }; /* the last request may be issued a moment late */
	const struct worker *worker = loop->worker;
	const struct trace_play *play = &worker->plan->play;

	if (!loop->paced || play->loops)
		return;
	loop->schedule_end_ns = trace_play_ns(worker->plan->trace, play);
	loop->schedule_next_ns = loop->schedule_end_ns + SLACK_NS;
}

void load_replay_report(struct load_loop *loop)
{
	struct worker *worker = loop->worker;
	const struct error *failure = trace_walk_failure(loop->walk.trace);
	char path[PLAN_PATH_SIZE];

	if (!failure)
		return;
	memcpy(path, worker->path, sizeof(path));
	snprintf(worker->path, PLAN_PATH_SIZE, "%s", worker->plan->load->trace);
	worker_fail(worker, failure, operation_name(OPERATION_READ), UINT64_MAX, 0);
	memcpy(worker->path, path, sizeof(path));
}
