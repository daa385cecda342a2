/* How options are spelled for people; shared by all forms of help. */
#include "options/describe.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "options/test.h"

/* Copies the rows of a table that a kind of test has, with the letters of its dialect. */
static void describe_take(struct core_tables *core, const struct option_table *from,
			  enum workload workload)
{
	bool shared = from != workload_words[workload].options;
	struct option *rows = memory_allocate(from->count, sizeof(*rows));
	struct option_table *table = &core->tables[core->count];

	*table = *from;
	table->prefix = "";
	table->rows = rows;
	table->count = 0;
	for (size_t i = 0; i < from->count; i++) {
		const struct option *row = &from->rows[i];

		if (shared && !option_is_for(row, workload))
			continue;
		rows[table->count] = *row;
		if (shared)
			rows[table->count].letter = option_core_letter(row, workload);
		table->count++;
	}
	core->list[core->count++] = table;
}

void core_tables_init(struct core_tables *core, enum workload workload)
{
	*core = (struct core_tables){0};
	if (workload_words[workload].options)
		describe_take(core, workload_words[workload].options, workload);
	describe_take(core, &test_options, workload);
	describe_take(core, &run_options, workload);
}

void core_tables_release(struct core_tables *core)
{
	for (size_t i = 0; i < core->count; i++)
		free((void *)core->tables[i].rows);
	*core = (struct core_tables){0};
}

const char *describe_group(const struct option_table *table, const struct option *row)
{
	return row->group && strcmp(row->group, table->prefix) ? row->group : "Options";
}

void describe_flag(const struct option_table *table, const struct option *row, struct text *out)
{
	size_t start = out->length;

	text_add(out, "--");
	describe_key(table, row, out);
	for (char *at = out->bytes + start; *at; at++)
		if (*at == '_')
			*at = '-';
}

void describe_key(const struct option_table *table, const struct option *row, struct text *out)
{
	text_add(out, "%s%s%s%s", table->prefix, *table->prefix ? "." : "", row->name,
		 row->type == OPTION_PAIRS ? ".NAME" : "");
}

void describe_argument(const struct option *row, struct text *out)
{
	const char *argument = option_argument(row);

	if (row->bare)
		text_add(out, "[=%s]", argument);
	else if (argument && row->type != OPTION_LEVEL)
		text_add(out, "=%s", argument);
}
