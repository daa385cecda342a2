/* Native traces in memory, made of records. */
#ifndef TESTS_UNIT_TRACE_SCENE_H
#define TESTS_UNIT_TRACE_SCENE_H

#include <endian.h>
#include <string.h>

#include "base/text.h"
#include "plan/load/trace_walk.h"

/* A record; those of a stream follow each other. Lengths and offsets are in bytes. */
struct trace_given {
	unsigned stream;
	uint64_t due_ns, offset;
	uint32_t length, file, duration;
	uint8_t operation, flags;
};

enum { SCENE_FILES = 48, SCENE_STREAMS = 32, SCENE_NAME = 1 };

static inline void trace_scene_put(struct text *bytes, size_t at, uint64_t value, size_t size)
{
	value = htole64(value);
	memcpy(bytes->bytes + at, &value, size);
}

static inline uint64_t trace_scene_number(const struct text *bytes, size_t at)
{
	return trace_u64(bytes->bytes + at);
}

static inline void trace_scene_raise(struct text *bytes, size_t at, uint64_t by)
{
	trace_scene_put(bytes, at, trace_scene_number(bytes, at) + by, 8);
}

/* Puts the checksum again after a change before the records. */
static inline void trace_scene_seal(struct text *bytes)
{
	const size_t before = trace_scene_number(bytes, 24);

	trace_scene_put(bytes, 12, trace_checksum(bytes->bytes, before), 4);
}

/* Appends a trace of records, files and streams, whose largest request is 1 MiB. */
static inline void trace_scene_make(struct text *bytes, const struct trace_given *given,
				    unsigned count, unsigned files, unsigned streams)
{
	const size_t file_at = TRACE_HEAD_BYTES, stream_at = file_at + files * SCENE_FILES;
	const size_t names_at = stream_at + streams * SCENE_STREAMS;
	const size_t before = (names_at + files * SCENE_NAME + TRACE_RECORD_BYTES - 1) /
			      TRACE_RECORD_BYTES * TRACE_RECORD_BYTES;
	const size_t size = before + count * TRACE_RECORD_BYTES;
	uint64_t first = UINT64_MAX, last = 0, next = before;

	for (size_t i = 0; i < size; i++)
		text_add_bytes(bytes, "", 1);
	memcpy(bytes->bytes, "iorx\r\n\x1a\n", 8);
	trace_scene_put(bytes, 8, 1, 4);
	trace_scene_put(bytes, 16, size, 8);
	trace_scene_put(bytes, 24, before, 8);
	trace_scene_put(bytes, 32, files, 4);
	trace_scene_put(bytes, 36, streams, 4);
	trace_scene_put(bytes, 40, files * SCENE_NAME, 8);
	trace_scene_put(bytes, 128, 1 << 20, 4);
	trace_scene_put(bytes, 132, 512, 4);
	for (unsigned i = 0; i < files; i++) {
		trace_scene_put(bytes, file_at + i * SCENE_FILES + 8, i, 8);
		trace_scene_put(bytes, file_at + i * SCENE_FILES + 16, SCENE_NAME, 4);
		bytes->bytes[names_at + i] = 'a';
	}
	for (unsigned i = 0; i < count; i++) {
		const struct trace_given *one = &given[i];
		const size_t file = file_at + one->file * SCENE_FILES;
		const size_t stream = stream_at + one->stream * SCENE_STREAMS;
		const size_t at = before + i * TRACE_RECORD_BYTES;
		const uint64_t end = one->offset + one->length;

		trace_scene_put(bytes, at, one->due_ns, 8);
		trace_scene_put(bytes, at + 8, one->offset, 8);
		trace_scene_put(bytes, at + 16, one->length, 4);
		trace_scene_put(bytes, at + 20, one->file, 4);
		trace_scene_put(bytes, at + 24, one->duration, 4);
		bytes->bytes[at + 28] = (char)one->operation;
		bytes->bytes[at + 29] = (char)one->flags;
		trace_scene_raise(bytes, 64 + 8U * one->operation, 1);
		trace_scene_raise(bytes, 96 + 8U * one->operation, one->length);
		trace_scene_raise(bytes, 144, one->duration > 0);
		trace_scene_raise(bytes, file + 24, 1);
		if (one->operation < TRACE_SYNC)
			trace_scene_raise(bytes, file + 32 + 8U * one->operation, one->length);
		if (trace_scene_number(bytes, file) < end)
			trace_scene_put(bytes, file, end, 8);
		if (!trace_scene_number(bytes, stream + 8))
			trace_scene_put(bytes, stream + 16, one->due_ns, 8);
		trace_scene_put(bytes, stream + 24, one->due_ns, 8);
		trace_scene_raise(bytes, stream + 8, 1);
		first = one->due_ns < first ? one->due_ns : first;
		last = one->due_ns > last ? one->due_ns : last;
	}
	for (unsigned i = 0; i < streams; i++) {
		const size_t stream = stream_at + i * SCENE_STREAMS;

		trace_scene_put(bytes, stream, next, 8);
		next += trace_scene_number(bytes, stream + 8) * TRACE_RECORD_BYTES;
	}
	trace_scene_put(bytes, 48, first, 8);
	trace_scene_put(bytes, 56, last - first, 8);
	trace_scene_seal(bytes);
}

/* A trace_reader of such bytes. */
static inline int trace_scene_read(void *context, uint64_t at, void *to, size_t length,
				   struct error *err)
{
	const struct text *bytes = context;

	if (at + length > bytes->length)
		return error_set(err, 5, "pread: the end");
	memcpy(to, bytes->bytes + at, length);
	return 0;
}

#endif
