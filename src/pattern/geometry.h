/*
 * Where every byte lies: a file is S segments; a segment holds one block per task (shared file) or
 * one block (file per task); a block is moved in transfers. Pure arithmetic.
 */
#ifndef PATTERN_GEOMETRY_H
#define PATTERN_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

struct geometry {
	uint64_t tasks;
	uint64_t block;	   /* bytes, a multiple of transfer */
	uint64_t transfer; /* bytes */
	uint64_t segments;
	bool shared; /* one file for all, else one per task */
};

struct placement {
	uint64_t offset; /* in the file, bytes */
	uint64_t segment;
	uint64_t block; /* number of the task that the block belongs to */
};

static inline uint64_t geometry_transfers(const struct geometry *geometry) /* of one task */
{
	return geometry->segments * (geometry->block / geometry->transfer);
}

static inline uint64_t geometry_file_size(const struct geometry *geometry)
{
	return (geometry->shared ? geometry->tasks : 1) * geometry->block * geometry->segments;
}

/* Bytes in the file from a task's block of one segment to its block of the next segment. */
static inline uint64_t geometry_stride(const struct geometry *geometry)
{
	return geometry->shared ? geometry->tasks * geometry->block : geometry->block;
}

/* Transfer number `index` of a task, 0 .. geometry_transfers() - 1, in file order. */
static inline void geometry_locate(const struct geometry *geometry, uint64_t task, uint64_t index,
				   struct placement *placement)
{
	uint64_t per_block = geometry->block / geometry->transfer;

	placement->segment = index / per_block;
	placement->offset = placement->segment * geometry_stride(geometry) +
			    (geometry->shared ? task * geometry->block : 0) +
			    index % per_block * geometry->transfer;
	placement->block = task;
}

/* A task's transfers among the first `held` of the file. */
static inline uint64_t geometry_transfers_within(const struct geometry *geometry, uint64_t task,
						 uint64_t held)
{
	const uint64_t block = geometry->block / geometry->transfer;
	const uint64_t stride = geometry_stride(geometry) / geometry->transfer;
	const uint64_t before = geometry->shared ? task * block : 0;
	const uint64_t rest = held % stride > before ? held % stride - before : 0;

	return held / stride * block + (rest < block ? rest : block);
}

/*
 * A walk over a task's transfers in file order that needs no division per step. Start it at a
 * transfer, then step once for each. After the last transfer its values mean nothing.
 */
struct cursor {
	struct placement at;
	uint64_t left; /* transfers in this block after this one */
	uint64_t per_block;
	uint64_t transfer;
	uint64_t gap; /* bytes from the end of this task's block to its next block */
};

static inline void cursor_start(struct cursor *cursor, const struct geometry *geometry,
				uint64_t task, uint64_t index)
{
	geometry_locate(geometry, task, index, &cursor->at);
	cursor->per_block = geometry->block / geometry->transfer;
	cursor->left = cursor->per_block - 1 - index % cursor->per_block;
	cursor->transfer = geometry->transfer;
	cursor->gap = geometry_stride(geometry) - geometry->block;
}

static inline void cursor_step(struct cursor *cursor)
{
	cursor->at.offset += cursor->transfer;
	if (cursor->left--)
		return;
	cursor->left = cursor->per_block - 1;
	cursor->at.offset += cursor->gap;
	cursor->at.segment++;
}

#endif
