/* What the counters of a phase need beside its transfers. */
#include "engine/core/counting.h"

#include <string.h>

#include "base/near.h"

enum { ALIGNMENT = 4096 }; /* where the file system names none, or none that is a power of two */

/* The file's, or before it is made its directory's. */
static uint64_t block_size(const char *path)
{
	char near[NEAR_SIZE];
	struct stat status;

	return near_path(path, near, &status) ? 0 : (uint64_t)status.st_blksize;
}

void counting_prepare(struct worker *worker)
{
	uint64_t size = worker->plan->backend->files ? block_size(worker->path) : 0;

	worker->alignment = size && !(size & (size - 1)) ? size : ALIGNMENT;
}

/* The task's last files are known; of others it is forgotten what was done to them. */
static uint64_t switches(struct worker *worker, enum access access)
{
	const uint64_t path = text_hash(worker->path, strlen(worker->path));
	struct touched *touched = worker->touched, *at = NULL;

	for (unsigned i = 0; i < TOUCHED_FILES && !at; i++)
		if (touched[i].known && touched[i].path == path)
			at = &touched[i];
	bool switched = at && at->access != access;

	if (!at)
		at = &touched[worker->touched_next++ % TOUCHED_FILES];
	*at = (struct touched){.known = true, .path = path, .access = access};
	return switched;
}

static uint64_t count_of(const struct measure *measure, enum operation operation)
{
	const struct operation_record *record = measure_record(measure, operation);

	return record ? record->histogram.count : 0;
}

/* Of metadata tests: what small_files.c has not counted call by call. */
static void keep_small_files(struct worker *worker)
{
	const uint64_t sizes[ACCESS_COUNT] = {
		[ACCESS_WRITE] = worker->plan->metadata->write_bytes,
		[ACCESS_READ] = worker->small.turns ? worker->plan->metadata->write_bytes
						    : worker->plan->metadata->read_bytes,
	};
	struct counters *counters = &worker->measure->counters;

	for (enum access access = 0; access < ACCESS_COUNT; access++) {
		struct access_counters *of = counters_of(counters, access);

		counters_add_calls(counters, of, sizes[access], worker->small.whole[access]);
		of->most = of->calls ? sizes[access] : 0;
	}
	counters->syncs = worker->small.syncs;
	counters->switches = worker->small.turns;
}

/* A node that is made is not opened. */
static uint64_t opens(const struct worker *worker)
{
	const struct measure *measure = worker->measure;
	uint64_t count = count_of(measure, OPERATION_OPEN) + count_of(measure, OPERATION_OPEN_CLOSE);

	if (worker->plan->metadata && worker->plan->metadata->mknod)
		return count;
	return count + count_of(measure, OPERATION_CREATE);
}

void counting_keep(struct worker *worker, enum access access)
{
	struct measure *measure = worker->measure;
	struct counters *counters = &measure->counters;

	counters->alignment = worker->alignment;
	counters->opens = opens(worker);
	counters->stats = count_of(measure, OPERATION_STAT);
	if (worker->plan->metadata) {
		keep_small_files(worker);
		return;
	}
	counters->syncs = count_of(measure, OPERATION_SYNC);
	if (counters_of(counters, access)->calls)
		counters->switches = switches(worker, access);
}
