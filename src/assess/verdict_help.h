/* The paragraph of doc/measurement.md on a verdict, for --help=C1. */
#ifndef ASSESS_VERDICT_HELP_H
#define ASSESS_VERDICT_HELP_H

#include <stdbool.h>

#include "base/error.h"

/*
 * The paragraph, starting with the id: "C1, the page cache answered. …"; NULL: there is no such
 * rule.
 */
const char *verdict_help(const char *id);

/*
 * Refuses a text such as "C9", which has the form of an id and is that of no verdict, and names the
 * ids with the same letter. Returns false for any other text.
 */
bool verdict_help_refuse(const char *text, struct error *err);

#endif
