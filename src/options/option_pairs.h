/* The lines "name=value" that an option of named values is made of. */
#ifndef OPTIONS_OPTION_PAIRS_H
#define OPTIONS_OPTION_PAIRS_H

#include "options/option.h"

/* 0 when both can stand in such a line; value NULL is refused. */
int option_pair_check(const char *name, const char *value, struct error *err);

/*
 * The lines (NULL: none) with name set to value in its old place or at the end, or without it when
 * the value is empty. The caller frees; NULL when no line is left.
 */
char *option_pairs_with(const char *lines, const char *name, const char *value);

#endif
