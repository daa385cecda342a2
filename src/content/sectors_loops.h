/*
 * Loops over sectors in GCC's vector types, included by sectors.c once for each kind of processor:
 * TARGET is the attribute of its functions, NAMED(x) their names. The bytes are the same for all.
 *
 * A sector is 8 rows of 64 bytes from an add-rotate-xor generator of 8 lanes, which starts anew
 * from the hash of each sector's stamp: any sector can be made without those before it.
 */
#include "content/rows.h"

#define INLINE static inline TARGET __attribute__((always_inline))

INLINE void NAMED(start)(uint64_t hash, struct lanes *at)
{
	at->a = hash ^ (row) { ROW_CONSTANTS_A };
	at->b = hash + (row){ROW_CONSTANTS_B};
}

/* Steps the generator; the next row is then at->a. */
INLINE void NAMED(step)(struct lanes *at)
{
	at->a += at->b;
	at->b = (at->b << 23 | at->b >> 41) ^ at->a;
}

/* Makes the mask of the row in which the live part of a sector ends. */
INLINE void NAMED(keep)(unsigned bytes, row *kept)
{
	*kept = (row){0};
	for (unsigned i = 0; i < bytes / sizeof(uint64_t); i++)
		(*kept)[i] = UINT64_MAX;
}

/* Makes a stamp from its hash and what the hash hides. */
INLINE void NAMED(put)(const words *rest, uint64_t hash, void *bytes)
{
	const words by = {STAMP_ROTATE_SEED, STAMP_ROTATE_OFFSET, STAMP_ROTATE_WHO,
			  STAMP_ROTATE_HASH};
	words stamp = hash - (words){0};

	stamp = (stamp << by | stamp >> (64 - by)) ^ *rest;
	((struct words_at *)bytes)->words = stamp;
}

TARGET static void NAMED(stamp)(const struct stamper *stamper, uint64_t sector, void *bytes,
				uint64_t count)
{
	uint64_t position = stamp_position(stamper, sector);
	words rest = {stamper->seed, sector * SECTOR, stamper->who, 0};
	char *to = bytes;

	for (uint64_t i = 0; i < count; i++, to += SECTOR) {
		NAMED(put)(&rest, stamp_fold(position), to);
		position += STAMP_STEP;
		rest += (words){0, SECTOR, 0, 0};
	}
}

/* A constant `live` lets the compiler make a loop for that value. */
INLINE void NAMED(random)(const struct stamper *stamper, uint64_t sector, const unsigned live,
			  void *bytes, uint64_t count)
{
	const unsigned whole = live / sizeof(row);
	uint64_t position = stamp_position(stamper, sector);
	words rest = {stamper->seed, sector * SECTOR, stamper->who, 0};
	struct row_at *to = bytes;
	row kept;

	NAMED(keep)(live % sizeof(row), &kept);
	for (uint64_t i = 0; i < count; i++, to += ROWS) {
		uint64_t hash = stamp_fold(position);
		struct lanes at;

		NAMED(start)(hash, &at);
		for (unsigned k = 0; k < whole; k++) {
			NAMED(step)(&at);
			to[k].row = at.a;
		}
		NAMED(step)(&at);
		for (unsigned k = whole; k < ROWS; k++)
			to[k].row = k == whole ? at.a & kept : (row){0};
		NAMED(put)(&rest, hash, to);
		position += STAMP_STEP;
		rest += (words){0, SECTOR, 0, 0};
	}
}

TARGET static void NAMED(random_whole)(const struct stamper *stamper, uint64_t sector, void *bytes,
				       uint64_t count)
{
	NAMED(random)(stamper, sector, SECTOR, bytes, count);
}

TARGET static void NAMED(random_part)(const struct stamper *stamper, uint64_t sector, unsigned live,
				      void *bytes, uint64_t count)
{
	NAMED(random)(stamper, sector, live, bytes, count);
}

/* Writes `lines` rows of words that count up from `next`, each or-ed with `task`. */
TARGET static void NAMED(count)(uint64_t task, uint64_t next, void *bytes, uint64_t lines)
{
	const row upper = task - (row){0};
	row words = next + (row){0, 1, 2, 3, 4, 5, 6, 7};
	struct row_at *to = bytes;

	for (uint64_t i = 0; i < lines; i++) {
		to[i].row = words | upper;
		words += LANES;
	}
}

#undef INLINE
