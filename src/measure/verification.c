/* Damaged ranges: counted, listed in order, joined. */
#include "measure/verification.h"

#include <string.h>

static const char *const kind_names[DAMAGE_KINDS] = {
	[DAMAGE_BITS] = "bits",	      [DAMAGE_ZEROS] = "zeros",
	[DAMAGE_STALE] = "stale",     [DAMAGE_MISPLACED] = "misplaced",
	[DAMAGE_SHIFTED] = "shifted", [DAMAGE_OTHER_RUN] = "other run",
	[DAMAGE_SPOILT] = "not read", [DAMAGE_RANDOM] = "random",
};

const char *damage_kind_name(enum damage_kind kind)
{
	return kind_names[kind];
}

static int order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/*
 * Orders by file and offset, then by all other members, so that the result does not depend on the
 * order of merging.
 */
static int verification_compare(const struct damage *a, const struct damage *b)
{
	int by = order(a->file, b->file);

	if (!by)
		by = order(a->what.offset, b->what.offset);
	if (!by)
		by = order(a->task, b->task);
	if (!by)
		by = order(a->what.length, b->what.length);
	return by ? by : memcmp(a->what.found, b->what.found, sizeof(a->what.found));
}

static void list(struct verification *verification, const struct damage *damage)
{
	uint32_t at = verification->listed;
	struct damage *list = verification->list;

	while (at && verification_compare(damage, &list[at - 1]) < 0)
		at--;
	if (at == DAMAGE_LISTED)
		return;
	if (verification->listed < DAMAGE_LISTED)
		verification->listed++;
	memmove(&list[at + 1], &list[at], (verification->listed - at - 1) * sizeof(*list));
	list[at] = *damage;
}

void verification_add(struct verification *verification, const struct damage *damage)
{
	verification->ranges++;
	verification->kinds[damage->what.kind]++;
	verification->wrong_bytes += damage->what.wrong_bytes;
	list(verification, damage);
}

void verification_merge(struct verification *into, const struct verification *from)
{
	into->wrong_transfers += from->wrong_transfers;
	into->wrong_bytes += from->wrong_bytes;
	into->ranges += from->ranges;
	into->missing_bytes += from->missing_bytes;
	for (unsigned i = 0; i < DAMAGE_KINDS; i++)
		into->kinds[i] += from->kinds[i];
	for (uint32_t i = 0; i < from->listed; i++)
		list(into, &from->list[i]);
}

/*
 * True if the second range begins in the last sector of the first or the next one. By chance a
 * wrong sector may begin or end with right bytes.
 */
static bool adjoin(const struct content_damage *a, const struct content_damage *b)
{
	uint64_t end = a->offset + a->length;

	return b->offset >= end && b->offset / SECTOR <= (end - 1) / SECTOR + 1;
}

static bool same_run(const struct content_origin *a, const struct content_origin *b)
{
	return a->seed == b->seed && a->repetition == b->repetition && a->file == b->file;
}

/* True if the data found in both ranges was written as one contiguous piece elsewhere. */
static bool same_piece(const struct content_damage *a, const struct content_damage *b)
{
	return same_run(&a->origin, &b->origin) &&
	       a->origin.offset / SECTOR - a->offset / SECTOR ==
		       b->origin.offset / SECTOR - b->offset / SECTOR;
}

static bool one_damage(const struct content_damage *a, const struct content_damage *b)
{
	switch (a->kind) {
	case DAMAGE_BITS:
		return false;
	case DAMAGE_STALE:
	case DAMAGE_MISPLACED:
	case DAMAGE_OTHER_RUN:
		return same_piece(a, b);
	case DAMAGE_SHIFTED:
		return a->shift == b->shift && same_run(&a->origin, &b->origin);
	case DAMAGE_ZEROS:
	case DAMAGE_SPOILT:
	case DAMAGE_RANDOM:
		break;
	}
	return true;
}

bool damage_join(struct damage *into, const struct damage *next)
{
	struct content_damage *a = &into->what;
	const struct content_damage *b = &next->what;

	if (into->file != next->file || a->kind != b->kind || !adjoin(a, b) || !one_damage(a, b))
		return false;
	a->length = b->offset + b->length - a->offset;
	a->wrong_bytes += b->wrong_bytes;
	return true;
}
