/*
 * Counters of I/O calls as Darshan defines them, taken at the call of the backend: sizes, order and
 * extent. A call counts when it returned without an error, with the bytes it moved.
 * doc/measurement.md defines each number. The struct is plain memory of one size. Merging is exact
 * and independent of the order, except for the common sizes.
 */
#ifndef MEASURE_COUNTERS_H
#define MEASURE_COUNTERS_H

#include <stdint.h>

#include "backends/backend.h"

enum { COUNTER_SIZES = 10, COUNTER_COMMON = 16 };

/* The order of one task's accesses to one open file, noted call by call. */
struct sequence {
	uint64_t next;	      /* end of the last access; 1 after an open: 0 follows nothing */
	uint64_t most;	      /* farthest end, bytes */
	uint64_t consecutive; /* accesses that begin where the access before ended */
	uint64_t sequential;  /* accesses that begin there or farther on */
	uint64_t misaligned;
	uint64_t align_mask; /* alignment - 1, a power of two */
};

static inline void sequence_note(struct sequence *sequence, uint64_t offset, uint64_t length)
{
	uint64_t end = offset + length;

	sequence->consecutive += offset == sequence->next;
	sequence->sequential += offset >= sequence->next;
	sequence->misaligned += (offset & sequence->align_mask) != 0;
	sequence->next = end;
	sequence->most = end > sequence->most ? end : sequence->most;
}

/*
 * Corrects an access that was noted with its full length when submitted and then moved less. Other
 * accesses may have been noted since.
 */
static inline void sequence_cut(struct sequence *sequence, uint64_t offset, uint64_t length,
				uint64_t moved)
{
	if (sequence->next == offset + length)
		sequence->next = offset + moved;
	if (sequence->most == offset + length)
		sequence->most = offset + moved;
}

/* Counters of the reads or of the writes. */
struct access_counters {
	uint64_t calls, bytes;
	uint64_t alone; /* independent calls of a test whose calls are collective */
	uint64_t most;	/* farthest end of an access, bytes */
	uint64_t consecutive, sequential;
	uint64_t sizes[COUNTER_SIZES]; /* calls by bytes: up to 100, 1 KiB, 10 KiB … */
};

struct common_size {
	uint64_t bytes, count;
};

struct counters {
	uint64_t opens, stats, syncs, switches, misaligned;
	uint64_t alignment;
	struct access_counters reads, writes;
	/*
	 * The most frequent sizes. A task with more than COUNTER_COMMON sizes forgets some; count
	 * 0: unused.
	 */
	struct common_size common[COUNTER_COMMON];
};

static inline struct access_counters *counters_of(struct counters *counters, enum access access)
{
	return access == ACCESS_READ ? &counters->reads : &counters->writes;
}

/* Adds `count` calls that moved `bytes` each. */
void counters_add_calls(struct counters *counters, struct access_counters *of, uint64_t bytes,
			uint64_t count);
void counters_merge(struct counters *into, const struct counters *from);

/*
 * Index of the size range of a call, as Darshan has ten: 0 for up to 100 bytes … 9 for more than 1
 * GiB.
 */
unsigned counters_size(uint64_t bytes);

#endif
