/* Names the locations in a job where options were set, for errors. */
#include "options/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

char *job_where(const struct job *job, struct origin origin, char *buffer, size_t size)
{
	const char *source = job->source ? job->source : "job file";

	if (origin.kind == ORIGIN_FILE && origin.column)
		snprintf(buffer, size, "%.300s:%u:%u", source, origin.line, origin.column);
	else if (origin.kind == ORIGIN_FILE)
		snprintf(buffer, size, "%.300s:%u", source, origin.line);
	else
		snprintf(buffer, size, "%s",
			 origin.kind == ORIGIN_DEFAULT	     ? "default"
			 : origin.kind == ORIGIN_ENVIRONMENT ? "environment"
							     : "command line");
	return buffer;
}

/* The comment at the end of a line of the job, up to its newline; "" without one. */
static const char *comment_of(const char *at, unsigned line)
{
	char quote = '\0';

	for (; *at && line > 1; at++)
		line -= *at == '\n';
	for (; *at && *at != '\n' && (quote || *at != '#'); at++)
		if (quote ? *at == quote : *at == '"' || *at == '\'')
			quote = quote ? '\0' : *at;
	return *at == '#' ? at + 1 + strspn(at + 1, " ") : "";
}

int job_add_origin(const struct job *job, struct origin origin, struct error *err)
{
	enum { LONGEST = 100 }; /* so that the error text has room for its own words */
	const bool by_input =
		origin.kind == ORIGIN_FILE && job->source && !strcmp(job->source, "-");
	const char *comment = by_input && job->text ? comment_of(job->text, origin.line) : "";
	const int length = (int)strcspn(comment, "\n");
	char location[400];

	job_where(job, origin, location, sizeof(location));
	if (!length)
		return error_add(err, "%s", location);
	return error_add(err, "%s (%.*s)", location, length < LONGEST ? length : LONGEST, comment);
}

int job_add_line(const struct job *job, unsigned line, struct error *err)
{
	return job_add_origin(job, (struct origin){.kind = ORIGIN_FILE, .line = line}, err);
}

/* Rank of an origin as the cause of an error: flags override the file, and both the default. */
static int weight(enum origin_kind kind)
{
	static const int weights[] = {
		[ORIGIN_DEFAULT] = 0,
		[ORIGIN_ENVIRONMENT] = 1,
		[ORIGIN_FILE] = 2,
		[ORIGIN_COMMAND_LINE] = 3,
	};

	return weights[kind];
}

/* The set of a test, or of the job if spec is NULL, that has this key. */
static const struct option_set *set_with(const struct job *job, const struct test_spec *spec,
					 const char *key)
{
	if (!spec)
		return &job->run;
	const struct option_set *own = own_set_of(spec);

	return own && option_find(own->table, key) ? own : &spec->core;
}

int job_add_keys(const struct job *job, const struct test_spec *spec, const char *keys,
		 struct error *err)
{
	struct origin worst = {.kind = ORIGIN_DEFAULT};
	char *copy = text_copy(keys), *rest = copy;

	for (const char *key; (key = strsep(&rest, " "));) {
		const struct option_set *set = set_with(job, spec, key);
		struct origin origin = option_origin(set, option_find(set->table, key));

		if (weight(origin.kind) > weight(worst.kind))
			worst = origin;
	}
	free(copy);
	worst.column = 0;
	if (worst.kind == ORIGIN_DEFAULT && spec && spec->line)
		worst = (struct origin){.kind = ORIGIN_FILE, .line = spec->line};
	else if (worst.kind == ORIGIN_DEFAULT)
		worst.kind = ORIGIN_COMMAND_LINE;
	return job_add_origin(job, worst, err);
}

struct origin job_origin(const struct job *job, const struct test_spec *spec, const char *text)
{
	char *key = text_copy_n(text, strcspn(text, ":"));
	const struct option_set *set = set_with(job, spec, key);
	const struct option *row = option_find(set->table, key);

	free(key);
	return row ? option_origin(set, row) : (struct origin){.kind = ORIGIN_DEFAULT};
}

bool job_add_location(const struct job *job, const struct test_spec *spec, struct error *err)
{
	struct origin origin = job_origin(job, spec, err->text);

	if (origin.kind == ORIGIN_DEFAULT)
		return false;
	origin.column = 0;
	job_add_origin(job, origin, err);
	return true;
}

int job_add_test_location(const struct job *job, const struct test_spec *spec, struct error *err)
{
	return job_add_location(job, spec, err) ? -1 : job_add_line(job, spec->line, err);
}
