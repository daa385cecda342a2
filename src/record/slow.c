/* Slow members of a phase, and over the repetitions. */
#include "record/fields.h"
#include "record/json.h"

/* A task has a node and a file besides its number; a slot has only a number. */
static void put_member(json_t *object, enum slow_kind kind, uint32_t number, uint32_t node)
{
	if (kind != SLOW_NODE)
		put_count(object, slow_kind_name(kind), number);
	if (kind == SLOW_TASK || kind == SLOW_NODE)
		record_node(object, kind == SLOW_NODE ? number : node);
}

static void put_group(json_t *slow, const char *key, enum slow_kind kind,
		      const struct slow_group *group)
{
	json_t *object = put_object_if(slow, key, group->members > 0), *list;

	if (!object)
		return;
	put_count(object, "members", group->members);
	put_number(object, "median_s", group->median);
	put_number_if(object, "z_threshold", group->threshold > 0, group->threshold);
	put_count(object, "slow", group->slow);
	list = put_array(object, "slowest");
	for (uint32_t i = 0; i < group->kept; i++) {
		const struct slow_one *one = &group->ones[i];
		json_t *item = json_object();

		put_member(item, kind, one->pace.number, one->pace.node);
		if (kind == SLOW_TASK)
			put_count(item, "file", one->pace.file);
		put_number(item, "time_s", one->pace.seconds);
		put_number(item, "ratio", one->ratio);
		put_number(item, "z", one->z);
		put_bool(item, "slow", one->slow);
		json_array_append_new(list, item);
	}
}

void record_slow(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct slow *slow = recorder->source.result->slow;
	json_t *object = put_object_if(owner, key, slow != NULL);

	if (!object)
		return;
	put_bool(object, "judged", slow->judged);
	put_group(object, "tasks", SLOW_TASK, &slow->groups[SLOW_TASK]);
	put_group(object, "nodes", SLOW_NODE, &slow->groups[SLOW_NODE]);
	put_group(object, "slots", SLOW_SLOT, &slow->groups[SLOW_SLOT]);
}

void record_slow_history(json_t *summary, const struct slow_history *history)
{
	json_t *object = put_object(summary, "slow"), *list;

	put_count(object, "judged_repetitions", history->repetitions);
	list = put_array(object, "members");
	for (enum slow_kind kind = 0; kind < SLOW_KINDS; kind++)
		for (uint32_t i = 0; i < history->counts[kind]; i++) {
			const struct slow_member *member = &history->members[kind][i];
			json_t *item = json_object();

			put_text(item, "kind", slow_kind_name(kind));
			put_member(item, kind, member->number, member->node);
			put_count(item, "repetitions", member->times);
			put_count(item, "flagged", member->flagged);
			put_number(item, "mean_ratio", member->ratio_sum / (double)member->times);
			put_number(item, "p", slow_chance(history, kind, member));
			put_bool(item, "persistent", slow_persists(history, kind, member));
			json_array_append_new(list, item);
		}
}
