/* --help: all options by group, the options of a backend, or the whole text of one option. */
#include "options/help.h"

#include <string.h>

#include "options/describe.h"
#include "options/foreign.h"
#include "options/names.h"

#define WIDTH 80
#define GROUPS_MAX 32
#define COLUMN 33 /* where the sentences start */

static const char usage[] =
	"Usage: mpiexec -n N iorx [OPTION]...\n"
	"       mpiexec -n N iorx -f FILE [OPTION]...\n"
	"\n"
	"Write and read a file of 4 GiB with 4 tasks, or run the tests of a job file:\n"
	"  mpiexec -n 4 iorx -b 1g -t 1m -e -C --cold=fadvise -o /scratch/testFile\n"
	"  mpiexec -n 4 iorx -f job.ior --output=job.json\n"
	"\n"
	"iorx mdtest --help explains tests that create, stat and remove files,\n"
	"iorx load --help those of mixed operations for a given time, at a given rate.\n";

static const char metadata_usage[] =
	"Usage: mpiexec -n N iorx mdtest [OPTION]...\n"
	"\n"
	"Each of 4 tasks creates, stats, opens and removes 10000 files in its own tree:\n"
	"  mpiexec -n 4 iorx mdtest -n 10000 -F -u -d /scratch/out\n"
	"The same in directories of 100 files; each task stats what the next task made:\n"
	"  mpiexec -n 4 iorx mdtest -n 10000 -I 100 -z 2 -b 3 -N 1 -F -d /scratch/out\n";

static const char load_usage[] =
	"Usage: mpiexec -n N iorx load [OPTION]...\n"
	"\n"
	"Read and write 4 KiB at random places of a file of each task for a minute, as\n"
	"fast as possible with 16 transfers in flight:\n"
	"  mpiexec -n 4 iorx load --operations=read:70,write:30 --duration=1m \\\n"
	"      -a uring --queue-depth=16 -o /scratch/load\n"
	"The same at 10000 operations per second of all tasks together:\n"
	"  mpiexec -n 4 iorx load --operations=read:70,write:30 --duration=1m \\\n"
	"      --rate=10000 -o /scratch/load\n";

static const char *const usages[WORKLOADS] = {
	[WORKLOAD_DATA] = usage,
	[WORKLOAD_METADATA] = metadata_usage,
	[WORKLOAD_LOAD] = load_usage,
};

/* Adds words from column `at` on, continued at COLUMN where the line would be too long. */
static void add_words(struct text *out, size_t at, size_t column, const char *words)
{
	size_t length;

	for (; *words; words += length) {
		bool first = at == column;

		words += strspn(words, " ");
		length = strcspn(words, " ");
		if (!length)
			break;
		if (!first && at + 1 + length > WIDTH) {
			text_add(out, "\n%*s", (int)column, "");
			at = column;
			first = true;
		}
		text_add(out, "%s%.*s", first ? "" : " ", (int)length, words);
		at += length + !first;
	}
	text_add(out, "\n");
}

/* Adds the choices, with the default in brackets. */
static void add_choices(const struct option *row, const char *between, struct text *out)
{
	for (size_t i = 0; row->choices && row->choices[i]; i++) {
		bool initial = row->initial && !strcmp(row->choices[i], row->initial);

		text_add(out, "%s%s%s%s", i ? between : "", initial ? "[" : "", row->choices[i],
			 initial ? "]" : "");
	}
}

/* The default that help shows; NULL for flags that are off, for 0 and for unset values. */
static const char *default_of(const struct option *row)
{
	if (!row->initial || !*row->initial || !strcmp(row->initial, "0"))
		return NULL;
	return row->initial;
}

/* The sentence without its full stop, the choices, the default. */
static void sentence_of(const struct option *row, struct text *out)
{
	size_t length = strlen(row->help);
	struct text choices = {0};

	text_add_bytes(out, row->help, length - (length && row->help[length - 1] == '.'));
	add_choices(row, "|", &choices);
	if (choices.length > WIDTH - COLUMN - 2) {
		/* separated by blanks, so that the line can be wrapped */
		text_clear(&choices);
		add_choices(row, ", ", &choices);
	}
	if (row->choices)
		text_add(out, " (%s)", text_string(&choices));
	text_release(&choices);
	if (default_of(row) && !row->choices)
		text_add(out, " [%s]", row->initial);
}

static void help_add_row(const struct option_table *table, const struct option *row,
			 struct text *out)
{
	struct text sentence = {0};
	size_t start = out->length, used;

	if (row->letter)
		text_add(out, "  -%c, ", row->letter);
	else
		text_add(out, "      ");
	describe_flag(table, row, out);
	describe_argument(row, out);
	used = out->length - start;
	if (used + 2 > COLUMN)
		text_add(out, "\n%*s", COLUMN, "");
	else
		text_add(out, "%*s", (int)(COLUMN - used), "");
	sentence_of(row, &sentence);
	add_words(out, COLUMN, COLUMN, text_string(&sentence));
	text_release(&sentence);
}

static bool in_group(const struct option_table *table, const struct option *row, const char *group)
{
	return !strcmp(describe_group(table, row), group);
}

static bool has_group(const char *const *groups, size_t count, const char *group)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(groups[i], group))
			return true;
	return false;
}

/* Lists the headings of the rows, each once, in order of appearance. Returns their number. */
static size_t list_groups(const struct option_table *const *tables, size_t count,
			  const char *groups[GROUPS_MAX])
{
	size_t found = 0;

	for (size_t t = 0; t < count; t++)
		for (size_t i = 0; i < tables[t]->count; i++) {
			const char *group = describe_group(tables[t], &tables[t]->rows[i]);

			if (found < GROUPS_MAX && !has_group(groups, found, group))
				groups[found++] = group;
		}
	return found;
}

static void add_tables(const struct option_table *const *tables, size_t count, struct text *out)
{
	const char *groups[GROUPS_MAX];
	size_t group_count = list_groups(tables, count, groups);

	for (size_t g = 0; g < group_count; g++) {
		text_add(out, "\n%s:\n", groups[g]);
		for (size_t t = 0; t < count; t++)
			for (size_t i = 0; i < tables[t]->count; i++)
				if (in_group(tables[t], &tables[t]->rows[i], groups[g]))
					help_add_row(tables[t], &tables[t]->rows[i], out);
	}
}

/* Letters of mdtest that are followed by the number of an option. */
static void add_letters(struct text *out)
{
	const struct option_table *table = foreign_options(WORKLOAD_METADATA);

	text_add(out, "\nThe same with a number:\n");
	for (size_t i = 0; i < table->count; i++)
		if (table->rows[i].instead)
			text_add(out, "  -%c N%*s--%s=N\n", table->rows[i].letter, COLUMN - 6, "",
				 table->rows[i].instead);
}

static void help_on_all(const struct vocabulary *vocabulary, struct text *out)
{
	struct text backends = {0};
	struct core_tables core;

	core_tables_init(&core, vocabulary->workload);
	text_add(out, "%s", usages[vocabulary->workload]);
	add_tables(core.list, core.count, out);
	core_tables_release(&core);
	if (vocabulary->workload == WORKLOAD_METADATA)
		add_letters(out);
	text_add(out, "\nSizes: 4k = 4KB = 4KiB = 4096. Times: seconds, of -T minutes; or 500ms, "
		      "5m, 2h.\n"
		      "-O key=value,key=value sets options by their keys in job files.\n");
	text_add(&backends, "--help=NAME explains an option, or all options of");
	for (size_t i = 0; i < vocabulary->count; i++)
		text_add(&backends, "%s %s", i ? "," : "", vocabulary->tables[i]->prefix);
	text_add(&backends, ".");
	add_words(out, 0, 0, text_string(&backends));
	text_release(&backends);
}

static void help_on_table(const struct option_table *table, struct text *out)
{
	text_add(out, "%s: %s\n", table->prefix, table->summary);
	if (table->prefix_aliases)
		text_add(out, "Also written: --%s.NAME\n", table->prefix_aliases);
	add_tables(&table, 1, out);
}

/* "Unit: s", "Default: 256KiB", "Least: 1" */
static void help_add_range(const struct option *row, struct text *out)
{
	char limit[32];
	struct text choices = {0};

	if (row->unit)
		text_add(out, "Unit: %s\n", row->unit);
	if (row->initial && *row->initial)
		text_add(out, "Default: %s\n", row->initial);
	if (row->choices) {
		text_add(&choices, "One of: ");
		for (size_t i = 0; row->choices[i]; i++)
			text_add(&choices, "%s%s", i ? ", " : "", row->choices[i]);
		add_words(out, 0, 0, text_string(&choices));
		text_release(&choices);
	}
	if (row->min)
		text_add(out, "Least: %s\n",
			 option_format_number(row, row->min, limit, sizeof(limit)));
	if (row->max)
		text_add(out, "Most: %s\n",
			 option_format_number(row, row->max, limit, sizeof(limit)));
}

static void help_on_option(const struct vocabulary *vocabulary, const struct key *key,
			   struct text *out)
{
	const struct option *row = key->row;
	const char *argument = option_argument(row);
	struct option_table table = *key->table;
	struct text sentences = {0};

	if (key->table == workload_words[vocabulary->workload].options)
		table.prefix = "";
	describe_flag(&table, row, out);
	describe_argument(row, out);
	if (row->letter)
		text_add(out, ", -%c%s%s", row->letter, option_may_be_bare(row) ? "" : " ",
			 option_may_be_bare(row) ? "" : argument);
	text_add(out, "\n\n");
	text_add(&sentences, "%s%s", row->help, row->help[strlen(row->help) - 1] == '.' ? "" : ".");
	if (row->more)
		text_add(&sentences, " %s", row->more);
	add_words(out, 0, 0, text_string(&sentences));
	text_release(&sentences);
	text_add(out, "\n");
	help_add_range(row, out);
	if (row->aliases)
		text_add(out, "Also written: %s\n", row->aliases);
	if (row->command_line_only) {
		text_add(out, "On the command line only.\n");
		return;
	}
	text_add(out, "In a job file: ");
	describe_key(key->table, row, out);
	text_add(out, " = %s\n", argument ? argument : "1");
}

/* Whether an option takes the word as a value of its own: a choice, "auto". */
static bool takes(const struct vocabulary *vocabulary, const struct option *row, const char *word)
{
	struct error ignored;

	for (size_t i = 0; row->choices && row->choices[i]; i++)
		if (text_same_key(row->choices[i], word) ||
		    (row->choice_aliases && names_have(row->choice_aliases[i], word)))
			return true;
	if (row->zero && text_same_key(row->zero, word))
		return true;
	return !strcmp(row->name, "api") && !vocabulary->check_api(word, &ignored);
}

/* All options that take the word; false when none does. */
static bool help_on_value(const struct vocabulary *vocabulary, const char *word, struct text *out)
{
	size_t before = out->length;
	struct core_tables core;

	core_tables_init(&core, vocabulary->workload);
	for (size_t t = 0; t < vocabulary->count + core.count; t++) {
		const struct option_table *table =
			t < core.count ? core.list[t] : vocabulary->tables[t - core.count];

		for (size_t i = 0; i < table->count; i++) {
			const struct option *row = &table->rows[i];
			struct key key = {.table = table, .row = row};

			if (!takes(vocabulary, row, word))
				continue;
			text_add(out, "%s%s is a value of ", out->length > before ? "\n" : "",
				 word);
			help_on_option(vocabulary, &key, out);
		}
	}
	core_tables_release(&core);
	return out->length > before;
}

/* An option of the tests of another workload; false when none has it. */
static bool help_on_other(const struct vocabulary *vocabulary, const char *name, struct text *out)
{
	struct vocabulary other = *vocabulary;

	for (int i = 0; i < WORKLOADS; i++) {
		const struct option_table *table = workload_words[i].options;
		struct key key = {.table = table, .row = table ? option_find(table, name) : NULL};

		if (!key.row)
			continue;
		other.workload = (enum workload)i;
		text_add(out, "An option of iorx %s: ", workload_words[i].command);
		help_on_option(&other, &key, out);
		return true;
	}
	return false;
}

/* Refuses an unknown topic, with a guess among options and backends. */
static int refuse_topic(const struct vocabulary *vocabulary, const char *topic, struct error *err)
{
	struct guess guess;

	guess_start(&guess, topic);
	for (size_t i = 0; i < vocabulary->count; i++)
		guess_offer(&guess, "", vocabulary->tables[i]->prefix);
	if (guess.name[0])
		return error_input(err, "%.80s: there is no such topic; did you mean %s?", topic,
				   guess.name);
	return -1;
}

void help_on_verdict(const char *paragraph, struct text *out)
{
	add_words(out, 0, 0, paragraph);
}

/* Finds the workload whose options have the prefix "load" or "metadata". */
static bool has_prefix(const char *topic, enum workload *workload)
{
	for (int i = 0; i < WORKLOADS; i++) {
		const struct option_table *table = workload_words[i].options;

		if (!table || !text_same_key(table->prefix, topic))
			continue;
		*workload = (enum workload)i;
		return true;
	}
	return false;
}

int help_text(const struct vocabulary *vocabulary, const char *topic, struct text *out,
	      struct error *err)
{
	const char *bare = topic + strspn(topic, "-");
	int table = vocabulary_find_prefix(vocabulary, topic);
	struct vocabulary words = *vocabulary;
	struct key key;

	if (!*bare || has_prefix(topic, &words.workload)) {
		help_on_all(&words, out);
		return 0;
	}
	if (!strcmp(topic, "json")) {
		help_json(vocabulary, out);
		return 0;
	}
	if (table >= 0) {
		help_on_table(vocabulary->tables[table], out);
		return 0;
	}
	if (bare[1] ? !vocabulary_find(vocabulary, bare, &key, err)
		    : !vocabulary_find_letter(vocabulary, *bare, &key, err)) {
		help_on_option(vocabulary, &key, out);
		return 0;
	}
	if (help_on_value(vocabulary, topic, out) || help_on_other(vocabulary, bare, out))
		return 0;
	return refuse_topic(vocabulary, topic, err);
}
