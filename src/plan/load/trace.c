/* The head and the tables of a native trace. */
#include "plan/load/trace.h"

#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FORMAT_VERSION = 1, FILE_BYTES = 48, STREAM_BYTES = 32, UNIX_TIME = 1 };
enum { STREAMS_MOST = 1 << 16, NAME_MOST = 4096 };

/* Where the numbers of the head lie. */
enum head {
	HEAD_VERSION = 8,
	HEAD_CHECKSUM = 12,
	HEAD_SIZE = 16,
	HEAD_RECORDS_AT = 24,
	HEAD_FILES = 32,
	HEAD_STREAMS = 36,
	HEAD_NAMES = 40,
	HEAD_ORIGIN = 48,
	HEAD_SPAN = 56,
	HEAD_OPERATIONS = 64,
	HEAD_MOVED = 96,
	HEAD_LARGEST = 128,
	HEAD_GRANULE = 132,
	HEAD_FLAGS = 140,
	HEAD_KNOWN = 144,
};

static const char magic[8] = {'i', 'o', 'r', 'x', '\r', '\n', 0x1a, '\n'};

uint32_t trace_u32(const void *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return le32toh(value);
}

uint64_t trace_u64(const void *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return le64toh(value);
}

uint32_t trace_checksum(const void *of, size_t length)
{
	const unsigned char *bytes = of;
	uint32_t sum = UINT32_MAX, table[256];

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xEDB88320U : 0);
	}
	for (size_t i = 0; i < length; i++) {
		const bool is_field = i >= HEAD_CHECKSUM && i < HEAD_CHECKSUM + 4;

		sum = sum >> 8 ^ table[(sum ^ (is_field ? 0 : bytes[i])) & 0xFF];
	}
	return ~sum;
}

static uint64_t tables_end(const unsigned char *head)
{
	return TRACE_HEAD_BYTES + (uint64_t)FILE_BYTES * trace_u32(head + HEAD_FILES) +
	       (uint64_t)STREAM_BYTES * trace_u32(head + HEAD_STREAMS);
}

int trace_find_records(const void *head, uint64_t size, uint64_t *before, struct error *err)
{
	const unsigned char *bytes = head;
	uint32_t files, streams;
	uint64_t names, end;

	if (size < TRACE_HEAD_BYTES || memcmp(bytes, magic, sizeof(magic)))
		return error_input(err, "it is no trace of iorx; iorx-translate trace makes one of "
					"the logs of other programs");
	if (trace_u32(bytes + HEAD_VERSION) != FORMAT_VERSION)
		return error_input(err,
				   "it has version %" PRIu32 " of the format, and this iorx reads "
				   "version %d",
				   trace_u32(bytes + HEAD_VERSION), FORMAT_VERSION);
	if (trace_u64(bytes + HEAD_SIZE) != size)
		return error_input(err,
				   "it has %" PRIu64 " bytes and says %" PRIu64
				   ": it was cut or has grown; copy it again",
				   size, trace_u64(bytes + HEAD_SIZE));
	files = trace_u32(bytes + HEAD_FILES);
	streams = trace_u32(bytes + HEAD_STREAMS);
	names = trace_u64(bytes + HEAD_NAMES);
	*before = trace_u64(bytes + HEAD_RECORDS_AT);
	if (files > TRACE_MOST_FILES)
		return error_input(err, "it has %" PRIu32 " files, and iorx replays at most %d",
				   files, TRACE_MOST_FILES);
	end = tables_end(bytes) + names;
	if (!files || !streams || streams > STREAMS_MOST || names > (uint64_t)NAME_MOST * files ||
	    *before != (end + TRACE_RECORD_BYTES - 1) / TRACE_RECORD_BYTES * TRACE_RECORD_BYTES ||
	    *before > size)
		return error_input(err, "its head contradicts itself: it is damaged");
	return 0;
}

static void take_head(struct trace *trace, const unsigned char *head)
{
	*trace = (struct trace){
		.checksum = trace_u32(head + HEAD_CHECKSUM),
		.bytes = trace_u64(head + HEAD_SIZE),
		.origin_ns = trace_u64(head + HEAD_ORIGIN),
		.span_ns = trace_u64(head + HEAD_SPAN),
		.largest = trace_u32(head + HEAD_LARGEST),
		.granule = trace_u32(head + HEAD_GRANULE),
		.known = trace_u64(head + HEAD_KNOWN),
		.files = trace_u32(head + HEAD_FILES),
		.streams = trace_u32(head + HEAD_STREAMS),
	};
	for (unsigned i = 0; i < TRACE_OPERATIONS; i++) {
		trace->operations[i] = trace_u64(head + HEAD_OPERATIONS + 8 * i);
		trace->moved[i] = trace_u64(head + HEAD_MOVED + 8 * i);
	}
}

static uint64_t all_operations(const struct trace *trace)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < TRACE_OPERATIONS; i++)
		all += trace->operations[i];
	return all;
}

/* Takes the sizes of the files. Returns whether they agree with the head. */
static bool take_files(struct trace *trace, const unsigned char *at)
{
	uint64_t records = 0, read = 0, written = 0, sum = 0;

	trace->file_bytes = memory_allocate(trace->files, sizeof(*trace->file_bytes));
	for (uint32_t i = 0; i < trace->files; i++, at += FILE_BYTES) {
		trace->file_bytes[i] = trace_u64(at);
		records += trace_u64(at + 24);
		read += trace_u64(at + 32);
		written += trace_u64(at + 40);
		/* Both are below 2^62, so that nothing overflows. */
		if (trace->file_bytes[i] > INT64_MAX / 2 || sum > INT64_MAX / 2)
			return false;
		sum += trace->file_bytes[i];
	}
	return records && records == all_operations(trace) && read == trace->moved[TRACE_READ] &&
	       written == trace->moved[TRACE_WRITE];
}

/* Takes the streams. Returns whether they fill the file behind `next`, and agree with the head. */
static bool take_streams(struct trace *trace, const unsigned char *at, uint64_t next)
{
	const uint64_t room = (trace->bytes - next) / TRACE_RECORD_BYTES;
	uint64_t first = UINT64_MAX, last = 0, records = 0;

	trace->stream = memory_allocate(trace->streams, sizeof(*trace->stream));
	for (uint32_t i = 0; i < trace->streams; i++, at += STREAM_BYTES) {
		struct trace_stream *stream = &trace->stream[i];

		*stream = (struct trace_stream){trace_u64(at), trace_u64(at + 8),
						trace_u64(at + 16), trace_u64(at + 24)};
		if (stream->at != next || stream->records > room - records ||
		    stream->first_due > stream->last_due)
			return false;
		records += stream->records;
		next += stream->records * TRACE_RECORD_BYTES;
		if (stream->records && stream->first_due < first)
			first = stream->first_due;
		if (stream->records && stream->last_due > last)
			last = stream->last_due;
	}
	return next == trace->bytes && records == all_operations(trace) &&
	       first == trace->origin_ns && last - first == trace->span_ns;
}

int trace_parse(struct trace *trace, const void *bytes, size_t length, uint64_t size,
		struct error *err)
{
	const unsigned char *head = bytes;
	uint64_t before;

	*trace = (struct trace){0};
	if (length < TRACE_HEAD_BYTES || trace_find_records(head, size, &before, err))
		return err->kind ? -1 : error_input(err, "it ends within its head");
	if (length != before || trace_checksum(head, length) != trace_u32(head + HEAD_CHECKSUM))
		return error_input(err, "the checksum of its head and tables is wrong: it is "
					"damaged; copy it again");
	take_head(trace, head);
	if (trace_u32(head + HEAD_FLAGS) & ~(uint32_t)UNIX_TIME ||
	    !take_files(trace, head + TRACE_HEAD_BYTES) ||
	    !take_streams(trace, head + TRACE_HEAD_BYTES + (uint64_t)FILE_BYTES * trace->files,
			  before) ||
	    (trace_transfers(trace) && (!trace->granule || !trace->largest)))
		return error_input(err, "its tables contradict its head; whatever wrote it does "
					"not follow doc/trace.md");
	return 0;
}

void trace_release(struct trace *trace)
{
	free(trace->file_bytes);
	free(trace->stream);
	*trace = (struct trace){0};
}

bool trace_is_of(const struct trace *trace, const void *head)
{
	const unsigned char *bytes = head;

	return trace_u32(bytes + HEAD_CHECKSUM) == trace->checksum &&
	       trace_u64(bytes + HEAD_SIZE) == trace->bytes;
}

uint64_t trace_transfers(const struct trace *trace)
{
	return trace->operations[TRACE_READ] + trace->operations[TRACE_WRITE];
}
