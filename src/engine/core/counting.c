/* Counters of a phase that the transfer loops do not count themselves. */
#include "engine/core/counting.h"

#include <string.h>

#include "base/near.h"

enum { ALIGNMENT = 4096 }; /* if st_blksize is unknown or no power of two */

/* Returns st_blksize of the file, or of its directory before the file exists; 0: unknown. */
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

/* The last TOUCHED_FILES files of a task are remembered; older ones are forgotten. */
uint64_t counting_switches(struct worker *worker, enum access access)
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

uint64_t counting_number(const struct measure *measure, enum operation operation)
{
	const struct operation_record *record = measure_record(measure, operation);

	return record ? record->histogram.count : 0;
}

void counting_keep(struct worker *worker)
{
	struct measure *measure = worker->measure;
	struct counters *counters = &measure->counters;

	counters->alignment = worker->alignment;
	counters->opens = counting_number(measure, OPERATION_OPEN) +
			  counting_number(measure, OPERATION_OPEN_CLOSE) +
			  counting_number(measure, OPERATION_CREATE) +
			  counting_number(measure, OPERATION_READ_FILE) +
			  counting_number(measure, OPERATION_WRITE_FILE) +
			  counting_number(measure, OPERATION_APPEND) +
			  counting_number(measure, OPERATION_RMW) +
			  counting_number(measure, OPERATION_FSYNC);
	counters->stats = counting_number(measure, OPERATION_STAT);
}
