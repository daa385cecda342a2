/* Everything that is written from the option tables: help, man pages, completion. */
#ifndef OPTIONS_HELP_H
#define OPTIONS_HELP_H

#include "base/text.h"
#include "options/job.h"

/*
 * topic "": all core options by group, one line each, 80 columns. A backend's prefix: its options.
 * An option's name or flag, "-C": its whole text. A word that options take as a value, "auto": those of
 * them. Anything else: -1 with a did-you-mean.
 */
int help_text(const struct vocabulary *vocabulary, const char *topic, struct text *out,
	      struct error *err);

/* A paragraph in lines of 80 columns. */
void help_on_verdict(const char *paragraph, struct text *out);

/* A man page in roff (man macros, no dates that change): "" for iorx(1), else iorx-PREFIX(7). */
int help_man(const struct vocabulary *vocabulary, const char *page, struct text *out,
	     struct error *err);

/* A completion script for the shell ("bash"). */
int help_completion(const struct vocabulary *vocabulary, const char *shell, struct text *out,
		    struct error *err);

#endif
