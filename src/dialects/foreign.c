/* Recognises the job files of other programs. */
#include "dialects/dialect.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static bool begins_with_one_of(const char *line, const char *end, const char *const *words)
{
	for (size_t i = 0; words[i]; i++) {
		size_t length = strlen(words[i]);

		if ((size_t)(end - line) >= length && !strncasecmp(line, words[i], length))
			return true;
	}
	return false;
}

/* The first line that says something decides. */
const char *foreign_program(const char *text, const char *end)
{
	static const char *const fio[] = {"[", "include ", NULL};
	static const char *const vdbench[] = {
		"sd=",	    "fsd=",  "hd=",	     "wd=",	     "fwd=",	  "rd=", "rg=",
		"include=", "host=", "messagescan=", "data_errors=", "validate=", NULL};

	while (text < end && (isspace((unsigned char)*text) || strchr("#;*/", *text))) {
		const char *newline = isspace((unsigned char)*text)
					      ? text
					      : memchr(text, '\n', (size_t)(end - text));

		text = newline ? newline + 1 : end;
	}
	if (begins_with_one_of(text, end, fio))
		return "fio";
	return begins_with_one_of(text, end, vdbench) ? "Vdbench" : NULL;
}
