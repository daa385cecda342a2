/* Records wrong data of a transfer range by range. */
#include "engine/data/checking.h"

#include "engine/data/data_state.h"

#include <string.h>

static void checking_flush(struct worker *worker)
{
	if (worker->data->damage.what.length)
		verification_add(measure_verification(worker->measure), &worker->data->damage);
	worker->data->damage.what.length = 0;
}

/* Joins adjacent damaged ranges, also across the end of a transfer. */
static void checking_note(void *context, const struct content_damage *what)
{
	struct worker *worker = context;
	struct damage next = {.file = worker->content.file, .task = worker->task, .what = *what};

	if (worker->data->damage.what.length && damage_join(&worker->data->damage, &next))
		return;
	checking_flush(worker);
	worker->data->damage = next;
}

/* Records a range that was not read because the file ended before it. */
static void note_missing(struct worker *worker, uint64_t offset, uint64_t length)
{
	struct content_damage what = {
		.offset = offset, .length = length, .wrong_bytes = length, .kind = DAMAGE_SPOILT};
	unsigned char expected[sizeof(what.expected)];
	uint64_t shown = length < sizeof(expected) ? length : sizeof(expected);

	content_fill(&worker->content, expected, offset, shown);
	memcpy(what.expected, expected, shown);
	measure_verification(worker->measure)->missing_bytes += length;
	timeline_last(measure_timeline(worker->measure))->bytes -= length;
	checking_note(worker, &what);
}

void checking_examine(struct worker *worker, const struct transfer *transfer)
{
	const uint64_t piece = transfer->length / transfer->count;
	uint64_t moved = transfer->length - worker->data->missing, wrong = worker->data->missing;

	for (uint64_t i = 0; i < transfer->count; i++) {
		const char *bytes = (const char *)transfer->buffer + i * piece;
		uint64_t offset = transfer->offset + i * transfer->stride;
		uint64_t here = moved < piece ? moved : piece;

		moved -= here;
		if (here)
			wrong += content_examine(&worker->content, bytes, offset, here,
						 checking_note, worker);
		if (here < piece)
			note_missing(worker, offset + here, piece - here);
	}
	worker->data->missing = 0;
	measure_verification(worker->measure)->wrong_transfers += wrong > 0;
}

void checking_end(struct worker *worker)
{
	checking_flush(worker);
}
