/* The site file: limits of the site's network, servers and devices, as lines key = value. */
#include <stdlib.h>
#include <string.h>

#include "dialects/dialect.h"
#include "dialects/pairs.h"

/* A message shows no other text of the file, as it may be any file that was named by mistake. */
static bool may_be_shown(const char *key)
{
	return !strncmp(key, "limit.", 6) || option_find(&run_options, key);
}

static int site_refuse(const char *key, struct error *err)
{
	return error_input(err,
			   "%.80s%sa site file sets limits: limit.network, limit.server, "
			   "limit.servers, limit.device, limit.devices",
			   may_be_shown(key) ? key : "", may_be_shown(key) ? ": " : "");
}

static int site_assign(struct job *job, const struct pair *pair, struct error *err)
{
	char *key = text_copy_n(pair->key, pair->key_length);
	char *value = pair->value ? text_copy_n(pair->value, pair->value_length) : NULL;
	const struct option *row = option_find(&run_options, key);
	int ret = 0;

	if (strncmp(key, "limit.", 6) || !row)
		ret = site_refuse(key, err);
	else if (option_origin(&job->run, row).kind == ORIGIN_DEFAULT)
		ret = job_assign(job, NULL, key, value, (struct origin){.kind = ORIGIN_ENVIRONMENT},
				 err);
	free(key);
	free(value);
	return ret;
}

int site_parse(const char *name, const char *bytes, size_t length, struct job *job,
	       struct error *err)
{
	const char *end = bytes + length;

	for (unsigned number = 1; bytes < end; number++) {
		const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
		const char *stop = newline ? newline : end;
		struct pairs pairs = {.line = bytes, .end = stop, .at = bytes, .script = true};
		struct pair pair;
		int found;

		while ((found = pairs_next(&pairs, &pair, err)) > 0)
			if (site_assign(job, &pair, err))
				return error_add(err, "%.300s:%u", name, number);
		if (found < 0 && (stop - pair.key < 6 || strncmp(pair.key, "limit.", 6)))
			site_refuse("", err);
		if (found < 0)
			return error_add(err, "%.300s:%u:%u", name, number, pair.column);
		bytes = newline ? newline + 1 : end;
	}
	return 0;
}
