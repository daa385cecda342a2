/* The paragraph of doc/measurement.md on a verdict, for --help=C1. */
#include "assess/verdict_help.h"

#include <strings.h>

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
