/*
 * The head and the tables of a native trace (doc/trace.md), which are all that a plan needs of it.
 * Nothing here reads a file or looks at a record.
 */
#ifndef PLAN_LOAD_TRACE_H
#define PLAN_LOAD_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
	TRACE_HEAD_BYTES = 256,
	TRACE_RECORD_BYTES = 32,
	TRACE_MOST_FILES = 4096, /* of a task: all of them are open at the same time */
	TRACE_MOST_STREAMS = 64, /* of a task: each has a buffer */
};

/* The operations of records, by their numbers in the file. */
enum trace_operation { TRACE_READ, TRACE_WRITE, TRACE_SYNC, TRACE_TRIM, TRACE_OPERATIONS };

/* The requests of one thread, task or volume. */
struct trace_stream {
	uint64_t at;	  /* of its first record, in bytes from the begin of the file */
	uint64_t records; /* it may have none */
	uint64_t first_due, last_due;
};

struct trace {
	uint32_t checksum; /* of all bytes before the records: two traces with one are the same */
	uint64_t bytes;	   /* of the whole file */
	uint64_t origin_ns, span_ns;
	uint64_t operations[TRACE_OPERATIONS], moved[TRACE_OPERATIONS]; /* bytes */
	uint64_t largest;						/* bytes of a request */
	uint64_t granule; /* divides all offsets and lengths; 0: there are only fsyncs */
	uint64_t known;	  /* records with a duration */
	uint32_t files, streams;
	uint64_t *file_bytes; /* that each file needs */
	struct trace_stream *stream;
};

/*
 * Finds how many bytes come before the records. head: the first TRACE_HEAD_BYTES of a file of
 * `size` bytes. Returns 0, or -1 with ERROR_INPUT and a text that does not name the file.
 */
int trace_find_records(const void *head, uint64_t size, uint64_t *before, struct error *err);

/*
 * Parses the bytes before the records of a file of `size` bytes, and checks that they agree with
 * each other. Returns 0, or -1 with ERROR_INPUT as above. trace_release() frees its memory, also
 * after an error.
 */
int trace_parse(struct trace *trace, const void *bytes, size_t length, uint64_t size,
		struct error *err);
void trace_release(struct trace *trace);

/*
 * The checksum of the bytes before the records, TRACE_HEAD_BYTES or more: the CRC-32 of IEEE 802.3
 * as zlib computes it, with zeros in the field that holds it.
 */
uint32_t trace_checksum(const void *bytes, size_t length);

/* True if the TRACE_HEAD_BYTES of a file are those of the trace. */
bool trace_is_of(const struct trace *trace, const void *head);

/* Reads and writes; fsyncs and trims are no transfers. */
uint64_t trace_transfers(const struct trace *trace);

/* Little-endian numbers of the file. */
uint32_t trace_u32(const void *at);
uint64_t trace_u64(const void *at);

#endif
