/* One candidate of a probe: timed rounds through one backend. */
#include "engine/lane.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void lane_give_up(struct lane *lane, const struct error *err)
{
	snprintf(lane->why_not, sizeof(lane->why_not), "%.*s", LANE_WHY_SIZE - 1, err->text);
}

static int start_session(struct lane *lane, const struct lane_setup *setup, struct error *err)
{
	const struct backend *backend = lane->backend;

	lane->start = (struct backend_start){
		.comm = MPI_COMM_SELF,
		.tasks = 1,
		.queue_depth = backend->submit ? setup->depth : 1,
		.options = lane->options,
	};
	lane->entered = true;
	if (backend->start && backend->start(lane->session, &lane->start, NULL, 0, err))
		return -1;
	if (!backend->submit || !backend->register_buffers)
		return 0;
	return backend->register_buffers(lane->session, setup->buffers, (unsigned)setup->depth,
					 setup->length, err);
}

static int open_file(struct lane *lane, const struct lane_setup *setup, struct error *err)
{
	struct backend_open how = {
		.path = setup->path,
		.access = setup->access,
		.comm = MPI_COMM_SELF,
		.transfer_size = setup->length,
		.file_size = setup->file_bytes,
		.tasks = 1,
		.block = setup->file_bytes,
		.segments = 1,
		.source = UINT64_MAX,
	};

	lane->opened = true;
	return lane->backend->open(lane->session, lane->file, &how, err);
}

void lane_start(struct lane *lane, const struct lane_setup *setup)
{
	struct error err = {0};

	if (!lane_runs(lane))
		return;
	lane->session = memory_allocate(1, lane->backend->session_size);
	lane->file = memory_allocate(1, lane->backend->file_size);
	if (start_session(lane, setup, &err) || open_file(lane, setup, &err))
		lane_give_up(lane, &err);
}

void lane_stop(struct lane *lane)
{
	struct error ignored;

	if (lane->opened)
		lane->backend->close(lane->file, &ignored);
	if (lane->entered && lane->backend->stop)
		lane->backend->stop(lane->session, &ignored);
	free(lane->session);
	free(lane->file);
}

static void place(struct transfer *transfer, const struct lane_setup *setup,
		  const struct lane_round *round, uint64_t number, uint64_t cookie)
{
	*transfer = (struct transfer){
		.buffer = setup->buffers[cookie],
		.offset = number % round->places * setup->length,
		.length = setup->length,
		.count = 1,
		.cookie = cookie,
		.access = round->access,
	};
}

static int check_moved(int64_t moved, const struct lane_setup *setup, struct error *err)
{
	if (moved < 0)
		return error_set(err, (int)-moved, "transfer: %s", strerror((int)-moved));
	if ((uint64_t)moved == setup->length)
		return 0;
	return error_set(err, 0, "a transfer moved %" PRId64 " of %" PRIu64 " bytes", moved,
			 setup->length);
}

/* Transfers that were done, or -1. */
static int64_t move_one_by_one(struct lane *lane, const struct lane_setup *setup,
			       const struct lane_round *round, uint64_t until_ns, struct error *err)
{
	uint64_t done = 0;
	struct transfer transfer;

	do {
		place(&transfer, setup, round, done, 0);
		int64_t moved = lane->backend->transfer(lane->file, &transfer, err);

		if (moved < 0 || check_moved(moved, setup, err))
			return -1;
		done++;
	} while (clock_now(setup->clock) < until_ns && !(round->once && done == round->places));
	return (int64_t)done;
}

/* The transfers in flight: cookies that are free, and room for what goes and comes. */
struct pool {
	uint64_t *free;
	uint64_t free_count, depth;
	struct transfer *batch;
	struct completion *completions;
	uint64_t submitted;
};

static void pool_init(struct pool *pool, uint64_t depth)
{
	*pool = (struct pool){
		.free = memory_allocate(depth, sizeof(*pool->free)),
		.free_count = depth,
		.depth = depth,
		.batch = memory_allocate(depth, sizeof(*pool->batch)),
		.completions = memory_allocate(depth, sizeof(*pool->completions)),
	};
	for (uint64_t i = 0; i < depth; i++)
		pool->free[i] = i;
}

static void pool_release(struct pool *pool)
{
	free(pool->free);
	free(pool->batch);
	free(pool->completions);
}

/* As many as there is room for, at most `most`. */
static int submit(struct lane *lane, const struct lane_setup *setup, const struct lane_round *round,
		  struct pool *pool, uint64_t most, struct error *err)
{
	uint64_t count = pool->free_count < most ? pool->free_count : most;

	for (uint64_t i = 0; i < count; i++)
		place(&pool->batch[i], setup, round, pool->submitted + i,
		      pool->free[pool->free_count - 1 - i]);
	int taken = lane->backend->submit(lane->file, pool->batch, (unsigned)count, err);

	if (taken < 0)
		return -1;
	pool->free_count -= (uint64_t)taken;
	pool->submitted += (uint64_t)taken;
	return 0;
}

/* -1 when a transfer failed; *lost when nothing more can be learned of those in flight. */
static int reap(struct lane *lane, const struct lane_setup *setup, struct pool *pool, bool *lost,
		struct error *err)
{
	uint64_t in_flight = pool->depth - pool->free_count;
	uint64_t least = setup->batch < in_flight ? setup->batch : in_flight;
	int done = lane->backend->reap(lane->file, pool->completions, (unsigned)least,
				       (unsigned)in_flight, err);
	int ret = 0;

	*lost = done <= 0;
	for (int i = 0; i < done; i++) {
		pool->free[pool->free_count++] = pool->completions[i].cookie;
		if (!ret)
			ret = check_moved(pool->completions[i].result, setup, err);
	}
	return *lost ? -1 : ret;
}

static int64_t move_queued(struct lane *lane, const struct lane_setup *setup,
			   const struct lane_round *round, uint64_t until_ns, struct error *err)
{
	uint64_t most = round->once ? round->places : UINT64_MAX;
	struct error ignored;
	struct pool pool;
	bool lost = false;
	int ret = 0;

	pool_init(&pool, setup->depth);
	do {
		ret = submit(lane, setup, round, &pool, most - pool.submitted, err);
		if (!ret)
			ret = reap(lane, setup, &pool, &lost, err);
	} while (!ret && pool.submitted < most && clock_now(setup->clock) < until_ns);
	/* What is in flight uses the buffers: it is waited for, also after a failure. */
	while (!lost && pool.free_count < pool.depth)
		if (reap(lane, setup, &pool, &lost, ret ? &ignored : err))
			ret = -1;
	pool_release(&pool);
	return ret ? -1 : (int64_t)pool.submitted;
}

void lane_run(struct lane *lane, const struct lane_setup *setup, const struct lane_round *round)
{
	uint64_t start_ns = clock_now(setup->clock), until_ns = start_ns + round->time_ns;
	unsigned number = lane->round_count[round->access];
	struct error err = {0};
	int64_t done = lane->start.queue_depth > 1 ?
			       move_queued(lane, setup, round, until_ns, &err) :
			       move_one_by_one(lane, setup, round, until_ns, &err);

	if (done < 0) {
		lane_give_up(lane, &err);
		return;
	}
	lane->rounds[round->access][number] =
		(double)(clock_now(setup->clock) - start_ns) / 1e9 / (double)done;
	lane->round_count[round->access]++;
}

uint64_t lane_fill(struct lane *lane, const struct lane_setup *setup, uint64_t piece,
		   uint64_t time_ns)
{
	uint64_t until_ns = clock_now(setup->clock) + time_ns;
	struct transfer transfer = {.buffer = setup->buffers[0], .length = piece, .count = 1,
				    .access = ACCESS_WRITE};
	struct error err = {0};

	while (transfer.offset + piece <= setup->file_bytes && clock_now(setup->clock) < until_ns) {
		int64_t moved = lane->backend->transfer(lane->file, &transfer, &err);

		if (moved != (int64_t)piece) {
			if (moved >= 0)
				error_set(&err, 0, "the probe's file could not be written");
			lane_give_up(lane, &err);
			break;
		}
		transfer.offset += piece;
	}
	return transfer.offset;
}

void lane_sync(struct lane *lane)
{
	struct error err = {0};

	if (lane->backend->sync(lane->file, &err))
		lane_give_up(lane, &err);
}
