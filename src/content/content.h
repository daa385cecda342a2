/*
 * Content: makes the bytes to write, checks bytes that were read, and describes wrong data.
 *
 * The byte at an offset of a file depends only on the seed, the file's number in the test, the
 * offset, the repetition and the test's content options. It does not depend on tasks, transfer
 * sizes, order or queue depth. So a reader with transfers of any size can check any range. The
 * stamp of each 512-byte sector says which file and offset it belongs to (stamp.h).
 */
#ifndef CONTENT_CONTENT_H
#define CONTENT_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/content_room.h"
#include "content/sectors.h"
#include "options/test.h"

static inline bool content_has_stamps(enum content_kind kind)
{
	return kind == CONTENT_STAMPED || kind == CONTENT_RANDOM;
}

/* The layout of transfers. Only IOR's data depend on it. */
struct content_layout {
	uint64_t tasks, block, transfer;
	bool shared;
};

/* The content that a test asks for. */
struct content_setup {
	enum content_kind kind;
	uint64_t seed;
	double compress; /* STAMPED, RANDOM: share of each sector that is zeros, 0.9 at most */
	uint64_t dedup;	 /* STAMPED, RANDOM: copies of each block; 0 and 1: one */
	uint64_t dedup_block;
	const char *file;    /* FILE */
	bool spares_private; /* FILE: a job file names it, so it must not be private */
	struct content_layout layout;
};

/*
 * The content of one file in one repetition. It is cheap to copy; copies share the memory that
 * content_start() allocated.
 */
struct content {
	enum content_kind kind;
	uint64_t seed;
	uint32_t file, repetition;
	/*
	 * Data of repetitions from this number on are right too, if they agree with their stamps.
	 * content_select() sets it to UINT32_MAX: no others are right.
	 */
	uint32_t accepts_from;
	struct content_layout layout;
	/* derived from the members above */
	struct stamper stamper;
	unsigned live;	      /* bytes of a sector before its zeros */
	uint64_t shift;	      /* where the file begins in the pool, bytes */
	char *pool;	      /* STAMPED: CONTENT_POOL bytes */
	uint64_t copies, run; /* `run` bytes are repeated `copies` times in a row */
	char *user;	      /* FILE */
	uint64_t user_bytes;
};

/* One transfer's memory. */
struct content_buffer {
	char *bytes; /* page-aligned */
	size_t room; /* content_room() of the transfer */
	bool in_place;
	bool ready; /* prepared, and nothing was read into it since */
};

/* Starts with file 0 in repetition 0. The caller calls content_release() after the test. */
int content_start(struct content *content, const struct content_setup *setup, struct error *err);
/* True if correct data may have many zeros, which a storage may rightly store as a hole. */
bool content_may_be_holes(const struct content *content);
/* Checks that content_file can be used, without reading it, and whether it is private. */
int content_check_file(const char *path, bool spares_private, bool *is_private, struct error *err);
void content_release(struct content *content);
/* Selects another file or repetition of the same seed. */
void content_select(struct content *content, uint32_t file, uint32_t repetition);
/* Switches to another run's seed, to check that run's data. */
void content_reseed(struct content *content, uint64_t seed);

/*
 * Fills the buffer's pool before a phase that writes, untimed. Does nothing if the buffer is ready.
 */
void content_buffer_prepare(const struct content *content, struct content_buffer *buffer);

/* Makes incompressible bytes that belong to no file. */
void content_make_random(void *bytes, uint64_t length, uint64_t seed);

/* Makes the bytes of a range in any memory. */
void content_fill(const struct content *content, void *bytes, uint64_t offset, uint64_t length);

/*
 * Makes the bytes of [offset, offset + length) inside the buffer and returns their address. They
 * lie at its start, or in place, where address and offset agree modulo 4096.
 */
static inline void *content_put(const struct content *content, const struct content_buffer *buffer,
				uint64_t offset, uint64_t length)
{
	if (!buffer->in_place) {
		content_fill(content, buffer->bytes, offset, length);
		return buffer->bytes;
	}
	uint64_t first = offset / SECTOR, end = (offset + length + SECTOR - 1) / SECTOR;
	char *at = buffer->bytes + (offset + content->shift) % CONTENT_POOL;

	sectors_stamp(&content->stamper, first, at - offset % SECTOR, end - first);
	return at;
}

/*
 * Call it before a read that will be checked, so that memory the read did not fill fails the check.
 * Spoils one word in each 512 bytes, and all of a transfer below 8 bytes.
 */
void content_spoil(void *bytes, uint64_t length);

/* True if all bytes are right. */
bool content_check(const struct content *content, const void *bytes, uint64_t offset,
		   uint64_t length);

/* The repetition number of random_prefill's data, which the test's writes replace. */
#define CONTENT_PREFILL (UINT32_MAX - 1)

/* The first of the repetition numbers that belong to passes of loads, up to CONTENT_PREFILL - 1. */
#define CONTENT_PASSES (UINT32_C(1) << 31)

static inline bool content_is_of_pass(uint32_t repetition)
{
	return repetition >= CONTENT_PASSES && repetition < CONTENT_PREFILL;
}

enum damage_kind {
	DAMAGE_BITS,	  /* a few wrong bytes in a right sector */
	DAMAGE_ZEROS,	  /* never written, or lost */
	DAMAGE_STALE,	  /* data of the same position from another repetition */
	DAMAGE_MISPLACED, /* data of another offset or file of this run */
	DAMAGE_SHIFTED,	  /* right data, displaced by less than a page or by no whole sectors */
	DAMAGE_OTHER_RUN, /* another seed */
	DAMAGE_SPOILT,	  /* nothing was read here */
	DAMAGE_RANDOM,
};

/* The position where data belong, by their stamp. */
struct content_origin {
	uint64_t seed, offset;
	uint32_t file, repetition;
};

/* Neighbouring wrong bytes of the same kind. */
struct content_damage {
	uint64_t offset, length; /* in the file: from the first to the last wrong byte */
	uint64_t wrong_bytes;	 /* number of wrong bytes in the range */
	unsigned char expected[8], found[8]; /* from the first wrong byte on, else 0 */
	enum damage_kind kind;
	struct content_origin origin; /* of the first byte: STALE, MISPLACED, SHIFTED, OTHER_RUN */
	int64_t shift; /* SHIFTED: bytes; above 0 the data lie behind their position */
};

typedef void content_visit(void *context, const struct content_damage *damage);

/*
 * Call it if content_check() returned false. Hands each damaged range to visit, in file order, and
 * returns the number of wrong bytes. The bytes must be as content_spoil() and the read left them.
 */
uint64_t content_examine(const struct content *content, const void *bytes, uint64_t offset,
			 uint64_t length, content_visit *visit, void *context);

/* Reads a sector's stamp from its first 32 bytes; false if there is none. */
bool content_learn(const void *sector, struct content_origin *origin);

/*
 * This bit of a seed marks data that a test wrote into a file of another program. The stamps in
 * such data do not make iorx the maker of the file. No other seed has this bit.
 */
#define CONTENT_GUEST (UINT64_C(1) << 63)

/*
 * True if the first sector of the bytes has the stamp of a file that iorx made. The bytes must
 * start at a multiple of 512.
 */
bool content_recognise(const void *bytes, size_t length);

enum content_container { CONTAINER_NONE, CONTAINER_HDF5, CONTAINER_NETCDF };

/* The file format of the library whose files begin with these bytes. */
enum content_container content_container_of(const void *bytes, size_t length);
/*
 * content_recognise() for the start of an HDF5 or netCDF file, with sectors anywhere behind its
 * header.
 */
bool content_recognise_inside(const void *bytes, size_t length);

#endif
