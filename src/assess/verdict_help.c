/* The paragraph of doc/measurement.md on a verdict, for --help=C1. */
#include "assess/verdict_help.h"

#include <ctype.h>
#include <strings.h>

#include "base/text.h"

static const struct {
	const char *id, *text;
} helps[] = {
#include "verdict-texts.h"
};

const char *verdict_help(const char *id)
{
	for (size_t i = 0; i < sizeof(helps) / sizeof(helps[0]); i++)
		if (!strcasecmp(helps[i].id, id))
			return helps[i].text;
	return NULL;
}

bool verdict_help_refuse(const char *text, struct error *err)
{
	struct text ids = {0};

	if (!isdigit((unsigned char)text[1]) || text[2])
		return false;
	for (size_t i = 0; i < sizeof(helps) / sizeof(helps[0]); i++)
		if (tolower((unsigned char)text[0]) == tolower((unsigned char)helps[i].id[0]))
			text_add(&ids, "%s%s", ids.length ? ", " : "", helps[i].id);
	if (!ids.length)
		return false;
	error_input(err, "%s: there is no such verdict, but there are %s", text, text_string(&ids));
	text_release(&ids);
	return true;
}
