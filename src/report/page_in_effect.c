/* Below a row: the settings of an open file that were in effect, and those asked for. */
#include <stdio.h>
#include <string.h>

#include "report/page.h"

/* The value of a name in lines "name=value"; false when none is told of it. */
static bool find_value(const char *lines, const char *name, char *value, size_t size)
{
	size_t length = strlen(name);

	for (const char *line = lines; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (!strncmp(line, name, length) && line[length] == '=') {
			line += length + 1;
			snprintf(value, size, "%.*s", (int)strcspn(line, "\n"), line);
			return true;
		}
	return false;
}

/* "direct=1", as it was asked for; false when the api has no such option. */
static bool option_asked_for(const struct test_result *test, const char *name, char *value, size_t size)
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

static const char asked_suffix[] = ".asked"; /* of what was asked for where something else is in effect */

/* By an option of that name, or told beside what is in effect, as hints are. */
static bool asked_for(const struct test_result *test, const char *lines, const char *name,
		      char *value, size_t size)
{
	char told[320];

	if (option_asked_for(test, name, value, size))
		return true;
	snprintf(told, sizeof(told), "%s%s", name, asked_suffix);
	return find_value(lines, told, value, size);
}

static bool is_asked(const char *name)
{
	size_t length = strlen(name), suffix = strlen(asked_suffix);

	return length > suffix && !strcmp(name + length - suffix, asked_suffix);
}

/* Nobody asks for it and results hang on it: which MPI-IO there is, told once in a test. */
static bool always_told(const char *name, const struct test_result *test,
			const struct phase_result *phase)
{
	return !strcmp(name, "mpi_io") && phase->repetition == 0 &&
	       phase->kind == test->plan->phases[0].kind;
}

void page_in_effect(const struct page *page, struct text *out, const struct test_result *test,
		    const struct phase_result *phase)
{
	struct text words = {0};
	const char *line = phase->settings;

	while (line && *line) {
		int length = (int)strcspn(line, "\n"), split = (int)strcspn(line, "=\n");
		char name[300], value[256], asked[256];
		bool differs;

		snprintf(name, sizeof(name), "%.*s", split, line);
		snprintf(value, sizeof(value), "%.*s", length - split - 1, line + split + 1);
		differs = asked_for(test, phase->settings, name, asked, sizeof(asked)) &&
			  strcmp(asked, value) != 0;
		if ((page->verbose && !is_asked(name)) || differs || always_told(name, test, phase))
			text_add(&words, "%s%s %s", words.length ? ", " : "in effect: ", name, value);
		if (differs)
			text_add(&words, " (asked for: %s)", asked);
		line += length + (line[length] == '\n');
	}
	page_below(out, &words);
}
