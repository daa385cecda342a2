/* Timeline and heatmap of a phase. */
#include "record/fields.h"
#include "record/json.h"

/* A percentile; null where the slice has too few transfers. */
static json_t *percentile(const struct slice *slice, double q)
{
	uint64_t ns = slice_percentile(slice, q);

	return ns ? json_count(ns) : json_null();
}

static bool was_paced(const struct measure *measure)
{
	const struct operation_record *lateness = measure_record(measure, OPERATION_LATENESS);

	return lateness && lateness->histogram.count;
}

void record_timeline(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct phase_result *result = recorder->source.result;
	json_t *object = put_object_if(owner, key, phase_began(result));

	if (!object)
		return;
	const struct timeline *timeline = measure_timeline(result->measure);

	put_number(object, "slice_seconds", phase_slice_seconds(result));
	put_number(object, "lead_s", (double)result->slices_lead_ns / 1e9);
	json_t *bytes = put_array(object, "bytes"), *operations = put_array(object, "operations");
	json_t *p50 = put_array(object, "p50_ns"), *p99 = put_array(object, "p99_ns");
	json_t *max = put_array(object, "max_ns");
	json_t *due = was_paced(result->measure) ? put_array(object, "due") : NULL;

	for (uint32_t i = 0; i < result->slices; i++) {
		const struct slice *slice = &timeline->slices[i];
		uint64_t count = slice_operations(slice);

		json_array_append_new(bytes, json_count(slice->bytes));
		json_array_append_new(operations, json_count(count));
		json_array_append_new(p50, percentile(slice, 0.5));
		json_array_append_new(p99, percentile(slice, 0.99));
		json_array_append_new(max, count ? json_count(slice->max_ns) : json_null());
		if (due)
			json_array_append_new(due, json_count(slice->due + slice->unissued));
	}
}

static void put_row(json_t *rows, const struct plan *plan, uint32_t first, uint32_t last)
{
	const struct node_map *map = &plan->map;
	uint32_t task = node_map_at(map, first);
	json_t *row = json_object();

	put_count(row, "first_task", task);
	put_count(row, "last_task", node_map_at(map, last));
	put_count(row, "node", plan_job_node(plan, task)); /* record_add_hosts() names it */
	json_array_append_new(rows, row);
}

void record_heatmap(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct phase_result *result = recorder->source.result;
	const struct node_map *map = &recorder->source.plan->map;
	const bool moves = phase_began(result) &&
			   (phase_moves_data(result->kind) || result->kind == PHASE_LOAD);
	json_t *object = put_object_if(owner, key, moves);

	if (!object)
		return;
	const struct heatmap *heatmap = measure_heatmap(result->measure);
	uint32_t joined = heatmap_joined(map->tasks);

	put_number(object, "slice_seconds", width_seconds(heatmap->width));
	put_number(object, "lead_s", (double)result->slices_lead_ns / 1e9);
	json_t *rows = put_array(object, "rows"), *table = put_array(object, "bytes");

	for (uint32_t first = 0, row = 0; first < map->tasks; first += joined, row++) {
		uint32_t last = map->tasks - first > joined ? first + joined - 1 : map->tasks - 1;
		json_t *bytes = json_array();

		put_row(rows, recorder->source.plan, first, last);
		for (uint32_t i = 0; i < result->heatmap_columns; i++)
			json_array_append_new(bytes, json_count(heatmap->bytes[row][i]));
		json_array_append_new(table, bytes);
	}
}
