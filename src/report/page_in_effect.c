/* Below a row: the settings of an open file that were in effect, and those asked for. */
#include <stdio.h>
#include <string.h>

#include "report/page.h"

/* "direct=1", as it was asked for; false when the api has no such option. */
static bool asked_for(const struct test_result *test, const char *name, char *value, size_t size)
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

void page_in_effect(const struct page *page, struct text *out, const struct test_result *test,
		    const struct phase_result *phase)
{
	struct text words = {0};
	const char *line = phase->settings;

	while (line && *line) {
		int length = (int)strcspn(line, "\n"), split = (int)strcspn(line, "=\n");
		const char *value = line + split + (split < length);
		int value_length = (int)(line + length - value);
		char name[64], asked[256];
		bool differs;

		snprintf(name, sizeof(name), "%.*s", split, line);
		differs = asked_for(test, name, asked, sizeof(asked)) &&
			  (strlen(asked) != (size_t)value_length ||
			   memcmp(asked, value, (size_t)value_length) != 0);
		if (page->verbose || differs)
			text_add(&words, "%s%s %.*s", words.length ? ", " : "in effect: ", name,
				 value_length, value);
		if (differs)
			text_add(&words, " (asked for: %s)", asked);
		line += length + (line[length] == '\n');
	}
	if (words.length)
		page_below(out, &words);
	text_release(&words);
}
