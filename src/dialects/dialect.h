/*
 * The dialects: languages of jobs, from bytes to tests. They are pure functions of their bytes;
 * only the caller reads files. An error text starts with the location: "job.ior:12:5: ", "command
 * line: " or "IORX_OPTIONS: ".
 */
#ifndef DIALECTS_DIALECT_H
#define DIALECTS_DIALECT_H

#include <stddef.h>

#include "options/job.h"

/* One flag or -O assignment of the command line, not yet applied. */
struct assignment {
	char *key;	   /* canonical key, "prefix.key" or "prefix.key.NAME" for backends */
	char *value;	   /* value, or that of the bare flag; NULL: count one up */
	char *shown;	   /* as typed, "-b 4q", for messages; NULL: typed by its name */
	unsigned argument; /* number of its argument */
};

struct command_line {
	enum origin_kind kind; /* ORIGIN_COMMAND_LINE, or ORIGIN_ENVIRONMENT for IORX_OPTIONS */
	struct assignment *assignments;
	size_t count;
};

/*
 * Takes argv apart by the tables: -b 4k, -b=4k, -b4k, groups -wk, -vvv, --name value, --name=value,
 * --posix.direct, -O key=value,key=value. A value that follows as the next argument is taken only
 * by options that need one. Anything that is not a flag is an error.
 */
int command_line_parse(int argc, char *const *argv, const struct vocabulary *vocabulary,
		       struct command_line *line, struct error *err);
/* Parses the value of IORX_OPTIONS, whose words are separated by blanks, without quotes. */
int command_line_parse_environment(const char *options, const struct vocabulary *vocabulary,
				   struct command_line *line, struct error *err);
void command_line_release(struct command_line *line);

/* Returns the place that an error of an option begins with: "command line" or "IORX_OPTIONS". */
const char *command_line_location(const struct command_line *line);

/* The value of the last assignment to key, NULL if none: for -f before any job exists. */
const char *command_line_value(const struct command_line *line, const char *key);

/*
 * Applies to every test of the job that has the option; adds one test if none is. An option of the
 * command line that no test has is an error.
 */
int command_line_apply(const struct command_line *line, struct job *job, struct error *err);

/* Takes the definitions of a command line, --define NAME=VALUE; the last one of a name holds. */
int definitions_take(const struct command_line *line, struct job *job, struct error *err);
/* Replaces ${NAME} in a value, which must be on the heap; $${ stands for ${. */
int definitions_expand(const struct job *job, char **value, struct error *err);
/* Refuses a definition that no value has used. */
int definitions_check_used(const struct job *job, struct error *err);

/*
 * The script of IOR: blocks IOR START … IOR STOP, RUN, key = value. name is used in messages and
 * becomes job->source. Values take the job's definitions. Each block starts from the defaults; from
 * one RUN to the next all settings stay. On failure the job is still to be released, and good for
 * nothing else.
 */
int script_parse(const char *name, const char *bytes, size_t length, struct job *job,
		 struct error *err);

/*
 * The site file: lines limit.KEY = value and comments. It sets what neither the job nor the command
 * line set, so it is applied behind them.
 */
int site_parse(const char *name, const char *bytes, size_t length, struct job *job,
	       struct error *err);

/* "fio" or "Vdbench" if the text looks like a job file of that program, otherwise NULL. */
const char *foreign_program(const char *text, const char *end);

#endif
