/*
 * Names of files with fields for numbers, such as "data.%t.%03f": %t the task, %n its node, %s its
 * slot on the node, %f the file; %% is a '%'. %08t has at least 8 digits. Pure functions.
 */
#ifndef PLAN_NAME_FIELDS_H
#define PLAN_NAME_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* Fields as bits. */
enum name_field { NAME_TASK = 1, NAME_NODE = 2, NAME_SLOT = 4, NAME_FILE = 8 };

struct name_numbers {
	uint32_t task, node, slot, file;
};

/*
 * Finds the fields of a name. ERROR_INPUT, whose text begins with test_file, if a '%' begins none,
 * or if two numbers follow each other, as 1 and 11 would then look like 11 and 1.
 */
int name_fields_find(const char *name, unsigned *fields, struct error *err);

/* Replaces the fields of a checked name and adds it to *path. */
void name_fields_expand(const char *name, const struct name_numbers *numbers, struct text *path);

/* True if files of this name may lie in several directories. */
bool name_fields_in_directory(const char *name);

#endif
