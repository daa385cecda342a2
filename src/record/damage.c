/* Damaged ranges in words. */
#include "record/damage.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"

void damage_path(const struct plan *plan, const struct phase_result *phase,
		 const struct damage *damage, struct text *out)
{
	char *path = memory_allocate(PLAN_PATH_SIZE, 1);
	uint32_t task, file = plan_file_of(plan, damage->file, &task);

	plan_path(plan, task, file, phase->repetition, path);
	text_add(out, "%s", path);
	free(path);
}

uint64_t damage_owner(const struct plan *plan, uint32_t file, uint64_t offset)
{
	return offset < plan_file_bytes(plan, file % plan->own_files)
		       ? plan_block_owner(plan, file, offset)
		       : UINT64_MAX;
}

/*
 * Appends the owner of the block. In a random order of a shared file another task may have written
 * it.
 */
static void add_owner(const struct plan *plan, uint32_t file, uint64_t offset, struct text *out)
{
	uint64_t owner = damage_owner(plan, file, offset);
	bool moved = plan->geometry.shared && plan->order != ORDER_SEQUENTIAL;

	if (owner < plan->map.tasks)
		text_add(out, ", %stask %" PRIu64, moved ? "block of " : "", owner);
}

static void add_origin(const struct plan *plan, const struct content_origin *origin,
		       struct text *out)
{
	text_add(out, "offset 0x%" PRIx64 " of file %" PRIu32, origin->offset, origin->file);
	add_owner(plan, origin->file, origin->offset, out);
}

void damage_meaning(const struct plan *plan, const struct damage *damage, struct text *out)
{
	const struct content_damage *what = &damage->what;

	switch (what->kind) {
	case DAMAGE_BITS:
		text_add(out, "%" PRIu64 " byte%s changed in data that is right otherwise",
			 what->wrong_bytes, what->wrong_bytes == 1 ? "" : "s");
		return;
	case DAMAGE_ZEROS:
		text_add(out, "zeros: never written");
		return;
	case DAMAGE_STALE:
		if (what->origin.repetition == CONTENT_PREFILL)
			text_add(out, "random_prefill: never written");
		else if (content_is_of_pass(what->origin.repetition))
			text_add(out, "an earlier pass of a load: stale");
		else
			text_add(out, "repetition %" PRIu32 ": stale", what->origin.repetition);
		return;
	case DAMAGE_MISPLACED:
		text_add(out, "belongs to ");
		add_origin(plan, &what->origin, out);
		return;
	case DAMAGE_SHIFTED:
		text_add(out, "shifted by %" PRId64, what->shift);
		return;
	case DAMAGE_OTHER_RUN:
		text_add(out, "of another run, seed %" PRIu64 ": belongs to ",
			 what->origin.seed & ~CONTENT_GUEST);
		add_origin(plan, &what->origin, out);
		return;
	case DAMAGE_SPOILT:
		text_add(out, "nothing was read here");
		return;
	case DAMAGE_RANDOM:
		text_add(out, "random damage");
		return;
	}
}

void damage_bytes(const struct damage *damage, const unsigned char *bytes, struct text *out)
{
	uint64_t shown = sizeof(damage->what.expected);

	if (damage->what.length < shown)
		shown = damage->what.length;
	for (uint64_t i = 0; i < shown; i++)
		text_add(out, "%02x", bytes[i]);
}

void damage_evidence(const struct plan *plan, const struct phase_result *phase, struct text *out)
{
	const struct verification *found = measure_verification(phase->measure);

	if (!phase->files_stay) {
		text_add(out,
			 "the files are removed when the repetition is over; keep them with -K");
		return;
	}
	text_add(out, "the file stays in ");
	damage_path(plan, phase, &found->list[0], out);
	if (!plan->geometry.shared) {
		uint32_t task;

		plan_file_of(plan, found->list[0].file, &task);
		text_add(out, " (of task %" PRIu32 "; those of other tasks are beside it)", task);
	}
	if (phase->files_reused)
		text_add(out, "; the next repetition writes into it, -m gives it files of its own");
}

void damage_summary(const struct plan *plan, const struct phase_result *phase, struct text *out)
{
	const struct verification *found = measure_verification(phase->measure);
	const struct damage *first = &found->list[0];

	text_add(out,
		 "%s phase, repetition %" PRIu64 ": wrong data: %" PRIu64 " of %" PRIu64
		 " transfers, %" PRIu64 " bytes in %" PRIu64 " range%s; the first in ",
		 phase_name(phase->kind), phase->repetition, found->wrong_transfers,
		 phase->operations, found->wrong_bytes, found->ranges,
		 found->ranges == 1 ? "" : "s");
	damage_path(plan, phase, first, out);
	text_add(out, " at offset %" PRIu64 ", length %" PRIu64 ": ", first->what.offset,
		 first->what.length);
	damage_meaning(plan, first, out);
	text_add(out, "; ");
	damage_evidence(plan, phase, out);
}
