/* Commands that a shell takes as they are printed. */
#ifndef PAGE_COMMAND_H
#define PAGE_COMMAND_H

#include <stdint.h>

#include "base/text.h"

/* Adds a word of a command, in quotes where it needs them: text that a page shows, on one line. */
void command_add_word(struct text *out, const char *word);

/* Adds the command of a job. environment: the value of IORX_OPTIONS, or NULL. */
void command_add_job(struct text *out, const char *environment, int argc, char *const *argv);

/*
 * Adds the command that removes what the loads of a job have left: its own words, with --cleanup
 * and without --output=FILE.
 * environment: the value of IORX_OPTIONS, or NULL. takes_all: the words have
 * allow_overwrite, which the command takes back.
 */
void command_add_cleanup(struct text *out, uint64_t tasks, const char *environment, int argc,
			 char *const *argv, bool takes_all);

#endif
