/*
 * What is written into buffers: random bytes, made once per buffer, and in each transfer a 32-byte
 * stamp every 4 KiB that says which file, offset, repetition and run it belongs to. No two 4 KiB pieces
 * are equal, and no 128 KiB of one transfer compresses; the random part repeats from transfer to
 * transfer. The stamp is also how a file is recognised as made by iorx.
 */
#ifndef CONTENT_CONTENT_H
#define CONTENT_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { CONTENT_STAMP_EVERY = 4096, CONTENT_SMALLEST_STAMPED = 32 };

/* In the byte order of the machine that wrote it. */
struct content_stamp {
	uint64_t magic;
	uint64_t seed;   /* of the run */
	uint64_t offset; /* of the stamp's first byte in the file */
	uint32_t file;   /* number of the file in the test */
	uint32_t repetition;
};

struct content {
	uint64_t seed;
	uint32_t file;
	uint32_t repetition;
};

#define CONTENT_MAGIC UINT64_C(0x5d2b78726f69a917) /* …"iorx"… */

/* Random bytes from the seed (xoshiro256**, Blackman and Vigna 2018). */
void content_prepare(void *buffer, size_t length, uint64_t seed);

/* Stamps one transfer that will lie at `offset`. Below 32 bytes: 8 that differ. */
static inline void content_stamp(const struct content *content, void *buffer, uint64_t length,
				 uint64_t offset)
{
	struct content_stamp stamp = {CONTENT_MAGIC, content->seed, 0, content->file,
				      content->repetition};

	/* Too small for a stamp: the file's start says iorx, all else only that it is unlike. */
	if (length < CONTENT_SMALLEST_STAMPED) {
		uint64_t word = offset ? (offset ^ content->seed) * UINT64_C(0x9e3779b97f4a7c15)
				       : CONTENT_MAGIC;

		memcpy(buffer, &word, length < sizeof(word) ? length : sizeof(word));
		return;
	}
	for (uint64_t at = 0; at < length; at += CONTENT_STAMP_EVERY) {
		uint64_t room = length - at;

		stamp.offset = offset + at;
		memcpy((char *)buffer + at, &stamp, room < sizeof(stamp) ? room : sizeof(stamp));
	}
}

/*
 * Offset in the file of the first 4 KiB piece that does not carry its stamp, UINT64_MAX when all do.
 * The bytes begin at a transfer's start or a multiple of 4 KiB behind it; small: its transfers have
 * no room for a stamp.
 */
uint64_t content_find_wrong(const struct content *content, const void *bytes, uint64_t length,
			    uint64_t offset, bool small);

/* True when the first bytes of a file carry the stamp; at least 8 are needed to tell. */
bool content_recognise(const void *bytes, size_t length);

/* The same of an HDF5 or netCDF file, whose first stamp stands somewhere behind a header. */
bool content_recognise_inside(const void *bytes, size_t length);

#endif
