/* --help=json: the option tables as one document, from which programs make man pages and
 * completion. */
#include <jansson.h>
#include <string.h>

#include "options/describe.h"
#include "options/foreign.h"
#include "options/help.h"

static const char *const type_names[] = {
	[OPTION_SIZE] = "size",	  [OPTION_COUNT] = "count",   [OPTION_INTEGER] = "integer",
	[OPTION_LEVEL] = "level", [OPTION_SECONDS] = "time",  [OPTION_SHARE] = "share",
	[OPTION_RATE] = "rate",	  [OPTION_SPEED] = "speed",   [OPTION_BOOL] = "bool",
	[OPTION_STRING] = "text", [OPTION_CHOICE] = "choice", [OPTION_PAIRS] = "pairs",
};

/* The words of a list with blanks between them; NULL has none. */
static json_t *words_of(const char *list)
{
	json_t *words = json_array();
	size_t length;

	for (list = list ? list : ""; *list; list += length) {
		list += strspn(list, " ");
		length = strcspn(list, " ");
		if (length)
			json_array_append_new(words, json_stringn(list, length));
	}
	return words;
}

static json_t *choices_of(const struct option *row)
{
	json_t *choices = json_array();

	for (size_t i = 0; row->choices && row->choices[i]; i++)
		json_array_append_new(
			choices,
			json_pack("{ss, so}", "name", row->choices[i], "aliases",
				  words_of(row->choice_aliases ? row->choice_aliases[i] : NULL)));
	return choices;
}

static const char *default_of(const struct option *row)
{
	if (row->initial || row->type == OPTION_STRING || row->type == OPTION_PAIRS)
		return row->initial;
	return row->type == OPTION_CHOICE ? row->choices[0] : "0";
}

/* True if the value is the name of a file. */
static bool is_file(const struct option *row)
{
	const char *argument = option_argument(row);

	return argument && (!strncmp(argument, "FILE", 4) || !strncmp(argument, "PATH", 4));
}

static json_t *option_of(const struct option_table *table, const struct option *row)
{
	const char letter[] = {row->letter, '\0'};
	struct text flag = {0}, key = {0};
	json_t *option;

	describe_flag(table, row, &flag);
	describe_key(table, row, &key);
	option = json_pack(
		"{ss, ss, ss?, so, ss, ss, ss?, sb, ss?, ss?, ss?, sI, sI, so, sb, sb, ss, ss?}",
		"key", text_string(&key), "flag", text_string(&flag), "letter",
		row->letter ? letter : NULL, "aliases", words_of(row->aliases), "type",
		type_names[row->type], "group", describe_group(table, row), "argument",
		option_argument(row), "bare", option_may_be_bare(row), "default", default_of(row),
		"zero", row->zero, "unit", row->unit, "min", (json_int_t)row->min, "max",
		(json_int_t)row->max, "choices", choices_of(row), "file", is_file(row),
		"command_line_only", row->command_line_only, "help", row->help, "more", row->more);
	text_release(&flag);
	text_release(&key);
	return option;
}

static void add_options(json_t *options, const struct option_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		json_array_append_new(options, option_of(table, &table->rows[i]));
}

/* The options of tests of one kind, without those of backends. */
static json_t *core_of(enum workload workload)
{
	json_t *options = json_array();
	struct core_tables core;

	core_tables_init(&core, workload);
	for (size_t i = 0; i < core.count; i++)
		add_options(options, core.list[i]);
	core_tables_release(&core);
	return options;
}

static json_t *backends_of(const struct vocabulary *vocabulary)
{
	json_t *backends = json_array();

	for (size_t i = 0; i < vocabulary->count; i++) {
		const struct option_table *table = vocabulary->tables[i];
		json_t *options = json_array();

		add_options(options, table);
		json_array_append_new(backends,
				      json_pack("{ss, so, ss, sb, so}", "name", table->prefix,
						"aliases", words_of(table->prefix_aliases),
						"summary", table->summary, "wrapper",
						table->any_api, "options", options));
	}
	return backends;
}

/* The letters of mdtest that are followed by the number of an option. */
static json_t *letters_of_mdtest(void)
{
	const struct option_table *table = foreign_options(WORKLOAD_METADATA);
	json_t *letters = json_array();

	for (size_t i = 0; i < table->count; i++) {
		const struct option *row = &table->rows[i];
		const char letter[] = {row->letter, '\0'};

		if (row->instead)
			json_array_append_new(letters, json_pack("{ss, ss}", "letter", letter,
								 "number_of", row->instead));
	}
	return letters;
}

static int add_bytes(const char *bytes, size_t length, void *out)
{
	text_add_bytes(out, bytes, length);
	return 0;
}

void help_json(const struct vocabulary *vocabulary, struct text *out)
{
	json_t *document =
		json_pack("{so, so, so, so, so}", "iorx", core_of(WORKLOAD_DATA), "mdtest",
			  core_of(WORKLOAD_METADATA), "load", core_of(WORKLOAD_LOAD), "backends",
			  backends_of(vocabulary), "mdtest_letters", letters_of_mdtest());

	if (json_dump_callback(document, add_bytes, out, JSON_INDENT(1)))
		BUG("the options are not JSON");
	text_add(out, "\n");
	json_decref(document);
}
