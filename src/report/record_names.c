/* Of metadata tests: the tree in the plan, and what a phase did to names. */
#include <math.h>

#include "base/errno_names.h"
#include "report/json.h"
#include "report/record.h"

static void put_directories(json_t *object, const struct plan *plan)
{
	json_t *list = put_array(object, "dirs");
	char path[PLAN_PATH_SIZE];

	for (uint32_t i = 0; i < plan->path_count; i++) {
		plan_base(plan, i, path);
		json_array_append_new(list, json_text(path));
	}
}

static void put_shifts(json_t *object, const struct plan *plan)
{
	static const char *const names[STRIDES] = {"create", "stat", "read", "remove"};
	json_t *shifts = put_object(object, "strides");

	for (unsigned i = 0; i < STRIDES; i++)
		record_readers(shifts, names[i], &plan->shifts[i]);
}

void record_tree(json_t *test, const struct plan *plan)
{
	json_t *object = record_plan(test, plan);
	const struct tree *tree = &plan->tree;

	put_directories(object, plan);
	put_text(object, "names",
		 plan->metadata->names == NAMES_RELATIVE ? "relative" : "full");
	put_bool(object, "unique_trees", plan->metadata->unique_dir);
	put_count(object, "trees_per_task", tree->trees);
	put_count(object, "directories_per_tree", tree->directories);
	put_count(object, "directories_with_items", tree->holders);
	put_count(object, "items_per_directory", tree->per_directory);
	put_count(object, "directories_with_one_more", tree->extra);
	put_count(object, "items_per_task", tree->items);
	put_count(object, "tasks_with_one_item_less", plan->map.tasks - plan->full_tasks);
	put_count(object, "items", plan->files);
	put_shifts(object, plan);
}

/* "ENOENT"; a number for a code without a name. */
static void put_error(json_t *errors, unsigned code, uint64_t count)
{
	const char *name = code ? errno_find_name((int)code) : "other";
	char number[16];

	snprintf(number, sizeof(number), "errno %u", code);
	json_object_set_new(errors, name ? name : number, json_count(count));
}

/* done: the word for what became of them. */
static void put_some_directories(json_t *names, const char *key, const char *done,
				 const struct some_directories *some)
{
	json_t *object = put_object(names, key);

	put_count(object, done, some->count);
	put_text(object, "first", some->count ? some->first : NULL);
}

static void put_unread(json_t *find, const struct unread *unread)
{
	json_t *list = put_array(find, "failures");

	for (unsigned i = 0; i < UNREAD_NAMED && *unread[i].path; i++) {
		const char *name = unread[i].code ? errno_find_name((int)unread[i].code) : NULL;
		json_t *object = json_object();

		put_text(object, "path", unread[i].path);
		put_text(object, "operation", operation_name(unread[i].operation));
		put_text(object, "errno", name ? name : "other");
		json_array_append_new(list, object);
	}
}

/* What a find saw, beside `entries`. */
static void put_find(json_t *names, const struct measure *measure)
{
	const struct find_counts *find = &measure->find;
	json_t *object = put_object(names, "find");

	put_count_if(object, "made_entries", find->made, find->made);
	put_count(object, "matches", find->matches);
	put_count(object, "directories", find->directories);
	put_count(object, "files", find->files);
	put_count(object, "others", find->others);
	put_count(object, "mounts_not_entered", find->mounts);
	put_count(object, "stats", measure_record(measure, OPERATION_STAT)->histogram.count);
	put_count(object, "pieces_from_other_tasks", find->taken);
	put_unread(object, find->unread);
}

/* What a mixed phase did beside its operations. */
static void put_mix(json_t *names, const struct phase_result *result, const struct plan *plan)
{
	const struct measure *measure = result->measure;
	const struct mix *mix = &plan->mix;
	json_t *object = put_object(names, "mix"), *shares = put_object(object, "shares");

	for (enum mix_kind kind = 0; kind < MIX_KINDS; kind++)
		put_number(shares, mix_kind_name(kind), mix->shares[kind]);
	put_number(object, "task_rate_operations_per_s", mix->task_rate > 0 ? mix->task_rate : NAN);
	put_number(object, "think_s", mix->think_seconds);
	put_number(object, "limit_s", mix->seconds > 0 ? mix->seconds : NAN);
	put_count(object, "files", measure->mix_files);
	put_count(object, "most_missing_of_a_task", measure->mix_most_missing);
	put_count(object, "missed", measure->mix_missed);
	put_count(object, "slept_until_due", measure->mix_slept);
	put_count(object, "late_sum_ns", measure->mix_late_ns);
	put_count(object, "late_max_ns", measure->mix_latest_ns);
}

void record_names(json_t *phase, const struct plan *plan, const struct phase_result *result)
{
	const struct measure *measure = result->measure;
	json_t *object = put_object(phase, "names"), *errors;

	put_text(object, "form", plan_gives_relative(plan, result->kind) ? "relative" : "full");
	record_queue(object, result);
	put_count(object, "working_tasks", plan_working_tasks(plan, result->kind));
	put_count(object, "operations", result->operations);
	put_count(object, "expected_operations", measure->expected_operations);
	put_count(object, "failed_operations", measure->failed_operations);
	errors = put_object(object, "errors");
	for (unsigned code = 0; code < ERRNOS; code++)
		if (measure->errors[code])
			put_error(errors, code, measure->errors[code]);
	if (result->kind == PHASE_TREE_CREATE)
		put_some_directories(object, "missing_directories", "made", &measure->targets_made);
	if (result->kind == PHASE_TREE_REMOVE)
		put_some_directories(object, "test_directories", "kept", &measure->tests_kept);
	if (result->learned)
		put_count(object, "learned_seed", result->data_seed);
	if (phase_creates_items(result->kind))
		put_text(object, "directories", result->grown ? "grown" : "fresh");
	if (result->kind == PHASE_LIST || phase_counts_entries(result->kind))
		put_count(object, "entries", measure->entries);
	if (phase_counts_entries(result->kind))
		put_find(object, measure);
	if (result->kind == PHASE_MIX)
		put_mix(object, result, plan);
	put_count(object, "bytes", measure->bytes);
	record_stonewall(object, result);
	put_count(object, "left_tasks", measure->left_tasks);
	put_count(object, "untried_operations", measure->untried_operations);
	put_count(object, "least_task_operations", measure->tasks ? measure->least_transfers : 0);
	put_count(object, "most_task_operations", measure->most_transfers);
}
