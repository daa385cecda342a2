/* A phase as a JSON object: walks result_fields. */
#include "record/fields.h"

#include <string.h>

#include "record/json.h"

static const struct {
	const char *key;
	void (*put)(json_t *owner, const char *key, const struct recorder *recorder);
} by_hand[] = {
	{"phase", record_kind},
	{"status", record_status},
	{"began", record_began},
	{"cold_method", record_cold_method},
	{"beside", record_beside},
	{"slow", record_slow},
	{"form", record_form},
	{"errors", record_errors},
	{"missing_directories", record_missing_directories},
	{"test_directories", record_test_directories},
	{"directories", record_directories},
	{"failures", record_unread},
	{"depths", record_depths},
	{"kinds", record_damage_kinds},
	{"ranges", record_damage_ranges},
	{"summary", record_damage_summary},
	{"evidence", record_damage_evidence},
	{"operations", record_operations},
	{"timeline", record_timeline},
	{"heatmap", record_heatmap},
	{"counters", record_phase_counters},
	{"prefill_counters", record_prefill},
	{"settings", record_settings},
	{"outliers", record_outliers},
	{"failure", record_failure},
	{"stop", record_stop},
	{"possible", record_possible},
	{"severity", record_severity},
	{"verdicts", record_phase_verdicts},
};

static void put_by_hand(json_t *owner, const char *key, const struct recorder *recorder)
{
	for (size_t i = 0; i < sizeof(by_hand) / sizeof(by_hand[0]); i++)
		if (!strcmp(by_hand[i].key, key)) {
			by_hand[i].put(owner, key, recorder);
			return;
		}
	BUG("nobody writes the member %s", key);
}

/* Stamps count in ns from the begin of the phase. */
static void put_extent(json_t *owner, const char *key, const struct extent *extent,
		       const struct recorder *recorder)
{
	uint64_t begin = recorder->source.measure->begin.first;
	json_t *object;

	if (extent->first == UINT64_MAX)
		return;
	object = put_object(owner, key);
	put_integer(object, "first_ns", (int64_t)(extent->first - begin));
	put_integer(object, "last_ns", (int64_t)(extent->last - begin));
}

void record_node(json_t *object, uint32_t node)
{
	put_count(object, "node", node);
	put_text(object, "host", NULL);
}

static void put_field(json_t *owner, const struct result_field *field,
		      const struct recorder *recorder)
{
	const struct result_source *source = &recorder->source;

	switch (field->type) {
	case RESULT_COUNT:
	case RESULT_COUNT_32:
		put_count(owner, field->key, result_field_value(field, source).count);
		break;
	case RESULT_NUMBER:
		put_number(owner, field->key, result_field_value(field, source).number);
		break;
	case RESULT_TRUTH:
		put_bool(owner, field->key, result_field_value(field, source).truth);
		break;
	case RESULT_EXTENT:
		put_extent(owner, field->key, result_field_extent(field, source), recorder);
		break;
	case RESULT_NODE:
		record_node(owner, (uint32_t)result_field_value(field, source).count);
		break;
	case RESULT_OBJECT:
		record_fields(put_object(owner, field->key), field->inner, recorder);
		break;
	case RESULT_BY_HAND:
		put_by_hand(owner, field->key, recorder);
		break;
	}
}

void record_fields(json_t *owner, const struct result_field *fields,
		   const struct recorder *recorder)
{
	for (const struct result_field *field = fields; field->key; field++) {
		if (!result_field_is_there(field, &recorder->source))
			continue;
		if (!result_field_is_known(field, &recorder->source))
			json_object_set_new(owner, field->key, json_null());
		else
			put_field(owner, field, recorder);
	}
}
