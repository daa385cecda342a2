/* Any bytes as a native trace: what is accepted has requests in order, within its files. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check_job.h"
#include "plan/load/trace_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

struct input {
	const uint8_t *bytes;
	size_t length;
};

static int read_input(void *context, uint64_t at, void *to, size_t length, struct error *err)
{
	const struct input *input = context;

	(void)err;
	MUST(at <= input->length && length <= input->length - at);
	memcpy(to, input->bytes + at, length);
	return 0;
}

static void walk(const struct trace *trace, struct input *input)
{
	const struct trace_play play = {.until_ns = UINT64_MAX, .speed = 1};
	const uint32_t step = (trace->streams + TRACE_MOST_STREAMS - 1) / TRACE_MOST_STREAMS;
	struct trace_walk *requests = trace_walk_create(trace, &play, 0, step, read_input, input);
	const uint64_t most = trace->bytes / TRACE_RECORD_BYTES;
	struct load_request request;
	uint64_t count = 0, due_ns = 0;

	while (trace_walk_next(requests, &request)) {
		MUST(++count <= most && request.due_ns >= due_ns);
		due_ns = request.due_ns;
		MUST(due_ns <= trace->span_ns && request.file < trace->files);
		MUST(request.length <= trace->largest);
		MUST(request.operation == OPERATION_SYNC ||
		     (request.length &&
		      request.offset + request.length <= trace->file_bytes[request.file]));
	}
	if (trace_walk_failure(requests))
		MUST(*trace_walk_failure(requests)->text);
	trace_walk_release(requests);
}

/* The checksum would hide all that lies behind it, so it is made right. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct input input = {bytes, length};
	struct trace trace;
	struct error err = {0};
	uint64_t before = 0;
	uint8_t *head;

	if (length < TRACE_HEAD_BYTES || trace_find_records(bytes, length, &before, &err)) {
		MUST(length < TRACE_HEAD_BYTES || (err.kind == ERROR_INPUT && *err.text));
		return 0;
	}
	MUST(before <= length);
	head = malloc(before);
	MUST(head);
	memcpy(head, bytes, before);
	const uint32_t sum = trace_checksum(head, before);

	for (unsigned i = 0; i < 4; i++)
		head[12 + i] = (uint8_t)(sum >> 8 * i);
	if (!trace_parse(&trace, head, before, length, &err))
		walk(&trace, &input);
	else
		MUST(err.kind == ERROR_INPUT && *err.text);
	trace_release(&trace);
	free(head);
	return 0;
}
