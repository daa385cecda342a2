/*
 * The stamp: the first 32 bytes of each 512-byte sector of a file, which say where the sector
 * belongs. Stamps look random but are recognised without other data. The last word is a hash of the
 * contents of the three others, and is xor-ed into them. The byte order is that of the machine that
 * wrote it.
 */
#ifndef CONTENT_STAMP_H
#define CONTENT_STAMP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/content_room.h"

enum { STAMP_WORDS = 4, STAMP_BYTES = STAMP_WORDS * 8 };

#define STAMP_STEP UINT64_C(0x9e3779b97f4a7c15) /* from one sector's hash to the next's */

/* The words are seed, offset, who and 0, each xor the hash rotated by so many bits. */
enum {
	STAMP_ROTATE_SEED = 13,
	STAMP_ROTATE_OFFSET = 29,
	STAMP_ROTATE_WHO = 47,
	STAMP_ROTATE_HASH = 5,
};

/* The values that all sectors of a file have in common in one repetition. */
struct stamper {
	uint64_t seed;
	uint64_t who; /* file | repetition << 32 */
	uint64_t key;
};

static inline uint64_t stamp_rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

/* Mixes x: both halves of the product are combined, so that every bit of x affects every bit. */
static inline uint64_t stamp_fold(uint64_t x)
{
	unsigned __int128 product = (unsigned __int128)x * UINT64_C(0xd6e8feb86659fd93);

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t stamp_key(uint64_t seed, uint64_t who)
{
	uint64_t key = stamp_fold(seed + UINT64_C(0xa0761d6478bd642f));

	return stamp_fold(key ^ (who + UINT64_C(0xe7037ed1a0b428db)));
}

static inline struct stamper stamper_make(uint64_t seed, uint32_t file, uint32_t repetition)
{
	uint64_t who = file | (uint64_t)repetition << 32;

	return (struct stamper){seed, who, stamp_key(seed, who)};
}

/* The input of a sector's hash. The next sector's is larger by STAMP_STEP. */
static inline uint64_t stamp_position(const struct stamper *stamper, uint64_t sector)
{
	return stamper->key + sector * STAMP_STEP;
}

/* Reads 32 bytes as a stamp; false if they are none. */
static inline bool stamp_read(const void *bytes, struct stamper *stamper, uint64_t *offset)
{
	uint64_t words[STAMP_WORDS], hash;

	memcpy(words, bytes, sizeof(words));
	hash = stamp_rotate(words[3], 64 - STAMP_ROTATE_HASH);
	*offset = words[1] ^ stamp_rotate(hash, STAMP_ROTATE_OFFSET);
	if (*offset % SECTOR)
		return false;
	stamper->seed = words[0] ^ stamp_rotate(hash, STAMP_ROTATE_SEED);
	stamper->who = words[2] ^ stamp_rotate(hash, STAMP_ROTATE_WHO);
	stamper->key = stamp_key(stamper->seed, stamper->who);
	return stamp_fold(stamp_position(stamper, *offset / SECTOR)) == hash;
}

#endif
