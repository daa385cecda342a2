/* IOR's data, recognised by what its rule makes of some places. */
#include "engine/data/ior_data.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/look.h"

enum { PLACES = 16 };

/* What is the same in any run counts for nothing: holes of a write that was cut. */
static bool is_zeros(const char *bytes, uint64_t length)
{
	return !length || (!bytes[0] && !memcmp(bytes, bytes + 1, length - 1));
}

/* Whether the transfer that starts there does not speak against IOR's data; *places: how many speak for it. */
static bool agrees_with_ior(struct worker *worker, struct content *content, uint64_t offset,
			    char *bytes, unsigned *places)
{
	const uint64_t transfer = worker->plan->geometry.transfer;
	const uint64_t length = transfer < LOOK_BYTES ? transfer : LOOK_BYTES;
	uint64_t word = 0;

	if (look_read(worker, bytes, offset, length) < length)
		return false;
	if (is_zeros(bytes, length))
		return true;
	memcpy(&word, bytes, length < sizeof(word) ? length : sizeof(word));
	/* Whatever seed it was: the first place teaches it, the others must have it. */
	if (!(*places)++)
		content_reseed(content, word & UINT32_MAX);
	return content_check(content, bytes, offset, length);
}

/* A file of one transfer may be zeros by IOR's rule: then all of it is looked at. */
static bool agrees_entirely(struct worker *worker, const struct content *content, char *bytes)
{
	const uint64_t transfer = worker->plan->geometry.transfer;

	for (uint64_t offset = 0, length; offset < transfer; offset += length) {
		length = transfer - offset < LOOK_BYTES ? transfer - offset : LOOK_BYTES;
		if (look_read(worker, bytes, offset, length) < length ||
		    !content_check(content, bytes, offset, length))
			return false;
	}
	return true;
}

static bool agrees_all_over(struct worker *worker, uint64_t transfers, char *bytes)
{
	const struct geometry *geometry = &worker->plan->geometry;
	struct content content = {
		.kind = (enum content_kind)worker->plan->test->content,
		.file = geometry->shared ? 0 : worker->task,
		.layout = {geometry->tasks, geometry->block, geometry->transfer, geometry->shared},
	};
	uint64_t looks = transfers < PLACES ? transfers : PLACES;
	unsigned places = 0;

	for (uint64_t i = 0; i < looks; i++) {
		uint64_t number = i == looks - 1 ? transfers - 1 : i * (transfers / looks);

		if (!agrees_with_ior(worker, &content, number * geometry->transfer, bytes, &places))
			return false;
	}
	return places > 0 || (transfers == 1 && agrees_entirely(worker, &content, bytes));
}

bool ior_data_recognised(struct worker *worker, uint64_t size)
{
	const enum content_kind kind = (enum content_kind)worker->plan->test->content;
	const uint64_t whole = worker->plan->file_size;
	struct backend_open how = worker_open(worker, ACCESS_READ);
	struct error ignored;
	bool agrees = false;

	if ((kind != CONTENT_IOR && kind != CONTENT_IOR_OFFSET) ||
	    (!worker->backend->own_format && size > whole))
		return false;
	if (worker->backend->own_format)
		size = whole;
	char *bytes = aligned_alloc(4096, LOOK_BYTES);

	if (!bytes)
		return false;
	memset((void *)worker->file, 0, worker->backend->file_size);
	if (!worker->backend->open(worker->session, worker->file, &how, &ignored))
		agrees = agrees_all_over(worker, size / worker->plan->geometry.transfer, bytes);
	worker->backend->close(worker->file, &ignored);
	free(bytes);
	return agrees;
}
