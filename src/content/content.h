/*
 * What is written into buffers, how it is checked, and what wrong data is.
 *
 * The byte at an offset of a file is a function of the seed, the file's number in the test, the
 * offset, the repetition and the test's content options alone: not of tasks, transfer sizes, order or
 * queue. So a reader with transfers of any size can check any range, and each 512-byte sector says
 * whose it is (stamp.h).
 */
#ifndef CONTENT_CONTENT_H
#define CONTENT_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "content/room.h"
#include "content/sectors.h"
#include "options/test.h"

/* Where transfers lie: the data of IOR depend on it, no others. */
struct content_layout {
	uint64_t tasks, block, transfer;
	bool shared;
};

/* What is asked for. */
struct content_setup {
	enum content_kind kind;
	uint64_t seed;
	double compress;   /* STAMPED, RANDOM: share of each sector that is zeros, 0.9 at most */
	uint64_t dedup;    /* STAMPED, RANDOM: how often each block exists; 0 like 1: once */
	uint64_t dedup_block;
	const char *file;  /* FILE */
	struct content_layout layout;
};

/* Whose bytes; cheap to copy. The copies share what content_start() has allocated. */
struct content {
	enum content_kind kind;
	uint64_t seed;
	uint32_t file, repetition;
	struct content_layout layout;
	/* made from these */
	struct stamper stamper;
	unsigned live;         /* bytes of a sector before its zeros */
	uint64_t shift;        /* of the file's bytes in the pool */
	char *pool;            /* STAMPED: CONTENT_POOL bytes */
	uint64_t copies, run;  /* `run` bytes come `copies` times one after the other */
	char *user;            /* FILE */
	uint64_t user_bytes;
};

/* One transfer's memory. */
struct content_buffer {
	char *bytes; /* page-aligned */
	size_t room; /* content_room() of it */
	bool in_place;
	bool ready;  /* it was prepared, and nothing was read into it since */
};

/* File 0 in repetition 0; release what it allocated when the test is over. */
int content_start(struct content *content, const struct content_setup *setup, struct error *err);
/* Whether right data may be many zeros, which a storage may honestly keep as a hole. */
bool content_may_be_holes(const struct content *content);
/* Whether there is a content_file that can be used; reads nothing. */
int content_check_file(const char *path, struct error *err);
void content_release(struct content *content);
/* Another file or repetition, of the same seed. */
void content_select(struct content *content, uint32_t file, uint32_t repetition);
/* Another run's: what follows is told and checked by its seed. */
void content_reseed(struct content *content, uint64_t seed);

/* Untimed, before a phase that writes; nothing is done where the buffer is ready. */
void content_buffer_prepare(const struct content *content, struct content_buffer *buffer);

/* Bytes that nothing compresses, for those who only need some. */
void content_make_random(void *bytes, uint64_t length, uint64_t seed);

/* Into any memory. */
void content_fill(const struct content *content, void *bytes, uint64_t offset, uint64_t length);

/*
 * Makes the bytes of [offset, offset + length) and returns where they lie, inside the buffer: at its
 * start, or in place, aligned like the offset up to 4096.
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
 * Before a read that will be checked: memory that is left as it is cannot pass. One word in each 512
 * bytes is spoilt; of transfers below 8 bytes all of it.
 */
void content_spoil(void *bytes, uint64_t length);

/* True when all bytes are right. */
bool content_check(const struct content *content, const void *bytes, uint64_t offset, uint64_t length);

/* The repetition of data that a write should replace: random_prefill's. */
#define CONTENT_PREFILL (UINT32_MAX - 1)

enum damage_kind {
	DAMAGE_BITS,      /* few bytes differ in a sector that is otherwise right */
	DAMAGE_ZEROS,     /* never written, or lost */
	DAMAGE_STALE,     /* the same place in another repetition */
	DAMAGE_MISPLACED, /* of another offset or file of this run */
	DAMAGE_SHIFTED,   /* right data, displaced by less than a page or by no whole sectors */
	DAMAGE_OTHER_RUN, /* another seed */
	DAMAGE_SPOILT,    /* nothing was read here */
	DAMAGE_RANDOM,
};

/* What data say of themselves: where they belong. */
struct content_origin {
	uint64_t seed, offset;
	uint32_t file, repetition;
};

/* Neighbouring wrong bytes of the same kind. */
struct content_damage {
	uint64_t offset, length; /* in the file: from the first to the last wrong byte */
	uint64_t wrong_bytes;    /* of them */
	unsigned char expected[8], found[8]; /* from the first on; zeros behind the last */
	enum damage_kind kind;
	struct content_origin origin; /* of the first, for STALE, MISPLACED, SHIFTED, OTHER_RUN */
	int64_t shift;                /* SHIFTED: bytes; above 0 the data lie behind their place */
};

typedef void content_visit(void *context, const struct content_damage *damage);

/*
 * After content_check() said no: hands each damaged range in file order to visit, and returns the
 * number of wrong bytes. The bytes stand as content_spoil() and the read left them.
 */
uint64_t content_examine(const struct content *content, const void *bytes, uint64_t offset,
			 uint64_t length, content_visit *visit, void *context);

/* What a sector says of itself, 32 bytes at least that lay at a multiple of 512; false: no stamp. */
bool content_learn(const void *sector, struct content_origin *origin);

/* Whether bytes from a multiple of 512 on were made by iorx: their first sector says so. */
bool content_recognise(const void *bytes, size_t length);

enum content_container { CONTAINER_NONE, CONTAINER_HDF5, CONTAINER_NETCDF };

/* Which library's file begins so. */
enum content_container content_container_of(const void *bytes, size_t length);
/* The same of the start of an HDF5 or netCDF file, where sectors lie anywhere behind a header. */
bool content_recognise_inside(const void *bytes, size_t length);

#endif
