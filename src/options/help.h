/* Help made from the option tables, for people and as JSON. */
#ifndef OPTIONS_HELP_H
#define OPTIONS_HELP_H

#include "base/text.h"
#include "options/job.h"

/*
 * Prints help on a topic.
 *
 * "": all core options by group, one line each, 80 columns. A backend's prefix: its options. An
 * option's name or flag, "-C": its full text. "json": all options as JSON. A word that options take
 * as a value, "auto": the text of these options. An option of another workload: its text. Anything
 * else: -1 with a did-you-mean.
 */
int help_text(const struct vocabulary *vocabulary, const char *topic, struct text *out,
	      struct error *err);

/* Adds a paragraph in lines of 80 columns. */
void help_on_verdict(const char *paragraph, struct text *out);

/* All options of all tables as one JSON document, for build-aux/option-documents and other
 * programs. */
void help_json(const struct vocabulary *vocabulary, struct text *out);

#endif
