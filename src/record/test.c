/* One test: its options, its plan, its file system and its summary. */
#include "plan/workload.h"
#include "record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "options/turns.h"
#include "options/varied.h"
#include "record/json.h"

static const char *origin_name(enum origin_kind kind)
{
	static const char *const names[] = {
		[ORIGIN_DEFAULT] = "default",
		[ORIGIN_FILE] = "file",
		[ORIGIN_COMMAND_LINE] = "command line",
		[ORIGIN_ENVIRONMENT] = "environment",
	};

	return names[kind];
}

static json_t *pairs_value(const char *lines)
{
	json_t *object = json_object();
	struct option_pair pair;

	while (option_pair_next(&lines, &pair)) {
		char *name = text_copy_n(pair.name, pair.name_length);
		char *value = text_copy_n(pair.value, pair.value_length);
		json_t *key = json_text(name); /* valid UTF-8 */

		json_object_set_new(object, json_string_value(key), json_text(value));
		json_decref(key);
		free(value);
		free(name);
	}
	return object;
}

static json_t *option_value(const struct option_set *set, const struct option *row)
{
	const char *at = (const char *)set->values + row->offset;
	const void *value = at;

	switch (row->type) {
	case OPTION_COUNT:
		if (row->zero && !*(const uint64_t *)value)
			return json_text(row->zero);
		return json_count(*(const uint64_t *)value);
	case OPTION_SIZE:
		return json_count(*(const uint64_t *)value);
	case OPTION_INTEGER:
		return json_integer(*(const int64_t *)value);
	case OPTION_LEVEL:
		return json_integer(*(const unsigned *)value);
	case OPTION_SECONDS:
	case OPTION_SHARE:
	case OPTION_RATE:
	case OPTION_SPEED:
		return json_number(*(const double *)value);
	case OPTION_BOOL:
		return json_boolean(*(const bool *)value);
	case OPTION_STRING:
		return json_text(*(const char *const *)value);
	case OPTION_CHOICE:
		return json_text(row->choices[*(const int *)value]);
	case OPTION_PAIRS:
		return pairs_value(*(const char *const *)value);
	}
	return json_null();
}

void record_options(json_t *object, const struct job *job, const struct option_set *set)
{
	const struct option_table *table = set->table;
	char name[128], where[512];

	for (size_t i = 0; i < table->count; i++) {
		const struct option *row = &table->rows[i];
		json_t *option;

		snprintf(name, sizeof(name), "%s%s%s", table->prefix, *table->prefix ? "." : "",
			 row->name);
		option = put_object(object, name);
		json_object_set_new(option, "value", option_value(set, row));
		if (row->unit)
			put_text(option, "unit", row->unit);
		put_text(option, "origin", origin_name(set->origins[i].kind));
		put_text(option, "where", job_where(job, set->origins[i], where, sizeof(where)));
	}
}

static bool any_given(const struct option_set *set)
{
	for (size_t i = 0; i < set->table->count; i++)
		if (set->origins[i].kind != ORIGIN_DEFAULT)
			return true;
	return false;
}

/*
 * Adds the options of the core and of the api, and of any other table that the user set (the fault
 * wrapper).
 */
static void put_test_options(json_t *test, const struct job *job, const struct test_spec *spec)
{
	const struct option_set *own = own_set_of(spec);
	json_t *options = put_object(test, "options");

	record_options(options, job, &spec->core);
	if (own)
		record_options(options, job, own);
	for (size_t i = 0; i < spec->backend_count; i++) {
		const struct option_set *set = &spec->backends[i];

		if (text_same_key(test_of(spec)->api, set->table->prefix) || any_given(set))
			record_options(options, job, set);
	}
}

static void put_placement(json_t *plan, const struct node_map *map)
{
	json_t *runs = put_array(plan, "placement");

	for (size_t i = 0; i < map->count; i++) {
		json_t *run = json_object();

		put_count(run, "first_node", map->runs[i].node);
		put_count(run, "nodes", map->runs[i].nodes);
		put_count(run, "tasks_per_node", map->runs[i].tasks);
		json_array_append_new(runs, run);
	}
}

/* The operations that have numbers of their own, phase by phase. */
static void put_series(json_t *object, const struct plan *plan)
{
	json_t *list = put_array(object, "series");
	struct series series[SERIES_MOST];

	for (unsigned phase = 0; phase < plan->phase_count; phase++)
		for (unsigned i = 0, count = plan_series(plan, phase, series); i < count; i++) {
			json_t *one = json_object();

			put_count(one, "phase_index", phase);
			put_text(one, "operation", operation_name(series[i].operation));
			put_text(one, "part", series[i].part);
			json_array_append_new(list, one);
		}
}

json_t *record_plan(json_t *test, const struct plan *plan)
{
	json_t *object = put_object(test, "plan"), *phases = put_array(object, "phases");

	for (unsigned i = 0; i < plan->phase_count; i++)
		json_array_append_new(phases, json_text(phase_name(plan->phases[i].kind)));
	put_series(object, plan);
	put_count(object, "tasks", plan->map.tasks);
	put_count(object, "nodes", plan->map.nodes);
	put_placement(object, &plan->map);
	put_count(object, "queue_depth", plan->queue_depth);
	put_count(object, "directories", plan->directories);
	put_count(object, "memory_per_task_bytes", plan->memory_per_task);
	put_count(object, "memory_hog_per_node_bytes", plan->memory_hog_per_node);
	return object;
}

void record_readers(json_t *plan, const char *key, const struct reader_map *readers)
{
	static const char *const names[] = {
		[READERS_SELF] = "self",       [READERS_BY_NUMBER] = "by number",
		[READERS_BY_NODE] = "by node", [READERS_MIRRORED] = "by node, mirrored",
		[READERS_PERMUTED] = "random",
	};
	json_t *object = put_object(plan, key);

	put_text(object, "order", names[readers->order]);
	put_count(object, "shift_tasks", readers->shift);
	put_count(object, "same_node_tasks", readers->same_node);
}

/* Puts the trace that a load replays, as its plan knows it. */
static void put_trace(json_t *plan, const struct trace *trace)
{
	json_t *object = put_object(plan, "trace");

	put_count(object, "checksum", trace->checksum);
	put_count(object, "reads", trace->operations[TRACE_READ]);
	put_count(object, "writes", trace->operations[TRACE_WRITE]);
	put_count(object, "fsyncs", trace->operations[TRACE_SYNC]);
	put_count(object, "trims_left_out", trace->operations[TRACE_TRIM]);
	put_count(object, "streams", trace->streams);
	put_number(object, "span_s", (double)trace->span_ns / 1e9);
}

static void put_plan(json_t *test, const struct plan *plan)
{
	static const char *const orders[] = {
		[ORDER_SEQUENTIAL] = "file",
		[ORDER_PERMUTED] = "random",
		[ORDER_REPEATS] = "random with repeats",
	};
	json_t *object = record_plan(test, plan);

	record_readers(object, "readers", &plan->readers);
	if (plan->test->check_write)
		record_readers(object, "verifiers", &plan->verifiers);
	put_text(object, "order", orders[plan->order]);
	put_bool(object, "shared_file", plan->geometry.shared);
	put_count(object, "block_bytes", plan->geometry.block);
	put_count(object, "transfer_bytes", plan->geometry.transfer);
	put_count(object, "segments", plan->geometry.segments);
	put_count(object, "transfers_per_task", plan->transfers_per_task);
	put_count(object, "task_bytes", plan->bytes_per_task);
	put_count(object, "phase_bytes", plan->bytes);
	put_count(object, "file_bytes", plan->file_size);
	put_count(object, "files", plan->files);
	put_count(object, "space_bytes", plan->space_bytes);
	put_count(object, "buffer_bytes", plan->buffer_bytes);
	if (plan->trace)
		put_trace(object, plan->trace);
}

static void put_mount(json_t *test, const struct mount_facts *mount)
{
	json_t *object = put_object_if(test, "mount", mount && *mount->path);

	if (!object)
		return;
	put_text(object, "directory", mount->path);
	put_text(object, "type", *mount->type ? mount->type : NULL);
	put_text(object, "source", *mount->source ? mount->source : NULL);
	put_text(object, "target", *mount->target ? mount->target : NULL);
	put_text(object, "options", *mount->options ? mount->options : NULL);
	put_count(object, "size_bytes", mount->size_bytes);
	put_count(object, "free_bytes", mount->free_bytes);
}

static void put_limit(json_t *list, const struct measured_limit *limit)
{
	json_t *one = json_object();

	put_text(one, "limit", limit_name(limit->limit));
	put_text(one, "access",
		 limit->any_access		? NULL
		 : limit->access == ACCESS_READ ? "read"
						: "write");
	put_text(one, "method", limit->method);
	put_number(one, "each_bytes_per_s", limit->each);
	put_count(one, "count", limit->count);
	put_count(one, "rounds", limit->rounds);
	put_number(one, "spread", limit->spread);
	put_bool(one, "judges", limit->judges);
	json_array_append_new(list, one);
}

/* The limits that were measured before the test; null where the job did not ask for them. */
static void put_measured(json_t *test, const struct measured *measured)
{
	json_t *object = put_object_if(test, "measured_limits", measured->asked), *list;

	if (!object)
		return;
	put_text(object, "why_not", measured->why_not);
	put_number(object, "measuring_s", measured->seconds);
	put_count(object, "transfer_bytes", measured->transfer);
	put_number_if(object, "round_trip_s", measured->round_trip > 0, measured->round_trip);
	list = put_array(object, "limits");
	for (unsigned i = 0; i < measured->count; i++)
		put_limit(list, &measured->limits[i]);
}

static void put_content(json_t *test, const struct test_result *result)
{
	static const char *const kinds[] = {
		[CONTENT_STAMPED] = "stamped", [CONTENT_RANDOM] = "random",
		[CONTENT_ZEROS] = "zeros",     [CONTENT_FILE] = "file",
		[CONTENT_IOR] = "ior",	       [CONTENT_IOR_OFFSET] = "ior-offset",
	};
	const struct test *spec = result->plan->test;
	json_t *object;

	object = put_object_if(test, "content",
			       !result->plan->backend->ignores_buffers &&
				       !plan_traits(result->plan)->has_names);
	if (!object)
		return;
	put_text(object, "kind", kinds[spec->content]);
	put_count(object, "seed", result->seed);
	put_number(object, "compressible_share", spec->content_compress);
	put_count(object, "copies", spec->content_dedup);
}

/* Adds name and value of a varied option. num_tasks has the number that was used. */
static void put_varied(json_t *varied, const struct varied *option, const struct test_result *test)
{
	const struct test_spec *owner = test->spec + option->owner;
	struct text name = {0};
	json_t *key;

	if (option->row == option_find(&test_options, "num_tasks") && !option->owner) {
		put_count(varied, "tasks", test->plan->map.tasks);
		return;
	}
	varied_name(test->spec, option, true, &name);
	key = json_text(text_string(&name)); /* valid UTF-8 */
	json_object_set_new(varied, json_string_value(key),
			    option_value(test_spec_set(owner, option->table), option->row));
	json_decref(key);
	text_release(&name);
}

static void put_study(json_t *object, const struct job *job, const struct test_result *test)
{
	static const char *const placements[] = {
		[PLACEMENT_FIRST] = "first",
		[PLACEMENT_PACKED] = "packed",
		[PLACEMENT_SPREAD] = "spread",
	};
	const struct study *study = &test->spec->study;
	json_t *made = put_object_if(object, "study", study->made), *varied;

	if (!made)
		return;
	put_count(made, "id", study->number);
	const char *why = turns_why_not(job, test->number);

	put_text(made, "order", why ? "sequential" : "interleaved");
	put_text(made, "sequential_because", why);
	varied = put_object(made, "varied");
	for (size_t i = 0; i < study->count; i++)
		put_varied(varied, &study->options[i], test);
	put_text(made, "scaling", test->plan->test->scaling == SCALING_STRONG ? "strong" : "weak");
	put_text(made, "placement", placements[test->plan->test->placement]);
}

/* The set of tests that run at the same time as this one. */
static void put_set(json_t *object, const struct test_result *test)
{
	const struct membership *member = &test->spec->set;
	json_t *set = put_object_if(object, "set", member->number), *nodes;

	if (!set)
		return;
	put_count(set, "number", member->number);
	put_count(set, "first_task", test->plan->seats->first_task);
	nodes = put_array(set, "nodes");
	for (uint32_t i = 0; i < test->plan->map.nodes; i++)
		json_array_append_new(nodes, json_count(test->plan->seats->node_of[i]));
	put_count(set, "copy", member->copy);
	put_count_if(set, "alone_of", member->alone, member->alone_of);
}

json_t *record_test(const struct job *job, const struct test_result *test,
		    const struct mount_facts *mount)
{
	json_t *object = json_object();

	put_count(object, "test", test->number);
	put_text(object, "api", test_of(test->spec)->api);
	put_text(object, "backend", test->plan->backend->name);
	put_text(object, "test_file",
		 test->plan->metadata ? test->plan->metadata->dir : test_of(test->spec)->test_file);
	put_integer(object, "ref_num", test_of(test->spec)->ref_num);
	put_count_if(object, "line", test->spec->line, (uint64_t)test->spec->line);
	put_text(object, "name", test_of(test->spec)->name);
	put_study(object, job, test);
	put_set(object, test);
	put_test_options(object, job, test->spec);
	put_content(object, test);
	if (test->plan->metadata)
		record_tree(object, test->plan);
	else
		put_plan(object, test->plan);
	put_mount(object, mount);
	put_measured(object, &test->measured);
	return object;
}
