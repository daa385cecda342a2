/*
 * Calls as Darshan counts them, at our own boundary: which sizes, in which order, how far. A call
 * counts when it returned without an error, with the bytes it moved. doc/measurement.md says what each
 * number means. Plain memory of one size; merging is exact and in any order, but for the sizes kept.
 */
#ifndef MEASURE_COUNTERS_H
#define MEASURE_COUNTERS_H

#include <stdint.h>

#include "backends/backend.h"

enum { COUNTER_SIZES = 10, COUNTER_COMMON = 16 };

/* The order of one task's accesses to one open file, noted call by call. */
struct sequence {
	uint64_t next;        /* behind the last one; 1 behind an open, so that offset 0 follows nothing */
	uint64_t most;        /* farthest end, bytes */
	uint64_t consecutive; /* right behind the one before */
	uint64_t sequential;  /* there or farther */
	uint64_t misaligned;
	uint64_t align_mask;  /* alignment - 1, a power of two */
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

/* One that was noted with its full length, as it was submitted, moved less; others may have followed. */
static inline void sequence_cut(struct sequence *sequence, uint64_t offset, uint64_t length,
				uint64_t moved)
{
	if (sequence->next == offset + length)
		sequence->next = offset + moved;
	if (sequence->most == offset + length)
		sequence->most = offset + moved;
}

/* Of reads or of writes. */
struct access_counters {
	uint64_t calls, bytes;
	uint64_t alone; /* of the calls, those no other task takes part in, where the test's are collective */
	uint64_t most; /* farthest end, bytes */
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
	/* The sizes that came most often, of more than COUNTER_COMMON some are forgotten; count 0: none. */
	struct common_size common[COUNTER_COMMON];
};

static inline struct access_counters *counters_of(struct counters *counters, enum access access)
{
	return access == ACCESS_READ ? &counters->reads : &counters->writes;
}

/* `count` calls that moved so many bytes each. */
void counters_add_calls(struct counters *counters, struct access_counters *of, uint64_t bytes,
			uint64_t count);
void counters_merge(struct counters *into, const struct counters *from);

/* Of the ten ranges: 0 for up to 100 bytes … 9 for more than 1 GiB. */
unsigned counters_size(uint64_t bytes);

#endif
