/* The lines "name=value" of an option of named values. */
#include "options/option_pairs.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"

bool option_pair_next(const char **lines, struct option_pair *pair)
{
	const char *at = *lines;

	if (!at || !*at)
		return false;
	pair->name = at;
	pair->name_length = strcspn(at, "=");
	pair->value = at + pair->name_length + 1;
	pair->value_length = strcspn(pair->value, "\n");
	*lines = pair->value + pair->value_length + 1;
	return true;
}

static bool option_pairs_is_name(const struct option_pair *pair, const char *name)
{
	return strlen(name) == pair->name_length && !memcmp(name, pair->name, pair->name_length);
}

static bool has_control_character(const char *text)
{
	for (; *text; text++)
		if (iscntrl((unsigned char)*text))
			return true;
	return false;
}

int option_pair_check(const char *name, const char *value, struct error *err)
{
	if (!*name)
		return error_input(err, "the name after the point is missing");
	if (strchr(name, '=') || has_control_character(name))
		return error_input(err, "a name must not hold \"=\" or a control character");
	if (!value)
		return error_input(err, "%.80s needs a value", name);
	if (has_control_character(value))
		return error_input(err, "the value of %.80s holds a control character", name);
	return 0;
}

char *option_pairs_with(const char *lines, const char *name, const char *value)
{
	struct text with = {0};
	struct option_pair pair;
	bool there = false;

	while (option_pair_next(&lines, &pair)) {
		if (!option_pairs_is_name(&pair, name)) {
			text_add_bytes(&with, pair.name, (size_t)(lines - pair.name));
			continue;
		}
		there = true;
		if (*value)
			text_add(&with, "%s=%s\n", name, value);
	}
	if (!there && *value)
		text_add(&with, "%s=%s\n", name, value);
	return with.bytes;
}
