/* The text that says when a load is steady. */
#include "options/steady.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parses one bound, "range:20%". Returns the end of the text it took, or NULL. */
static const char *parse_bound(const char *text, struct steady_rule *rule)
{
	double *bound = !strncmp(text, "range", 5)   ? &rule->range
			: !strncmp(text, "slope", 5) ? &rule->slope
						     : NULL;
	char *end;

	if (!bound || *bound >= 0)
		return NULL;
	for (text += 5; isspace((unsigned char)*text); text++)
		;
	if (*text++ != ':')
		return NULL;
	*bound = strtod(text, &end) / 100;
	if (end == text || !isfinite(*bound) || !(*bound > 0))
		return NULL;
	for (; isspace((unsigned char)*end); end++)
		;
	return *end == '%' ? end + 1 : NULL;
}

static const char *skip_blanks(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

int steady_parse(const char *text, struct steady_rule *rule, struct error *err)
{
	const char *at = text;

	*rule = (struct steady_rule){-1, -1};
	do {
		at = parse_bound(skip_blanks(at), rule);
		if (at)
			at = skip_blanks(at);
	} while (at && *at++ == ',');
	if (at && !at[-1])
		return 0;
	return error_input(
		err,
		"steady: \"%.100s\" is no steady state; write range:20%%, slope:10%%, or "
		"one of the two",
		text);
}
