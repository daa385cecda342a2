/* The definitions of a command line, --define NAME=VALUE, which stand in job files as ${NAME}. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dialects/dialect.h"

/* Bytes of the name at the begin of a text, 0: there is none. */
static size_t name_length(const char *text)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
				      "0123456789";

	return *text >= '0' && *text <= '9' ? 0 : strspn(text, letters);
}

static struct definition *find(const struct job *job, const char *name, size_t length)
{
	for (size_t i = job->definition_count; i-- > 0;)
		if (!strncmp(job->definitions[i].text, name, length) &&
		    job->definitions[i].text[length] == '=')
			return &job->definitions[i];
	return NULL;
}

int definitions_take(const struct command_line *line, struct job *job, struct error *err)
{
	for (size_t i = 0; i < line->count; i++) {
		const char *text = line->assignments[i].value;
		size_t length;

		if (strcmp(line->assignments[i].key, "define"))
			continue;
		length = name_length(text);
		if (!length || text[length] != '=')
			return error_input(err,
					   "%s: define: \"%.80s\" is not NAME=VALUE, with a name "
					   "of letters, digits and _",
					   command_line_location(line), text);
		job->definitions = memory_grow(job->definitions, (job->definition_count + 1) *
									 sizeof(*job->definitions));
		job->definitions[job->definition_count++] = (struct definition){
			.text = text_copy(text),
			/* IORX_OPTIONS is for jobs of all kinds. */
			.used = line->kind == ORIGIN_ENVIRONMENT,
		};
	}
	return 0;
}

int definitions_check_used(const struct job *job, struct error *err)
{
	for (size_t i = 0; i < job->definition_count; i++) {
		const char *text = job->definitions[i].text;
		const int length = (int)name_length(text);

		if (!find(job, text, (size_t)length)->used)
			return error_input(err,
					   "command line: define: no value of the job file has "
					   "${%.*s}",
					   length, text);
	}
	return 0;
}

/* Adds what stands for the name behind "${", and returns the text behind it. */
static const char *expand_name(const struct job *job, const char *name, struct text *to,
			       struct error *err)
{
	const size_t length = name_length(name);
	struct definition *definition;

	if (!length || name[length] != '}') {
		error_input(err,
			    "\"${%.40s\": behind ${ stands a name of letters, digits and _, "
			    "and }; for the characters ${ write $${",
			    name);
		return NULL;
	}
	definition = find(job, name, length);
	if (!definition) {
		error_input(err,
			    "${%.*s} has no value; give it on the command line, --define "
			    "%.*s=VALUE, or write $${%.*s} for these characters",
			    (int)length, name, (int)length, name, (int)length, name);
		return NULL;
	}
	definition->used = true;
	text_add(to, "%s", definition->text + length + 1);
	return name + length + 1;
}

int definitions_expand(const struct job *job, char **value, struct error *err)
{
	const char *at = *value, *dollar;
	struct text text = {0};

	if (!strstr(at, "${"))
		return 0;
	while (at && (dollar = strstr(at, "${"))) {
		const bool is_plain = dollar > at && dollar[-1] == '$';

		text_add_bytes(&text, at, (size_t)(dollar - at));
		at = dollar + 2;
		if (is_plain)
			text_add_bytes(&text, "{", 1);
		else
			at = expand_name(job, at, &text, err);
	}
	if (!at) {
		text_release(&text);
		return -1;
	}
	text_add(&text, "%s", at);
	free(*value);
	*value = text.bytes;
	return 0;
}
