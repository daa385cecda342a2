/* Names of the files of a load. */
#include "plan/load_paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "plan/name_fields.h"

/* Room for a number that is appended to a name, or for a field that is expanded in it. */
enum { ADDED = 64 };

static void take_name(const struct plan *plan, uint32_t number, char *name)
{
	const char *list = plan->test->test_file;

	for (uint32_t i = 0; i <= number && list; i++)
		list = plan_take_path(list, name);
}

/* --- rules ---------------------------------------------------------------------------------- */

/* Fields that differ between tasks which share a file. */
static unsigned foreign_fields(const struct plan *plan)
{
	switch (plan->file_scope) {
	case LOAD_SCOPE_TASK:
		return 0;
	case LOAD_SCOPE_NODE:
		return NAME_TASK | NAME_SLOT;
	case LOAD_SCOPE_TEST:
		break;
	}
	return NAME_TASK | NAME_NODE | NAME_SLOT;
}

/* Whether the fields tell those apart that have files of their own. */
static bool tell_owners_apart(const struct plan *plan, unsigned fields)
{
	switch (plan->file_scope) {
	case LOAD_SCOPE_TASK:
		return plan->map.tasks == 1 || fields & NAME_TASK ||
		       ((fields & NAME_NODE || plan->map.nodes == 1) && fields & NAME_SLOT);
	case LOAD_SCOPE_NODE:
		return plan->map.nodes == 1 || fields & NAME_NODE;
	case LOAD_SCOPE_TEST:
		break;
	}
	return true;
}

/* Whether fields or the deal to the paths tell the files of a task apart. */
static bool tell_files_apart(const struct plan *plan, unsigned fields)
{
	return plan->own_files == 1 || fields & NAME_FILE ||
	       plan->path_count % plan->own_files == 0;
}

static int check_fields(const struct plan *plan, uint32_t number, const char *name, unsigned fields,
			struct error *err)
{
	const bool owners = tell_owners_apart(plan, fields), files = tell_files_apart(plan, fields);

	if (fields & foreign_fields(plan))
		return error_input(
			err,
			"test_file: %.300s has a number that differs between tasks which "
			"share the file; choose file_scope = task, or leave the number "
			"out",
			name);
	if ((owners && files) || plan_base_files(plan, number) <= 1)
		return 0;
	return error_input(
		err, "test_file: several files would have the name %.300s; add %s%s%s to it", name,
		owners				      ? ""
		: plan->file_scope == LOAD_SCOPE_NODE ? "%n, the number of the node"
						      : "%t, the number of the task",
		owners || files ? "" : ", and ", files ? "" : "%f, the number of the file");
}

int load_paths_check(struct plan *plan, struct error *err)
{
	char name[PLAN_PATH_SIZE];
	unsigned fields;

	if (plan->file_scope == LOAD_SCOPE_TEST && plan->path_count > plan->own_files)
		return error_input(
			err,
			"files: test_file names %" PRIu32 " paths and all tasks share %" PRIu32
			" file%s; set files = %" PRIu32 ", or write @@ for an '@' in a name",
			plan->path_count, plan->own_files, plan->own_files == 1 ? "" : "s",
			plan->path_count);
	for (uint32_t i = 0; i < plan->path_count; i++) {
		take_name(plan, i, name);
		if (name_fields_find(name, &fields, err))
			return -1;
		plan->has_fields |= fields != 0;
		if (plan_path_stands_before(plan->test->test_file, i, name))
			return error_input(
				err,
				"test_file: %.300s stands twice in \"%.300s\"; each path "
				"once",
				name, plan->test->test_file);
	}
	for (uint32_t i = 0; i < plan->path_count && plan->has_fields; i++) {
		take_name(plan, i, name);
		name_fields_find(name, &fields, err);
		if (check_fields(plan, i, name, fields, err))
			return -1;
	}
	return 0;
}

/* --- names ---------------------------------------------------------------------------------- */

/* Files that all tasks share have the names in test_file if these are as many. */
static bool needs_file_number(const struct plan *plan)
{
	return plan->own_files > 1 &&
	       (plan->file_scope != LOAD_SCOPE_TEST || plan->own_files > plan->path_count);
}

bool load_paths_are_numbered(const struct plan *plan)
{
	return !plan->has_fields &&
	       (plan->file_scope != LOAD_SCOPE_TEST || needs_file_number(plan));
}

static void make(const struct plan *plan, uint32_t number, const struct name_numbers *numbers,
		 bool appends, char *path)
{
	char name[PLAN_PATH_SIZE];
	struct text text = {0};

	take_name(plan, number, name);
	name_fields_expand(name, numbers, &text);
	if (appends && plan->file_scope == LOAD_SCOPE_TASK)
		text_add(&text, ".%08" PRIu32, numbers->task);
	if (appends && plan->file_scope == LOAD_SCOPE_NODE)
		text_add(&text, ".%08" PRIu32, numbers->node);
	if (appends && needs_file_number(plan))
		text_add(&text, ".%08" PRIu32, numbers->file);
	snprintf(path, PLAN_PATH_SIZE, "%s", text_string(&text));
	text_release(&text);
}

static struct name_numbers numbers_of(const struct plan *plan, uint32_t task, uint32_t file)
{
	return (struct name_numbers){
		.task = task,
		.node = node_map_node(&plan->map, task),
		.slot = node_map_slot(&plan->map, task),
		.file = file,
	};
}

void load_paths_make(const struct plan *plan, uint32_t task, uint32_t file, char *path)
{
	const struct name_numbers numbers = numbers_of(plan, task, file);

	make(plan, plan_base_of(plan, task, file), &numbers, !plan->has_fields, path);
}

void load_paths_base(const struct plan *plan, uint32_t number, char *path)
{
	const uint64_t count = plan_file_count(plan);
	uint32_t task;
	const uint32_t file = plan_file_of(plan, number < count ? number : 0, &task);
	const struct name_numbers numbers = numbers_of(plan, task, file);

	make(plan, number, &numbers, false, path);
}

bool load_paths_further(const struct plan *plan, char *path)
{
	const uint32_t number = (uint32_t)plan_file_count(plan), owner = number / plan->own_files;
	const struct name_numbers numbers = {.task = owner, .node = owner};

	if (plan->file_scope == LOAD_SCOPE_TEST || plan->has_fields)
		return false;
	make(plan, number % plan->path_count, &numbers, true, path);
	return true;
}

bool load_paths_lie_apart(const struct plan *plan, uint32_t number)
{
	char name[PLAN_PATH_SIZE];

	take_name(plan, number, name);
	return name_fields_in_directory(name);
}

void load_paths_add_name(const struct plan *plan, uint32_t number, struct text *out)
{
	char name[PLAN_PATH_SIZE];

	take_name(plan, number, name);
	text_add(out, "%s", name);
}
