/* The requests of some streams of a native trace. */
#include "plan/load/trace_walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { LANE_RECORDS = 1024 };

/* One record, and where its numbers lie. */
struct record {
	uint64_t due_ns, offset, length;
	uint32_t file, duration;
	uint8_t operation, flags;
};

enum { RECORD_OFFSET = 8, RECORD_LENGTH = 16, RECORD_FILE = 20, RECORD_DURATION = 24 };
enum { RECORD_OPERATION = 28, RECORD_FLAGS = 29 };
enum { ONLY_DATA = 1, GOES_ON = 2, DURATION_NS = 100 };

/* One stream, and the records of it that were read. */
struct lane {
	const struct trace_stream *stream;
	uint64_t first;	      /* number of the record with which each round begins */
	uint64_t next;	      /* number of the record that is read next */
	unsigned at, held;    /* in bytes: of the record at hand, and the end of those held */
	uint64_t before_ns;   /* due of the record before */
	struct record record; /* at hand */
	unsigned char *bytes;
};

struct trace_walk {
	const struct trace *trace;
	struct trace_play play;
	trace_reader *read;
	void *context;
	struct lane *lanes;
	unsigned count;
	unsigned heap[TRACE_MOST_STREAMS]; /* lanes with a record, the earliest due first */
	unsigned waiting;		   /* lanes in the heap */
	uint64_t round_ns;		   /* added to all that is due, as earlier rounds took it */
	uint64_t done_ns;		   /* with TRACE_PACE_THINK: when the last request ends */
	uint64_t then_ns; /* the moment in the trace when that one had ended there */
	struct error err;
};

/* --- the time of a trace -------------------------------------------------------------------- */

/* End of the part, in ns of the trace. */
static uint64_t part_end(const struct trace *trace, const struct trace_play *play)
{
	return play->until_ns < trace->span_ns ? play->until_ns : trace->span_ns;
}

/* Beyond 2^56 ns, two years, the exact moment does not matter, and nothing may overflow. */
static uint64_t trace_walk_scale(const struct trace_play *play, uint64_t ns)
{
	const uint64_t most = UINT64_C(1) << 56;
	const double scaled = (double)ns / play->speed;

	if (scaled > (double)most)
		return most;
	return play->speed > 1 || play->speed < 1 ? (uint64_t)scaled : ns;
}

uint64_t trace_play_ns(const struct trace *trace, const struct trace_play *play)
{
	const uint64_t end = part_end(trace, play);

	return trace_walk_scale(play, end > play->from_ns ? end - play->from_ns : 0) + 1;
}

/* From the begin of one round of a loop to that of the next, which is one mean gap longer. */
static uint64_t round_ns(const struct trace *trace, const struct trace_play *play)
{
	const uint64_t transfers = trace_transfers(trace);
	const uint64_t gap = transfers > 1 ? trace->span_ns / (transfers - 1) : 0;

	return trace_play_ns(trace, play) +
	       (play->until_ns > trace->span_ns ? trace_walk_scale(play, gap) : 0);
}

double trace_play_rate(const struct trace *trace, const struct trace_play *play)
{
	const struct trace_play whole = {.until_ns = UINT64_MAX, .speed = play->speed};
	const uint64_t ns = (play->loops ? round_ns : trace_play_ns)(trace, &whole);

	return (double)trace_transfers(trace) * 1e9 / (double)ns;
}

/* --- the records of one stream -------------------------------------------------------------- */

static bool trace_walk_fail(struct trace_walk *walk, const struct lane *lane, const char *what)
{
	const uint64_t held = (lane->held - lane->at) / TRACE_RECORD_BYTES;

	if (walk->err.kind == ERROR_NONE)
		error_set(&walk->err, 0,
			  "record %" PRIu64
			  " of stream %td of the trace %s; whatever wrote it does "
			  "not follow doc/trace.md, or it is damaged",
			  lane->next - held, lane->stream - walk->trace->stream, what);
	return false;
}

/* Reads records behind those that are held, as many as there is room for. */
static bool trace_walk_fill(struct trace_walk *walk, struct lane *lane)
{
	uint64_t count = lane->stream->records - lane->next;
	size_t length;

	memmove(lane->bytes, lane->bytes + lane->at, lane->held - lane->at);
	lane->held -= lane->at;
	lane->at = 0;
	if (count > LANE_RECORDS - lane->held / TRACE_RECORD_BYTES)
		count = LANE_RECORDS - lane->held / TRACE_RECORD_BYTES;
	length = count * TRACE_RECORD_BYTES;
	if (length && walk->read(walk->context, lane->stream->at + lane->next * TRACE_RECORD_BYTES,
				 lane->bytes + lane->held, length, &walk->err))
		return false;
	lane->next += count;
	lane->held += (unsigned)length;
	return true;
}

static bool trace_walk_check(struct trace_walk *walk, const struct lane *lane)
{
	const struct trace *trace = walk->trace;
	const struct record *record = &lane->record;
	const bool is_sync = record->operation == TRACE_SYNC;

	if (record->operation >= TRACE_OPERATIONS || !trace->operations[record->operation] ||
	    record->flags & ~(ONLY_DATA | GOES_ON))
		return trace_walk_fail(walk, lane,
				       "has a flag or operation that the head does not know");
	if (record->due_ns < lane->before_ns || record->due_ns < lane->stream->first_due ||
	    record->due_ns > lane->stream->last_due)
		return trace_walk_fail(walk, lane, "is not in the order of time");
	if (record->file >= trace->files)
		return trace_walk_fail(walk, lane, "has an unknown file");
	if ((record->length == 0) != is_sync || record->length > trace->largest ||
	    record->length > trace->file_bytes[record->file] ||
	    record->offset > trace->file_bytes[record->file] - record->length)
		return trace_walk_fail(walk, lane, "reaches beyond its file, or has no length");
	return true;
}

/* Takes the record at hand. Returns false behind the last one, and after a failure. */
static bool trace_walk_take(struct trace_walk *walk, struct lane *lane)
{
	const unsigned char *at;

	if (lane->at == lane->held && (!trace_walk_fill(walk, lane) || lane->at == lane->held))
		return false;
	at = lane->bytes + lane->at;
	lane->before_ns = lane->record.due_ns;
	lane->record = (struct record){
		.due_ns = trace_u64(at),
		.offset = trace_u64(at + RECORD_OFFSET),
		.length = trace_u32(at + RECORD_LENGTH),
		.file = trace_u32(at + RECORD_FILE),
		.duration = trace_u32(at + RECORD_DURATION),
		.operation = at[RECORD_OPERATION],
		.flags = at[RECORD_FLAGS],
	};
	if (!trace_walk_check(walk, lane))
		return false;
	lane->at += TRACE_RECORD_BYTES;
	return lane->record.due_ns - walk->trace->origin_ns < walk->play.until_ns;
}

/* Finds the first record of a stream that belongs to the part. */
static void find_first(struct trace_walk *walk, struct lane *lane)
{
	const uint64_t from_ns = walk->trace->origin_ns + walk->play.from_ns;
	uint64_t low = 0, high = lane->stream->records;
	unsigned char due[sizeof(uint64_t)];

	while (walk->play.from_ns && low < high) {
		const uint64_t middle = low + (high - low) / 2;

		if (walk->read(walk->context, lane->stream->at + middle * TRACE_RECORD_BYTES, due,
			       sizeof(due), &walk->err))
			return;
		if (trace_u64(due) < from_ns)
			low = middle + 1;
		else
			high = middle;
	}
	lane->first = low;
}

/* --- all streams of the walk ---------------------------------------------------------------- */

/* The first lane of the trace comes first where two are due at the same time. */
static bool is_before(const struct trace_walk *walk, unsigned a, unsigned b)
{
	const uint64_t a_ns = walk->lanes[a].record.due_ns, b_ns = walk->lanes[b].record.due_ns;

	return a_ns < b_ns || (a_ns == b_ns && a < b);
}

/* Moves the lane at a place of the heap down, behind those that are due before it. */
static void sink(struct trace_walk *walk, unsigned place)
{
	const unsigned lane = walk->heap[place];
	unsigned below;

	while ((below = 2 * place + 1) < walk->waiting) {
		if (below + 1 < walk->waiting &&
		    is_before(walk, walk->heap[below + 1], walk->heap[below]))
			below++;
		if (!is_before(walk, walk->heap[below], lane))
			break;
		walk->heap[place] = walk->heap[below];
		place = below;
	}
	walk->heap[place] = lane;
}

static void begin_round(struct trace_walk *walk)
{
	walk->waiting = 0;
	for (unsigned i = 0; i < walk->count; i++) {
		struct lane *lane = &walk->lanes[i];

		lane->next = lane->first;
		lane->at = lane->held = 0;
		lane->record.due_ns = 0;
		if (trace_walk_take(walk, lane))
			walk->heap[walk->waiting++] = i;
	}
	for (unsigned i = walk->waiting / 2; i-- > 0;)
		sink(walk, i);
}

struct trace_walk *trace_walk_create(const struct trace *trace, const struct trace_play *play,
				     uint32_t first, uint32_t step, trace_reader *read,
				     void *context)
{
	struct trace_walk *walk = memory_allocate(1, sizeof(*walk));

	*walk = (struct trace_walk){
		.trace = trace, .play = *play, .read = read, .context = context};
	walk->then_ns = trace->origin_ns + play->from_ns;
	if (first < trace->streams)
		walk->count = (trace->streams - first - 1) / step + 1;
	walk->lanes = memory_allocate(walk->count + 1, sizeof(*walk->lanes));
	for (unsigned i = 0; i < walk->count && walk->err.kind == ERROR_NONE; i++) {
		walk->lanes[i].stream = &trace->stream[first + i * step];
		walk->lanes[i].bytes = memory_allocate(LANE_RECORDS, TRACE_RECORD_BYTES);
		find_first(walk, &walk->lanes[i]);
	}
	if (walk->err.kind == ERROR_NONE)
		begin_round(walk);
	return walk;
}

void trace_walk_release(struct trace_walk *walk)
{
	for (unsigned i = 0; walk && i < walk->count; i++)
		free(walk->lanes[i].bytes);
	if (walk)
		free(walk->lanes);
	free(walk);
}

const struct error *trace_walk_failure(const struct trace_walk *walk)
{
	return walk->err.kind == ERROR_NONE ? NULL : &walk->err;
}

/* Goes to the next record of the earliest lane. */
static void trace_walk_step(struct trace_walk *walk)
{
	if (!trace_walk_take(walk, &walk->lanes[walk->heap[0]]))
		walk->heap[0] = walk->heap[--walk->waiting];
	if (walk->waiting)
		sink(walk, 0);
}

/* The moment at which a record is due with TRACE_PACE_THINK. Requests may overlap in a stream. */
static uint64_t think(struct trace_walk *walk, const struct record *record)
{
	const uint64_t due_ns = walk->round_ns + record->due_ns;
	const uint64_t gap_ns = due_ns > walk->then_ns ? due_ns - walk->then_ns : 0;
	const uint64_t end_ns = due_ns + (uint64_t)record->duration * DURATION_NS;

	if (end_ns > walk->then_ns)
		walk->then_ns = end_ns;
	return walk->done_ns + gap_ns;
}

static void trace_walk_put(struct trace_walk *walk, const struct record *record,
			   struct load_request *request)
{
	static const enum operation operations[] = {OPERATION_READ, OPERATION_WRITE,
						    OPERATION_SYNC};
	const uint64_t from_ns = walk->trace->origin_ns + walk->play.from_ns;

	*request = (struct load_request){
		.operation = operations[record->operation],
		.file = record->file,
		.offset = record->offset,
		.length = record->length,
		.only_data = record->operation == TRACE_SYNC ? record->flags & ONLY_DATA : 0,
		.recorded_ns = (uint64_t)record->duration * DURATION_NS,
	};
	if (walk->play.pace == TRACE_PACE_RECORDED)
		request->due_ns =
			walk->round_ns + trace_walk_scale(&walk->play, record->due_ns - from_ns);
	else if (walk->play.pace == TRACE_PACE_THINK)
		request->due_ns = think(walk, record);
}

bool trace_walk_next(struct trace_walk *walk, struct load_request *request)
{
	bool found = false, began = false;

	while (!found && walk->err.kind == ERROR_NONE) {
		/* A round may have nothing but trims. */
		if (!walk->waiting && walk->play.loops && !began) {
			began = true;
			walk->round_ns += round_ns(walk->trace, &walk->play);
			begin_round(walk);
		}
		if (!walk->waiting)
			return false;
		const struct record *record = &walk->lanes[walk->heap[0]].record;

		found = record->operation != TRACE_TRIM;
		if (found)
			trace_walk_put(walk, record, request);
		trace_walk_step(walk);
	}
	return found;
}

void trace_walk_done(struct trace_walk *walk, uint64_t done_ns)
{
	walk->done_ns = done_ns;
}

void trace_walk_read_ahead(struct trace_walk *walk)
{
	for (unsigned i = 0; i < walk->count; i++) {
		struct lane *lane = &walk->lanes[i];
		const unsigned half = LANE_RECORDS * TRACE_RECORD_BYTES / 2;

		if (lane->held - lane->at < half && lane->next < lane->stream->records)
			trace_walk_fill(walk, lane);
	}
}
