/* Lists of values: "[1 2 4]", and where a comma means nothing else, "1,2,4". */
#ifndef OPTIONS_LISTS_H
#define OPTIONS_LISTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "options/option.h"

enum { LIST_MOST = 256 }; /* values */

struct list {
	char **values; /* as they were written */
	size_t count;
};

/* Whether text is a list rather than a value of the row. text may be NULL. */
bool list_is_meant(const struct option *row, const char *text);

/* Whether text, of an option that takes none, looks like a list in brackets. May be NULL. */
bool list_is_written(const char *text);

/*
 * Adds to the error of a refused value how a list is written, if the row takes lists and the value has
 * commas. Returns -1.
 */
int list_add_form(const struct option *row, const char *text, struct error *err);

/*
 * Takes it apart. A value that the row refuses, one that stands twice and a list without an end are
 * errors whose text starts with the key.
 */
int list_parse(const struct option_table *table, const struct option *row, const char *text,
	       struct list *list, struct error *err);
void list_release(struct list *list);
void list_copy(struct list *to, const struct list *from); /* to: uninitialised */

#endif
