/*
 * Names of the files of a load. test_file is a list of paths, to which the files are dealt in turn.
 * If a path has fields for numbers (name_fields.h), the paths are the names. Otherwise the numbers
 * of owner and file are appended. Pure functions.
 */
#ifndef PLAN_LOAD_PATHS_H
#define PLAN_LOAD_PATHS_H

#include "base/text.h"
#include "plan/plan.h"

/* Checks the paths, and that no two files have one name; sets plan->has_fields. */
int load_paths_check(struct plan *plan, struct error *err);

/* The name of a task's file; PLAN_PATH_SIZE bytes. */
void load_paths_make(const struct plan *plan, uint32_t task, uint32_t file, char *path);

/* The name of the first file of path `number`, without appended numbers; PLAN_PATH_SIZE bytes. */
void load_paths_base(const struct plan *plan, uint32_t number, char *path);

/*
 * The name that the first file of one task more would have, or of one node more where the tasks of
 * a node share files; PLAN_PATH_SIZE bytes. Returns false where more tasks have no further file, or
 * where fields make the names.
 */
bool load_paths_further(const struct plan *plan, char *path);

/* True if numbers are appended to the names in test_file. */
bool load_paths_are_numbered(const struct plan *plan);
/* True if files of path `number` may lie in several directories. */
bool load_paths_lie_apart(const struct plan *plan, uint32_t number);

/* Adds path `number` as it stands in test_file. */
void load_paths_add_name(const struct plan *plan, uint32_t number, struct text *out);

#endif
