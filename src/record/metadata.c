/* Metadata tests: the tree in the plan, and the members of a phase that are not plain numbers. */
#include "base/errno_names.h"
#include "record/fields.h"
#include "record/json.h"

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
	const struct metadata *options = plan->metadata;
	json_t *object = record_plan(test, plan);
	const struct tree *tree = &plan->tree;

	put_directories(object, plan);
	put_text(object, "names", options->names == NAMES_RELATIVE ? "relative" : "full");
	put_bool(object, "unique_trees", options->unique_dir);
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

/* Adds a count under the error's name, "ENOENT", or under its number if it has no name. */
static void put_error(json_t *errors, unsigned code, uint64_t count)
{
	const char *name = code ? errno_find_name((int)code) : "other";
	char number[16];

	snprintf(number, sizeof(number), "errno %u", code);
	json_object_set_new(errors, name ? name : number, json_count(count));
}

/* done: key of the count, such as "made". */
static void put_some_directories(json_t *names, const char *key, const char *done,
				 const struct some_directories *some)
{
	json_t *object = put_object(names, key);

	put_count(object, done, some->count);
	put_text(object, "first", some->count ? some->first : NULL);
}

void record_unread(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct unread *unread = recorder->source.measure->find.unread;
	json_t *list = put_array(owner, key);

	for (unsigned i = 0; i < UNREAD_NAMED && *unread[i].path; i++) {
		const char *name = unread[i].code ? errno_find_name((int)unread[i].code) : NULL;
		json_t *object = json_object();

		put_text(object, "path", unread[i].path);
		put_text(object, "operation", operation_name(unread[i].operation));
		put_text(object, "errno", name ? name : "other");
		json_array_append_new(list, object);
	}
}

void record_form(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct result_source *source = &recorder->source;

	put_text(owner, key,
		 plan_gives_relative(source->plan, source->result->kind) ? "relative" : "full");
}

void record_errors(json_t *owner, const char *key, const struct recorder *recorder)
{
	const struct measure *measure = recorder->source.measure;
	json_t *errors = put_object(owner, key);

	for (unsigned code = 0; code < ERRNOS; code++)
		if (measure->errors[code])
			put_error(errors, code, measure->errors[code]);
}

void record_missing_directories(json_t *owner, const char *key, const struct recorder *recorder)
{
	put_some_directories(owner, key, "made", &recorder->source.measure->targets_made);
}

void record_test_directories(json_t *owner, const char *key, const struct recorder *recorder)
{
	put_some_directories(owner, key, "kept", &recorder->source.measure->tests_kept);
}

void record_directories(json_t *owner, const char *key, const struct recorder *recorder)
{
	put_text(owner, key, recorder->source.result->grown ? "grown" : "fresh");
}
