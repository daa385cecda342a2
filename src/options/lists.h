/* Lists of values: "[1 2 4]", and for sizes and counts also "1,2,4". */
#ifndef OPTIONS_LISTS_H
#define OPTIONS_LISTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "options/option.h"

enum { LIST_MOST = 512 }; /* values */

struct list {
	char **values; /* texts as the user wrote them */
	size_t count;
};

/* True if text is a list rather than a single value of the row. text may be NULL. */
bool list_is_meant(const struct option *row, const char *text);

/* True if text, of an option without lists, looks like a list in brackets. text may be NULL. */
bool list_is_written(const char *text);

/*
 * Adds the syntax of lists to the error of a refused value, if the row takes lists and the value
 * has commas. Returns -1.
 */
int list_add_form(const struct option *row, const char *text, struct error *err);

/*
 * Parses a list. Values that the row refuses, duplicate values and a missing bracket are errors,
 * whose text starts with the key.
 */
int list_parse(const struct option_table *table, const struct option *row, const char *text,
	       struct list *list, struct error *err);
void list_release(struct list *list);
void list_copy(struct list *to, const struct list *from); /* to: uninitialised */

#endif
