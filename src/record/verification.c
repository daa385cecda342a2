/* Results of comparing data in one phase. */
#include "record/damage.h"
#include "record/fields.h"
#include "record/json.h"

static void put_origin(json_t *range, const struct plan *plan, const struct content_damage *what)
{
	const struct content_origin *origin = &what->origin;
	uint64_t owner = damage_owner(plan, origin->file, origin->offset);
	bool known = what->kind == DAMAGE_STALE || what->kind == DAMAGE_MISPLACED ||
		     what->kind == DAMAGE_SHIFTED || what->kind == DAMAGE_OTHER_RUN;
	json_t *object = put_object_if(range, "origin", known);

	if (!object)
		return;
	put_count(object, "seed", origin->seed & ~CONTENT_GUEST);
	put_count(object, "file", origin->file);
	put_count(object, "offset_bytes", origin->offset);
	put_count(object, "repetition", origin->repetition);
	put_count_if(object, "task", owner < plan->map.tasks, owner);
	if (what->kind == DAMAGE_SHIFTED)
		put_integer(object, "shift_bytes", what->shift);
}

static void put_words(json_t *object, const char *key, struct text *words)
{
	put_text(object, key, text_string(words));
	text_clear(words);
}

static void put_range(json_t *ranges, const struct plan *plan, const struct phase_result *phase,
		      const struct damage *damage)
{
	json_t *range = json_object();
	struct text words = {0};

	put_count(range, "file", damage->file);
	damage_path(plan, phase, damage, &words);
	put_words(range, "path", &words);
	put_count(range, "offset_bytes", damage->what.offset);
	put_count(range, "length_bytes", damage->what.length);
	put_count(range, "wrong_bytes", damage->what.wrong_bytes);
	put_count(range, "read_by_task", damage->task);
	damage_bytes(damage, damage->what.expected, &words);
	put_words(range, "expected", &words);
	damage_bytes(damage, damage->what.found, &words);
	if (damage->what.kind == DAMAGE_SPOILT)
		text_clear(&words);
	put_text(range, "found", words.length ? text_string(&words) : NULL);
	text_clear(&words);
	put_text(range, "kind", damage_kind_name(damage->what.kind));
	damage_meaning(plan, damage, &words);
	put_words(range, "meaning", &words);
	put_origin(range, plan, &damage->what);
	text_release(&words);
	json_array_append_new(ranges, range);
}

void record_damage_kinds(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct verification *found = recorder->source.verification;
	json_t *kinds = put_object(owner, key);

	for (unsigned kind = 0; kind < DAMAGE_KINDS; kind++)
		if (found->kinds[kind])
			put_count(kinds, damage_kind_name((enum damage_kind)kind),
				  found->kinds[kind]);
}

void record_damage_ranges(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct result_source *source = &recorder->source;
	json_t *ranges = put_array(owner, key);

	for (uint32_t i = 0; i < source->verification->listed; i++)
		put_range(ranges, source->plan, source->result, &source->verification->list[i]);
}

void record_damage_summary(json_t *owner, const char *key, const struct recorder *recorder)
{
	struct text words = {0};

	damage_summary(recorder->source.plan, recorder->source.result, &words);
	put_words(owner, key, &words);
	text_release(&words);
}

void record_damage_evidence(json_t *owner, const char *key, const struct recorder *recorder)
{
	struct text words = {0};

	damage_evidence(recorder->source.plan, recorder->source.result, &words);
	put_words(owner, key, &words);
	text_release(&words);
}
