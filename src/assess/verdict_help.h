/* The paragraph of doc/measurement.md on a verdict, for --help=C1. */
#ifndef ASSESS_VERDICT_HELP_H
#define ASSESS_VERDICT_HELP_H

#include <stddef.h>

/*
 * The paragraph, starting with the id: "C1, the page cache answered. …"; NULL: there is no such
 * rule.
 */
const char *verdict_help(const char *id);

#endif
