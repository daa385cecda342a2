/* Tasks, nodes, slots and files that were slower than the others. */
#include "result/slow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "statistics/distribution.h"
#include "statistics/median.h"

enum { FOLDED = SLOW_SLOT }; /* kinds that travel: tasks and nodes; slots follow from the tasks */

static const double noticeable = 1.1;

struct sample {
	uint64_t kind;
	double seconds;
};

struct paces {
	uint64_t members[FOLDED];
	uint64_t samples; /* samples that follow */
	uint32_t kept[FOLDED];
	struct pace slowest[FOLDED][SLOW_KEPT];
	double slot_least[SLOW_SLOTS]; /* over all nodes: a slow slot is slow on each of them */
	uint64_t slot_tasks[SLOW_SLOTS];
};

const char *slow_kind_name(enum slow_kind kind)
{
	static const char *const names[SLOW_KINDS] = {"task", "node", "slot", "file"};

	return names[kind];
}

static struct paces *paces_of(const struct text *blob)
{
	return (void *)blob->bytes;
}

void paces_start(struct text *blob)
{
	const struct paces none = {0};

	text_clear(blob);
	text_add_bytes(blob, (const char *)&none, sizeof(none));
}

/*
 * The lower number is slower among equals, so that the result does not depend on the order of
 * merging.
 */
static bool is_slower(const struct pace *a, const struct pace *b)
{
	return a->seconds > b->seconds || (a->seconds == b->seconds && a->number < b->number);
}

static void keep_slowest(struct pace *kept, uint32_t *count, const struct pace *pace)
{
	uint32_t at = *count;

	while (at > 0 && is_slower(pace, &kept[at - 1]))
		at--;
	if (at == SLOW_KEPT)
		return;
	if (*count < SLOW_KEPT)
		(*count)++;
	memmove(&kept[at + 1], &kept[at], (*count - 1 - at) * sizeof(*kept));
	kept[at] = *pace;
}

static void slow_add(struct text *blob, enum slow_kind kind, const struct pace *pace,
		     uint32_t every)
{
	const struct sample sample = {kind, pace->seconds};
	struct paces *paces = paces_of(blob);

	paces->members[kind]++;
	keep_slowest(paces->slowest[kind], &paces->kept[kind], pace);
	if (pace->number % every)
		return;
	paces->samples++;
	text_add_bytes(blob, (const char *)&sample, sizeof(sample));
}

static void add_slot(struct paces *paces, uint32_t slot, double least, uint64_t tasks)
{
	if (tasks && (!paces->slot_tasks[slot] || least < paces->slot_least[slot]))
		paces->slot_least[slot] = least;
	paces->slot_tasks[slot] += tasks;
}

void paces_add_task(struct text *blob, const struct pace *pace, uint32_t slot, uint32_t every)
{
	if (slot < SLOW_SLOTS)
		add_slot(paces_of(blob), slot, pace->seconds, 1);
	slow_add(blob, SLOW_TASK, pace, every);
}

void paces_add_node(struct text *blob, const struct pace *pace, uint32_t every)
{
	slow_add(blob, SLOW_NODE, pace, every);
}

void paces_merge(void *context, struct text *mine, const void *theirs, size_t length)
{
	struct paces *into = paces_of(mine);
	const struct paces *from = theirs;

	for (unsigned kind = 0; kind < FOLDED; kind++) {
		into->members[kind] += from->members[kind];
		for (uint32_t i = 0; i < from->kept[kind]; i++)
			keep_slowest(into->slowest[kind], &into->kept[kind],
				     &from->slowest[kind][i]);
	}
	for (uint32_t slot = 0; slot < SLOW_SLOTS; slot++)
		add_slot(into, slot, from->slot_least[slot], from->slot_tasks[slot]);
	into->samples += from->samples;
	text_add_bytes(mine, (const char *)(from + 1), length - sizeof(*from));
}

/* Sorted values, and scratch memory for as many. */
struct values {
	double *sorted, *room;
	size_t count;
};

/*
 * Compares a member with all others. Its own pace is left out, as it would hide a slow one among
 * few members.
 */
static void slow_compare(struct slow_one *one, const struct values *values)
{
	size_t others = 0;
	bool left_out = false;

	for (size_t i = 0; i < values->count; i++) {
		if (!left_out && values->sorted[i] == one->pace.seconds)
			left_out = true;
		else
			values->room[others++] = values->sorted[i];
	}
	if (!others)
		return;
	double *room = values->room + values->count;
	double median = sorted_median(values->room, others);
	double distance = median_distance(values->room, others, median, room);

	one->ratio = median > 0 ? one->pace.seconds / median : 0;
	one->z = modified_z(one->pace.seconds, median, distance);
}

/*
 * Share of members at least a tenth slower than the others. The kept members are compared one by
 * one.
 */
static double share_of_slower(const struct slow_group *group, const struct values *values)
{
	size_t slower = 0;

	while (slower < group->kept && group->ones[slower].ratio >= noticeable)
		slower++;
	if (slower < SLOW_KEPT)
		return (double)slower / (double)group->members;
	/* All kept members are slower. Only the samples are known of the others. */
	for (size_t i = slower = 0; i < values->count; i++)
		slower += values->sorted[i] >= noticeable * group->median;
	return (double)slower / (double)values->count;
}

static void judge_group(struct slow_group *group, const struct pace *kept, uint32_t count,
			const struct values *values, bool judged)
{
	values_sort(values->sorted, values->count);
	group->median = sorted_median(values->sorted, values->count);
	group->threshold = slowest_z_threshold((size_t)group->members);
	group->kept = count;
	for (uint32_t i = 0; i < count; i++) {
		struct slow_one *one = &group->ones[i];

		one->pace = kept[i];
		slow_compare(one, values);
		one->slow = judged && group->threshold > 0 && one->z > group->threshold &&
			    one->ratio >= noticeable;
		group->slow += one->slow;
	}
	group->share = share_of_slower(group, values);
}

static void judge_folded(struct slow *slow, enum slow_kind kind, const struct text *blob)
{
	const struct paces *paces = paces_of(blob);
	const struct sample *samples = (const void *)(paces + 1);
	struct slow_group *group = &slow->groups[kind];
	struct values values = {.sorted = memory_allocate(3 * paces->samples + 1, sizeof(double))};

	for (uint64_t i = 0; i < paces->samples; i++)
		if (samples[i].kind == kind)
			values.sorted[values.count++] = samples[i].seconds;
	values.room = values.sorted + values.count;
	if (paces->members[kind] > 1 && values.count > 1) {
		group->members = paces->members[kind];
		judge_group(group, paces->slowest[kind], paces->kept[kind], &values, slow->judged);
	}
	free(values.sorted);
}

/* Slots are not judged on one node, where a slot is a task. */
static void judge_slots(struct slow *slow, const struct paces *paces)
{
	struct slow_group *group = &slow->groups[SLOW_SLOT];
	double room[3 * SLOW_SLOTS];
	struct values values = {.sorted = room};
	struct pace kept[SLOW_KEPT];
	uint32_t count = 0;

	for (uint32_t slot = 0; slot < SLOW_SLOTS && paces->slot_tasks[slot] > 1; slot++) {
		struct pace pace = {.number = slot, .seconds = paces->slot_least[slot]};

		keep_slowest(kept, &count, &pace);
		room[values.count++] = pace.seconds;
	}
	values.room = room + values.count;
	if (values.count < 2)
		return;
	group->members = values.count;
	judge_group(group, kept, count, &values, slow->judged);
}

void slow_judge(struct slow *slow, struct text *blob, bool judged)
{
	const struct paces *paces = paces_of(blob);

	*slow = (struct slow){.judged = judged};
	judge_folded(slow, SLOW_TASK, blob);
	/* With one task on each node, nodes are tasks. */
	if (paces->members[SLOW_NODE] < paces->members[SLOW_TASK])
		judge_folded(slow, SLOW_NODE, blob);
	judge_slots(slow, paces);
}

static struct slow_member *member_of(struct slow_history *history, enum slow_kind kind,
				     uint32_t number)
{
	uint32_t *count = &history->counts[kind];

	for (uint32_t i = 0; i < *count; i++)
		if (history->members[kind][i].number == number)
			return &history->members[kind][i];
	if (*count == SLOW_MEMBERS)
		return NULL;
	history->members[kind][*count].number = number;
	return &history->members[kind][(*count)++];
}

static void remember(struct slow_history *history, enum slow_kind kind,
		     const struct slow_group *group)
{
	history->sizes[kind] = group->members;
	history->shares[kind] += group->share;
	for (uint32_t i = 0; i < group->kept; i++) {
		const struct slow_one *one = &group->ones[i];
		uint32_t number = kind == SLOW_FILE ? one->pace.file : one->pace.number;
		struct slow_member *member;

		if (one->ratio < noticeable)
			break;
		member = member_of(history, kind, number);
		if (!member)
			continue;
		member->node = one->pace.node;
		member->times++;
		member->flagged += one->slow;
		member->ratio_sum += one->ratio;
	}
}

void slow_remember(struct slow_history *history, const struct slow *slow)
{
	if (!slow->judged)
		return;
	history->repetitions++;
	for (enum slow_kind kind = 0; kind < SLOW_FILE; kind++)
		remember(history, kind, &slow->groups[kind]);
	remember(history, SLOW_FILE, &slow->groups[SLOW_TASK]);
}

double slow_chance(const struct slow_history *history, enum slow_kind kind,
		   const struct slow_member *member)
{
	double chance = history->shares[kind] / (double)history->repetitions;
	double tail = binomial_at_least(history->repetitions, member->times, fmin(1, chance));

	return fmin(1, tail * (double)history->sizes[kind]);
}

bool slow_persists(const struct slow_history *history, enum slow_kind kind,
		   const struct slow_member *member)
{
	return 2 * member->times >= history->repetitions &&
	       slow_chance(history, kind, member) < 0.05;
}
