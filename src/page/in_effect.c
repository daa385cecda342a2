/* Settings of an open file that are not in effect as requested, printed below a row. */
#include <stdio.h>
#include <string.h>

#include "page/page.h"
#include "record/line.h"

/*
 * Finds the value of an option of the api as settings write it; false when the api has no such
 * option.
 */
static bool find_option(const struct test_head *test, const char *name, char *value, size_t size)
{
	const struct test_spec *spec = test->spec;

	for (size_t i = 0; i < spec->backend_count; i++) {
		const struct option_set *set = &spec->backends[i];
		const struct option *row = option_find(set->table, name);

		if (!row || strcmp(set->table->prefix, test->plan->backend->name))
			continue;
		option_format(set, row, value, size);
		if (row->type == OPTION_BOOL)
			snprintf(value, size, "%s", *value == '1' ? "true" : "false");
		return true;
	}
	return false;
}

/*
 * Finds the requested value. Backends report requested hints beside those in effect:
 * "cb_nodes.asked".
 */
static const char *find_asked(const struct test_head *test, const json_t *settings,
			      const char *name, char *value, size_t size)
{
	char key[320];

	if (find_option(test, name, value, size))
		return value;
	snprintf(key, sizeof(key), "%s.asked", name);
	return json_string_value(json_object_get(settings, key));
}

void page_in_effect(struct text *out, const struct test_head *test, const json_t *line)
{
	json_t *settings = line_at(line, "settings"), *value;
	struct text words = {0};
	const char *name;

	json_object_foreach(settings, name, value)
	{
		char room[256];
		const char *asked = find_asked(test, settings, name, room, sizeof(room));

		if (asked && strcmp(asked, json_string_value(value)))
			text_add(&words, "%s%s %s (asked for: %s)",
				 words.length ? ", " : "in effect: ", name,
				 json_string_value(value), asked);
	}
	page_below(out, &words);
}
