/* Makes the bytes to write, and checks the bytes that were read. */
#include "content/forms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A mark that is never correct data: neither a stamp nor a small number. */
#define SPOILT UINT64_C(0xbadda7a0deadbeef)

enum {
	POOL_PIECE = 4096,  /* files begin in the pool at a multiple of it */
	RUN_LEAST = 131072, /* blocks that exist several times lie no nearer to each other */
	COMPARED = 4096,    /* bytes that are made at a time, to be compared */
};

static void make_pool(struct content *content)
{
	/* No file has this number and repetition, so no sector of a file equals the pool's. */
	const struct stamper pool = stamper_make(content->seed, UINT32_MAX, UINT32_MAX);

	if (content->pool)
		sectors_random(&pool, 0, content->live, content->pool, CONTENT_POOL / SECTOR);
}

/* Copies are so far apart that a compressor of 128 KiB pieces finds none. */
static uint64_t choose_run(const struct content_setup *setup)
{
	uint64_t block = setup->dedup_block;

	return (RUN_LEAST + block - 1) / block * block;
}

int content_start(struct content *content, const struct content_setup *setup, struct error *err)
{
	/* The zeros are rounded up, as a match itself takes the compressor some bytes. */
	unsigned zeros = ((unsigned)(SECTOR * setup->compress) + 7) / 8 * 8;

	*content = (struct content){
		.kind = setup->kind,
		.layout = setup->layout,
		.live = SECTOR - zeros,
		.copies = setup->dedup > 1 ? setup->dedup : 1,
	};
	if (content->copies > 1)
		content->run = choose_run(setup);
	if (setup->kind == CONTENT_FILE && user_file_load(content, setup, err))
		return -1;
	if (setup->kind == CONTENT_STAMPED) {
		content->pool = aligned_alloc(POOL_PIECE, CONTENT_POOL);
		if (!content->pool)
			return error_set(err, ENOMEM, "no memory for the data to write");
	}
	content_reseed(content, setup->seed);
	return 0;
}

bool content_may_be_holes(const struct content *content)
{
	return content->kind == CONTENT_ZEROS ||
	       (content->kind == CONTENT_FILE && user_file_has_zeros(content));
}

void content_release(struct content *content)
{
	free(content->pool);
	free(content->user);
	content->pool = content->user = NULL;
}

void content_select(struct content *content, uint32_t file, uint32_t repetition)
{
	content->file = file;
	content->repetition = repetition;
	content->accepts_from = UINT32_MAX;
	content->stamper = stamper_make(content->seed, file, repetition);
	content->shift =
		stamp_fold(content->stamper.who) % (CONTENT_POOL / POOL_PIECE) * POOL_PIECE;
}

void content_reseed(struct content *content, uint64_t seed)
{
	content->seed = seed;
	make_pool(content);
	content_select(content, content->file, content->repetition);
}

void content_buffer_prepare(const struct content *content, struct content_buffer *buffer)
{
	if (buffer->ready)
		return;
	if (!buffer->in_place) {
		content_fill(content, buffer->bytes, 0, buffer->room);
	} else {
		for (size_t at = 0; at < buffer->room; at += CONTENT_POOL) {
			size_t left = buffer->room - at;

			memcpy(buffer->bytes + at, content->pool,
			       left < CONTENT_POOL ? left : CONTENT_POOL);
		}
	}
	buffer->ready = true;
}

/* --- whole sectors -------------------------------------------------------------------------- */

/* The address of a sector in the pool. Reduces *count to the sectors that follow it there. */
static const char *in_pool(const struct content *content, uint64_t sector, uint64_t *count)
{
	uint64_t at = (sector * SECTOR + content->shift) % CONTENT_POOL;
	uint64_t left = (CONTENT_POOL - at) / SECTOR;

	if (*count > left)
		*count = left;
	return content->pool + at;
}

static void fill_stamped(const struct content *content, uint64_t sector, char *bytes,
			 uint64_t count)
{
	while (count) {
		uint64_t some = count;
		const char *from = in_pool(content, sector, &some);

		memcpy(bytes, from, some * SECTOR);
		sectors_stamp(&content->stamper, sector, bytes, some);
		sector += some;
		bytes += some * SECTOR;
		count -= some;
	}
}

static void fill_sectors(const struct content *content, uint64_t sector, char *bytes,
			 uint64_t count)
{
	if (content->kind == CONTENT_STAMPED)
		fill_stamped(content, sector, bytes, count);
	else
		sectors_random(&content->stamper, sector, content->live, bytes, count);
}

/* --- any range ------------------------------------------------------------------------------ */

/* Bytes from the offset to the next sector, at most `length`. */
static uint64_t to_next_sector(uint64_t offset, uint64_t length)
{
	uint64_t left = SECTOR - offset % SECTOR;

	return left < length ? left : length;
}

static void fill_by_sectors(const struct content *content, char *to, uint64_t offset,
			    uint64_t length)
{
	char sector[SECTOR];

	while (length) {
		uint64_t some = to_next_sector(offset, length);

		if (some == SECTOR) {
			some = length / SECTOR * SECTOR;
			fill_sectors(content, offset / SECTOR, to, some / SECTOR);
		} else {
			fill_sectors(content, offset / SECTOR, sector, 1);
			memcpy(to, sector + offset % SECTOR, some);
		}
		to += some;
		offset += some;
		length -= some;
	}
}

/* --- any kind ------------------------------------------------------------------------------- */

static void fill_other(const struct content *content, char *bytes, uint64_t offset, uint64_t length)
{
	if (content->kind == CONTENT_ZEROS)
		memset(bytes, 0, length);
	else if (content->kind == CONTENT_FILE)
		user_file_fill(content, bytes, offset, length);
	else
		ior_pattern_fill(content, bytes, offset, length);
}

/* The offset of the first copy. Reduces *count to the bytes that were copied with it. */
static inline uint64_t find_copy(const struct content *content, uint64_t offset, uint64_t *count)
{
	if (content->copies == 1)
		return offset;
	uint64_t in_group = offset % (content->run * content->copies);
	uint64_t in_run = in_group % content->run;

	if (*count > content->run - in_run)
		*count = content->run - in_run;
	return offset - in_group + in_run;
}

uint64_t content_first_copy(const struct content *content, uint64_t offset)
{
	uint64_t one = 1;

	return find_copy(content, offset, &one);
}

void content_fill(const struct content *content, void *bytes, uint64_t offset, uint64_t length)
{
	char *to = bytes;

	if (!content_has_stamps(content->kind)) {
		fill_other(content, to, offset, length);
		return;
	}
	while (length) {
		uint64_t some = length, first = find_copy(content, offset, &some);

		fill_by_sectors(content, to, first, some);
		to += some;
		offset += some;
		length -= some;
	}
}

void content_expect(const struct content *content, const void *bytes, uint64_t offset,
		    uint64_t length, struct content *expected)
{
	struct content_origin origin;

	if (content->accepts_from == UINT32_MAX || offset % SECTOR || length < STAMP_BYTES ||
	    !content_learn(bytes, &origin) || origin.seed != content->seed ||
	    origin.file != content->file || origin.offset != content_first_copy(content, offset))
		return;
	if (origin.repetition == content->repetition ||
	    (origin.repetition >= content->accepts_from && origin.repetition < CONTENT_PREFILL))
		content_select(expected, origin.file, origin.repetition);
}

bool content_check(const struct content *content, const void *bytes, uint64_t offset,
		   uint64_t length)
{
	struct content one = *content; /* of the repetitions that are right */
	const char *found = bytes;
	char expected[COMPARED];

	while (length) {
		uint64_t some = COMPARED - offset % COMPARED;

		if (some > length)
			some = length;
		content_expect(content, found, offset, some, &one);
		content_fill(&one, expected, offset, some);
		if (memcmp(found, expected, some) != 0)
			return false;
		found += some;
		offset += some;
		length -= some;
	}
	return true;
}

void content_make_random(void *bytes, uint64_t length, uint64_t seed)
{
	const struct content content = {
		.kind = CONTENT_RANDOM,
		.seed = seed,
		.live = SECTOR,
		.copies = 1,
		.stamper = stamper_make(seed, UINT32_MAX, UINT32_MAX),
	};

	content_fill(&content, bytes, 0, length);
}

/* --- memory that was not read into ---------------------------------------------------------- */

void content_spoil(void *bytes, uint64_t length)
{
	const uint64_t word = SPOILT;
	char *at = bytes;

	for (; length >= SECTOR; at += SECTOR, length -= SECTOR)
		memcpy(at, &word, sizeof(word));
	memcpy(at, &word, length < sizeof(word) ? length : sizeof(word));
}

bool content_is_spoilt(const void *bytes, uint64_t length)
{
	const uint64_t word = SPOILT;

	return memcmp(bytes, &word, length < sizeof(word) ? length : sizeof(word)) == 0;
}
