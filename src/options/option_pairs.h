/* The lines "name=value" of an option of named values. */
#ifndef OPTIONS_OPTION_PAIRS_H
#define OPTIONS_OPTION_PAIRS_H

#include "options/option.h"

/* Checks that name and value can form such a line; value NULL is refused. */
int option_pair_check(const char *name, const char *value, struct error *err);

/*
 * Copies the lines (NULL: none), with name set to value in its old place or at the end. An empty
 * value removes the name. The caller frees the copy; NULL if no line is left.
 */
char *option_pairs_with(const char *lines, const char *name, const char *value);

#endif
