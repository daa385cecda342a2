/* All keys that a job may use, and the option that each of them means. */
#include "options/vocabulary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "options/foreign.h"
#include "options/load.h"
#include "options/metadata.h"
#include "options/names.h"
#include "options/test.h"

const struct workload_words workload_words[WORKLOADS] = {
	[WORKLOAD_DATA] = {.block = "IOR"},
	[WORKLOAD_METADATA] = {"mdtest", "MDTEST", &metadata_options},
	[WORKLOAD_LOAD] = {"load", "LOAD", &load_options},
};

enum workload workload_of_command(const char *word)
{
	for (int i = 0; i < WORKLOADS; i++)
		if (workload_words[i].command && !strcmp(word, workload_words[i].command))
			return (enum workload)i;
	return WORKLOAD_DATA;
}

static bool found(enum key_scope scope, size_t backend, const struct option_table *table,
		  const struct option *row, struct key *key)
{
	*key = (struct key){.scope = scope, .backend = backend, .table = table, .row = row};
	return row != NULL;
}

bool vocabulary_has(const struct vocabulary *vocabulary, const struct option_table *table,
		    const struct option *row)
{
	return table != &test_options || option_is_for(row, vocabulary->workload);
}

static bool find_in_core(const struct vocabulary *vocabulary, const char *name, struct key *key)
{
	const struct option_table *own = workload_words[vocabulary->workload].options;

	if (own && found(KEY_WORKLOAD, 0, own, option_find(own, name), key))
		return true;
	return found(KEY_TEST, 0, &test_options, option_find(&test_options, name), key) ||
	       found(KEY_RUN, 0, &run_options, option_find(&run_options, name), key);
}

int vocabulary_find_prefix(const struct vocabulary *vocabulary, const char *prefix)
{
	for (size_t i = 0; i < vocabulary->count; i++) {
		const struct option_table *table = vocabulary->tables[i];

		if (text_same_key(table->prefix, prefix) ||
		    names_have(table->prefix_aliases, prefix))
			return (int)i;
	}
	return -1;
}

/* "hint.x" instead of "mpiio.hint.x": the first table that has such pairs, or NULL. */
static const struct option_table *find_pairs(const struct vocabulary *vocabulary, const char *key)
{
	for (size_t i = 0; i < vocabulary->count; i++) {
		const struct option *row = option_find(vocabulary->tables[i], key);

		if (row && row->type == OPTION_PAIRS)
			return vocabulary->tables[i];
	}
	return NULL;
}

/* The options of the workload with this prefix, by any of its names; NULL: there is none. */
static const struct option_table *find_workload(const char *prefix)
{
	for (int i = 0; i < WORKLOADS; i++) {
		const struct option_table *table = workload_words[i].options;

		if (table && (text_same_key(table->prefix, prefix) ||
			      names_have(table->prefix_aliases, prefix)))
			return table;
	}
	return NULL;
}

static int refuse_prefix(const struct vocabulary *vocabulary, const char *name, const char *prefix,
			 struct error *err)
{
	const struct option_table *table = find_pairs(vocabulary, prefix);
	struct guess guess;

	if (table)
		return error_input(err, "%.80s: unknown option; did you mean %s.%.80s?", name,
				   table->prefix, name);
	guess_start(&guess, prefix);
	for (size_t i = 0; i < vocabulary->count; i++)
		guess_offer(&guess, "", vocabulary->tables[i]->prefix);
	if (guess.name[0])
		return error_input(err, "%.80s: there is no backend %s; did you mean %s?", name,
				   prefix, guess.name);
	return error_input(err, "%.80s: there is no backend %s; --list-backends shows them", name,
			   prefix);
}

/* "key", or "key.NAME" for pairs, in one table. */
static bool find_in_table(const struct vocabulary *vocabulary, size_t index, const char *name,
			  struct key *key)
{
	const struct option_table *table = vocabulary->tables[index];
	const char *point = strchr(name, '.');
	char *first = text_copy_n(name, point ? (size_t)(point - name) : strlen(name));
	bool there = found(KEY_BACKEND, index, table, option_find(table, first), key);

	free(first);
	if (!there || !point)
		return there;
	key->pair_name = point + 1;
	return key->row->type == OPTION_PAIRS;
}

/* The row nearest to a mistyped "key", or "key.NAME", with its NAME. */
static int refuse_in_table(const struct option_table *table, const char *name, const char *wanted,
			   struct error *err)
{
	const char *point = strchr(wanted, '.');
	char *first = text_copy_n(wanted, point ? (size_t)(point - wanted) : strlen(wanted));
	struct guess guess;

	guess_start(&guess, first);
	for (size_t i = 0; i < table->count; i++)
		if (!point || table->rows[i].type == OPTION_PAIRS)
			guess_offer(&guess, "", table->rows[i].name);
	free(first);
	if (guess.name[0])
		return error_input(err, "%.80s: unknown option; did you mean %s.%s%.80s?", name,
				   table->prefix, guess.name, point ? point : "");
	return error_input(err, "%.80s: unknown option; --help=%s shows those of %s", name,
			   table->prefix, table->prefix);
}

/* name is "prefix.key" or "prefix.key.NAME", the first point at `point`. */
static int find_in_backend(const struct vocabulary *vocabulary, const char *name, const char *point,
			   struct key *key, struct error *err)
{
	const struct option_table *table;
	char prefix[64];
	int index;
	int length = point - name < 60 ? (int)(point - name) : 60;

	snprintf(prefix, sizeof(prefix), "%.*s", length, name);
	table = find_workload(prefix);
	if (table) {
		if (found(KEY_WORKLOAD, 0, table, option_find(table, point + 1), key))
			return 0;
		return refuse_in_table(table, name, point + 1, err);
	}
	index = vocabulary_find_prefix(vocabulary, prefix);
	if (index < 0)
		return refuse_prefix(vocabulary, name, prefix, err);
	if (find_in_table(vocabulary, (size_t)index, point + 1, key))
		return 0;
	return refuse_in_table(vocabulary->tables[index], name, point + 1, err);
}

/* The words of another workload whose tests have the option; NULL: there is none. */
static const struct workload_words *find_other(const struct vocabulary *vocabulary,
					       const char *name)
{
	for (int i = 0; i < WORKLOADS; i++) {
		const struct workload_words *words = &workload_words[i];

		if (i != (int)vocabulary->workload && words->options &&
		    option_find(words->options, name))
			return words;
	}
	return NULL;
}

/* Guesses over all tables, as a backend's option is often written without its prefix. */
static int refuse_unknown(const struct vocabulary *vocabulary, const char *name, struct error *err)
{
	const struct option_table *own = workload_words[vocabulary->workload].options;
	const struct workload_words *other = find_other(vocabulary, name);
	struct guess guess;

	if (other)
		return error_input(err,
				   "%.80s: unknown option; %s tests have it: iorx %s, or "
				   "%s.%.80s for %s blocks of a job file",
				   name, other->options->prefix, other->command,
				   other->options->prefix, name, other->block);
	guess_start(&guess, name);
	for (size_t i = 0; own && i < own->count; i++)
		guess_offer(&guess, "", own->rows[i].name);
	for (size_t i = 0; i < test_options.count; i++)
		if (vocabulary_has(vocabulary, &test_options, &test_options.rows[i]))
			guess_offer(&guess, "", test_options.rows[i].name);
	for (size_t i = 0; i < run_options.count; i++)
		guess_offer(&guess, "", run_options.rows[i].name);
	for (size_t t = 0; t < vocabulary->count && !guess.name[0]; t++) {
		const struct option_table *table = vocabulary->tables[t];
		const struct option *row = option_find(table, name);

		if (row)
			return error_input(err, "%.80s: unknown option; did you mean %s.%s?", name,
					   table->prefix, row->name);
		for (size_t i = 0; i < table->count; i++)
			guess_offer(&guess, table->prefix, table->rows[i].name);
	}
	if (guess.name[0])
		return error_input(err, "%.80s: unknown option; did you mean %s?", name,
				   guess.name);
	return error_input(err, "%.80s: unknown option; --help shows all", name);
}

/* A key or a letter of IOR (name NULL) that backends have without a prefix: the first one's row. */
static bool find_for_api(const struct vocabulary *vocabulary, const char *name, char letter,
			 struct key *key)
{
	for (size_t i = 0; i < vocabulary->count; i++) {
		const struct option_table *table = vocabulary->tables[i];

		if (!found(KEY_BACKEND, i, table,
			   name ? option_find_ior(table, name) : option_find_letter(table, letter),
			   key))
			continue;
		key->for_api = true;
		return true;
	}
	return false;
}

/* A foreign row: another name for an option of iorx, accepted, or refused as the caller shows it.
 */
static int find_foreign(const struct vocabulary *vocabulary, const struct option *row,
			const char *shown, struct key *key, struct error *err)
{
	if (row->why)
		return error_input(err, "%s: %s", shown, row->why);
	if (!row->instead || strchr(row->instead, '=')) {
		found(KEY_NOTHING, 0, foreign_options(vocabulary->workload), row, key);
		return 0;
	}
	if (vocabulary_find(vocabulary, row->instead, key, err))
		return -1;
	key->valued = !option_may_be_bare(row);
	return 0;
}

/* A key of data tests, in a test of another workload. */
static int refuse_of_files(const struct vocabulary *vocabulary, const struct key *key,
			   struct error *err)
{
	return error_input(err,
			   "%s: a %s test has no such option, it is for tests of the data in "
			   "files; remove it",
			   key->row->name, workload_words[vocabulary->workload].options->prefix);
}

int vocabulary_find(const struct vocabulary *vocabulary, const char *name, struct key *key,
		    struct error *err)
{
	const char *bare = name + strspn(name, "-");
	const char *point = strchr(bare, '.');
	const struct option *foreign;
	bool known;

	if (!*bare)
		return error_input(err, "the name of an option is missing");
	known = find_in_core(vocabulary, bare, key);
	if (known && (point || vocabulary_has(vocabulary, key->table, key->row)))
		return 0;
	foreign = option_find(foreign_options(vocabulary->workload), bare);
	if (foreign)
		return find_foreign(vocabulary, foreign, foreign->name, key, err);
	if (known)
		return refuse_of_files(vocabulary, key, err);
	if (point)
		return find_in_backend(vocabulary, bare, point, key, err);
	if (vocabulary->workload == WORKLOAD_DATA && find_for_api(vocabulary, bare, 0, key))
		return 0;
	return refuse_unknown(vocabulary, bare, err);
}

bool vocabulary_can_ignore(const struct vocabulary *vocabulary, const char *name, const char *value)
{
	const struct option *row =
		option_find(foreign_options(vocabulary->workload), name + strspn(name, "-"));
	bool has_effect =
		row && (row->why || row->note || (row->instead && strchr(row->instead, '=')));

	/* No old script is one of a load. */
	return has_effect && value && vocabulary->workload != WORKLOAD_LOAD &&
	       foreign_is_off(row, value);
}

/* The row of a core table that has this letter in tests of the workload, or NULL. */
static const struct option *find_core_letter(const struct option_table *table,
					     enum workload workload, char letter)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct option *row = &table->rows[i];

		if (letter && option_is_for(row, workload) &&
		    option_core_letter(row, workload) == letter)
			return row;
	}
	return NULL;
}

/* The row that has this letter in the dialect of the workload. */
static bool find_letter(const struct vocabulary *vocabulary, char letter, struct key *key)
{
	const enum workload workload = vocabulary->workload;
	const struct option_table *own = workload_words[workload].options;

	if (own && found(KEY_WORKLOAD, 0, own, option_find_letter(own, letter), key))
		return true;
	return found(KEY_TEST, 0, &test_options, find_core_letter(&test_options, workload, letter),
		     key) ||
	       found(KEY_RUN, 0, &run_options, find_core_letter(&run_options, workload, letter),
		     key) ||
	       (workload == WORKLOAD_DATA && find_for_api(vocabulary, NULL, letter, key));
}

bool vocabulary_find_other_letter(const struct vocabulary *vocabulary, char letter, struct key *key)
{
	struct vocabulary other = *vocabulary;

	if (vocabulary->workload == WORKLOAD_LOAD)
		return false;
	other.workload = vocabulary->workload == WORKLOAD_DATA ? WORKLOAD_METADATA : WORKLOAD_DATA;
	return find_letter(&other, letter, key);
}

/* Neither a letter of this workload nor one that IOR or mdtest had. */
static int refuse_letter(const struct vocabulary *vocabulary, char letter, struct error *err)
{
	const char *command = workload_words[vocabulary->workload].command;
	bool metadata = vocabulary->workload == WORKLOAD_METADATA;
	struct key other;

	if (!vocabulary_find_other_letter(vocabulary, letter, &other))
		return error_input(err, "there is no flag -%c; %s%s%s--help shows all", letter,
				   command ? "iorx " : "", command ? command : "",
				   command ? " " : "");
	if (metadata)
		return error_input(err,
				   "there is no flag -%c of mdtest; it is IOR's %s: iorx -%c …, "
				   "without mdtest",
				   letter, other.row->name, letter);
	return error_input(err, "there is no flag -%c; it is mdtest's %s: iorx mdtest -%c …",
			   letter, other.row->name, letter);
}

int vocabulary_find_letter(const struct vocabulary *vocabulary, char letter, struct key *key,
			   struct error *err)
{
	bool metadata = vocabulary->workload == WORKLOAD_METADATA;
	const struct option *foreign =
		option_find_letter(foreign_options(vocabulary->workload), letter);
	const char flag[] = {'-', letter, '\0'};

	if (find_letter(vocabulary, letter, key))
		return 0;
	if (!foreign)
		return refuse_letter(vocabulary, letter, err);
	if (metadata)
		return find_foreign(vocabulary, foreign, flag, key, err);
	if (find_foreign(vocabulary, foreign, foreign->name, key, err))
		return error_add(err, "%s", flag);
	return 0;
}
