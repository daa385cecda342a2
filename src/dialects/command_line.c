/* Takes a command line apart: flags and their values, in all the forms that IOR takes. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "dialects/dialect.h"
#include "dialects/pairs.h"
#include "options/foreign.h"
#include "options/names.h"

struct parser {
	const struct vocabulary *vocabulary;
	char *const *argv;
	int argc;
	int at; /* the argument being read */
	struct command_line *line;
	struct error *err;
};

/* Takes ownership of value and shown. */
static void command_line_add(struct parser *parser, const struct key *key, char *value, char *shown)
{
	struct command_line *line = parser->line;
	struct text name = {0};

	if (*key->table->prefix && !key->for_api)
		text_add(&name, "%s.", key->table->prefix);
	text_add(&name, "%s", key->for_api ? key->row->ior_key : key->row->name);
	if (key->pair_name)
		text_add(&name, ".%s", key->pair_name);
	line->assignments =
		memory_grow(line->assignments, (line->count + 1) * sizeof(*line->assignments));
	line->assignments[line->count++] = (struct assignment){
		.key = name.bytes,
		.value = value,
		.shown = shown,
		.argument = (unsigned)parser->at,
	};
}

/* The value of a bare flag; NULL for levels, which count up. */
static char *bare_value(const struct option *row)
{
	if (row->bare)
		return text_copy(row->bare);
	return row->type == OPTION_BOOL ? text_copy("1") : NULL;
}

/* The next argument as the value of flag; NULL when there is none that could be meant. */
static const char *next_argument(struct parser *parser, const char *flag)
{
	const char *next = parser->at + 1 < parser->argc ? parser->argv[parser->at + 1] : NULL;

	if (!next) {
		error_input(parser->err, "%.80s needs a value", flag);
		return NULL;
	}
	if (next[0] == '-' && next[1] && !isdigit((unsigned char)next[1])) {
		error_input(parser->err,
			    "%.80s needs a value, but %.80s follows; meant so, write %.80s=%.80s",
			    flag, next, flag, next);
		return NULL;
	}
	parser->at++;
	return next;
}

/* Skips a key of IOR whose value asks for nothing. rest: the text behind the flag, or NULL. */
static bool skip(struct parser *parser, const char *name, const char *rest)
{
	const char *next = parser->at + 1 < parser->argc ? parser->argv[parser->at + 1] : NULL;

	if (!vocabulary_can_ignore(parser->vocabulary, name, rest ? rest : next))
		return false;
	parser->at += !rest;
	return true;
}

/* skip() for a letter, followed by "0", "=0" or nothing. */
static bool skip_letter(struct parser *parser, const char *letters)
{
	const struct option *row =
		option_find_letter(foreign_options(parser->vocabulary->workload), *letters);
	const char *rest = letters + 1 + (letters[1] == '=');

	return row && skip(parser, row->name, letters[1] ? rest : NULL);
}

/* --name, --name=value, --name value; value NULL: nothing is attached */
static int add_long(struct parser *parser, const char *name, const char *value)
{
	struct key key;

	if (vocabulary_find(parser->vocabulary, name, &key, parser->err))
		return -1;
	if (!value && !option_may_be_bare(key.row)) {
		value = next_argument(parser, name);
		if (!value)
			return -1;
	}
	command_line_add(parser, &key, value ? text_copy(value) : bare_value(key.row), NULL);
	return 0;
}

static int parse_long(struct parser *parser, const char *argument)
{
	const char *equal = strchr(argument, '=');
	const char *value = equal ? equal + 1 : NULL;
	char *name = text_copy_n(argument, equal ? (size_t)(equal - argument) : strlen(argument));
	int ret = skip(parser, name, value) ? 0 : add_long(parser, name, value);

	free(name);
	return ret;
}

/* Takes the value of the first letter: what follows it, an "=", or the next argument. */
static int add_letter(struct parser *parser, const struct key *key, const char *letters)
{
	const char *value = letters + 1;
	char flag[] = {'-', *letters, '\0'};
	struct text shown = {0};

	if (!*value)
		value = next_argument(parser, flag);
	else if (*value == '=')
		value++;
	if (!value)
		return -1;
	text_add(&shown, "%s %s", flag, value);
	command_line_add(parser, key, text_copy(value), shown.bytes);
	return 0;
}

/* A group of letters: those that may be bare, and a last one with its value. */
static int parse_letters(struct parser *parser, const char *letters)
{
	for (; *letters; letters++) {
		char flag[] = {'-', isprint((unsigned char)*letters) ? *letters : '?', '\0'};
		bool digits = isdigit((unsigned char)letters[1]);
		struct key key;

		if (skip_letter(parser, letters))
			return 0;
		if (vocabulary_find_letter(parser->vocabulary, flag[1], &key, parser->err))
			return -1;
		if (key.scope == KEY_NOTHING && letters[1] != '=')
			continue; /* the flag asks for what is always done */
		if (!option_may_be_bare(key.row) || letters[1] == '=' || key.valued ||
		    (key.row->type == OPTION_LEVEL && digits))
			return add_letter(parser, &key, letters);
		command_line_add(parser, &key, bare_value(key.row), text_copy(flag));
	}
	return 0;
}

/* One key=value of -O. */
static int command_line_add_pair(struct parser *parser, const struct pair *pair)
{
	char *name = text_copy_n(pair->key, pair->key_length);
	char *value = text_copy_n(pair->value, pair->value_length);
	struct key key;
	int ret = 0;

	if (vocabulary_can_ignore(parser->vocabulary, name, value))
		goto out;
	ret = vocabulary_find(parser->vocabulary, name, &key, parser->err);
	if (ret)
		goto out;
	command_line_add(parser, &key, value, NULL);
	value = NULL; /* the assignment owns it now */
out:
	free(name);
	free(value);
	return ret;
}

/* -O key=value,key=value; also attached or after an "=". */
static int parse_pairs(struct parser *parser, const char *list)
{
	struct pairs pairs;
	struct pair pair;
	int ret;

	if (!*list)
		list = next_argument(parser, "-O");
	else if (*list == '=')
		list++;
	if (!list)
		return -1;
	pairs = (struct pairs){.line = list, .end = list + strlen(list), .at = list};
	while ((ret = pairs_next(&pairs, &pair, parser->err)) > 0)
		if (command_line_add_pair(parser, &pair))
			return error_add(parser->err, "-O");
	if (ret < 0)
		return error_add(parser->err, "-O");
	return 0;
}

/* -prefill, -dataPacketType=o: the name of an option whole, and too long to be a group people type.
 */
static bool command_line_is_name(const struct parser *parser, const char *letters)
{
	enum { LEAST = 4 };
	char *name = text_copy_n(letters, strcspn(letters, "="));
	struct key key;
	struct error ignored;
	bool found =
		strlen(name) >= LEAST && !vocabulary_find(parser->vocabulary, name, &key, &ignored);

	free(name);
	return found;
}

/* Whether the word, which may as well be the name of a job file, looks like a value of the option.
 */
static bool could_be_value(const struct option *row, const char *word)
{
	return row->type == OPTION_STRING || row->type == OPTION_CHOICE ||
	       isdigit((unsigned char)*word);
}

/* --help deadline: a flag that can be bare takes its value attached. False when it cannot be meant.
 */
static bool refuse_detached(struct parser *parser, const char *flag, const char *word)
{
	struct key key;
	struct error ignored;

	if (strncmp(flag, "--", 2) || strchr(flag, '=') ||
	    vocabulary_find(parser->vocabulary, flag, &key, &ignored) ||
	    !could_be_value(key.row, word))
		return false;
	error_input(parser->err, "\"%.80s\" is not a flag; as the value of %.80s write %.80s=%.80s",
		    word, flag, flag, word);
	return true;
}

/* -z 2: the letter takes no value here, but it does in the other program. False when it does not.
 */
static bool refuse_other_program(struct parser *parser, const char *flag, const char *word)
{
	bool metadata = parser->vocabulary->workload == WORKLOAD_METADATA;
	struct key key;

	if (flag[0] != '-' || flag[1] == '-' || !flag[1] ||
	    !vocabulary_find_other_letter(parser->vocabulary, flag[strlen(flag) - 1], &key) ||
	    option_may_be_bare(key.row) || !could_be_value(key.row, word))
		return false;
	flag += strlen(flag) - 1;
	if (metadata)
		error_input(parser->err,
			    "\"%.80s\" is not a flag, and mdtest's -%s takes no value; IOR's does: "
			    "iorx -%s %.80s, without mdtest",
			    word, flag, flag, word);
	else
		error_input(parser->err,
			    "\"%.80s\" is not a flag, and IOR's -%s takes no value; mdtest's does: "
			    "iorx mdtest -%s %.80s%s%.80s%s",
			    word, flag, flag, word,
			    *flag == 'n' ? "; the number of tasks stands before iorx: mpiexec -n "
					 : "",
			    *flag == 'n' ? word : "", *flag == 'n' ? " iorx" : "");
	return true;
}

/*
 * The first word is a subcommand of other programs, or nearly one of iorx. False when it is not.
 */
static bool refuse_command(struct parser *parser, const char *word)
{
	struct guess guess;

	if (parser->at > 1 || workload_words[parser->vocabulary->workload].command)
		return false;
	guess_start(&guess, word);
	for (int i = 0; i < WORKLOADS; i++)
		if (workload_words[i].command)
			guess_offer(&guess, "", workload_words[i].command);
	if (!guess.name[0] || guess.distance > 1) /* "read" is none of them */
		return false;
	error_input(parser->err, "\"%.80s\" is not a flag; did you mean iorx %s?", word,
		    guess.name);
	return true;
}

/* -t 4k, 64k: the blank ends the word. False when no comma stands before it. */
static bool refuse_list(struct parser *parser, const char *before, const char *word)
{
	const size_t length = strlen(before);

	if (!length || before[length - 1] != ',')
		return false;
	error_input(parser->err,
		    "\"%.80s\" stands behind a blank and belongs to \"%.80s\"; write the list "
		    "without blanks, %.80s%.80s, or in quotes",
		    word, before, before, word);
	return true;
}

static int refuse_word(struct parser *parser, const char *word)
{
	const char *flag = parser->at > 1 ? parser->argv[parser->at - 1] : "";

	if (workload_of_command(word) != WORKLOAD_DATA)
		return error_input(parser->err,
				   "%s is the first word: iorx %s, and its flags behind it", word,
				   word);
	if (!strcmp(word, "health"))
		return error_input(parser->err, "iorx health starts the launcher itself; leave out "
						"mpirun: iorx health DIR --tasks=8");
	if (!strcmp(word, "md-workbench"))
		return error_input(
			parser->err,
			"iorx has no md-workbench; a mixed metadata test replaces it: iorx mdtest "
			"-n 1000 -F --mix=create:15,stat:60,read:10,remove:15 -d DIR");
	if (refuse_command(parser, word) || refuse_list(parser, flag, word) ||
	    refuse_detached(parser, flag, word) || refuse_other_program(parser, flag, word))
		return -1;
	return error_input(parser->err,
			   "\"%.80s\" is not a flag; if it is a job file, write iorx -f %.80s",
			   word, word);
}

/* True for the launcher's option of the number of tasks. */
static bool is_of_launcher(const struct parser *parser, const char *argument)
{
	const char *next = parser->at + 1 < parser->argc ? parser->argv[parser->at + 1] : "";

	return !strcmp(argument, "-np") && isdigit((unsigned char)*next);
}

/* True for "iorx help", "iorx load help" and "iorx version", as other programs have them. */
static bool is_question(const struct parser *parser, const char *word)
{
	return parser->at == 1 && parser->line->kind == ORIGIN_COMMAND_LINE &&
	       (!strcmp(word, "help") || !strcmp(word, "version"));
}

/* help, help TOPIC, version */
static int add_question(struct parser *parser, const char *word)
{
	const bool has_topic = !strcmp(word, "help") && parser->at + 1 < parser->argc &&
			       parser->argv[parser->at + 1][0] != '-';

	return add_long(parser, word, has_topic ? parser->argv[++parser->at] : NULL);
}

static int parse_argument(struct parser *parser, const char *argument)
{
	if (is_question(parser, argument))
		return add_question(parser, argument);
	if (argument[0] != '-' || !argument[1])
		return refuse_word(parser, argument);
	if (is_of_launcher(parser, argument))
		return error_input(
			parser->err,
			"-np belongs to mpiexec and stands before iorx: mpiexec -np %.80s iorx",
			parser->argv[parser->at + 1]);
	if (argument[1] == '-' || command_line_is_name(parser, argument + 1))
		return parse_long(parser, argument);
	if (argument[1] == 'O')
		return parse_pairs(parser, argument + 2);
	return parse_letters(parser, argument + 1);
}

const char *command_line_location(const struct command_line *line)
{
	return line->kind == ORIGIN_ENVIRONMENT ? "IORX_OPTIONS" : "command line";
}

static int parse(struct parser *parser)
{
	for (; parser->at < parser->argc; parser->at++) {
		if (!parse_argument(parser, parser->argv[parser->at]))
			continue;
		error_add(parser->err, "%s", command_line_location(parser->line));
		command_line_release(parser->line);
		return -1;
	}
	return 0;
}

int command_line_parse(int argc, char *const *argv, const struct vocabulary *vocabulary,
		       struct command_line *line, struct error *err)
{
	struct parser parser = {vocabulary, argv, argc, 1, line, err};

	*line = (struct command_line){.kind = ORIGIN_COMMAND_LINE};
	return parse(&parser);
}

int command_line_parse_environment(const char *options, const struct vocabulary *vocabulary,
				   struct command_line *line, struct error *err)
{
	char **words = memory_allocate(strlen(options) / 2 + 2, sizeof(*words));
	char *copy = text_copy(options), *rest = copy;
	struct parser parser = {vocabulary, words, 1, 1, line, err};

	for (char *word; (word = strsep(&rest, " \t\n"));)
		if (*word)
			words[parser.argc++] = word;
	*line = (struct command_line){.kind = ORIGIN_ENVIRONMENT};
	int ret = parse(&parser);

	free(copy);
	free(words);
	return ret;
}

void command_line_release(struct command_line *line)
{
	for (size_t i = 0; i < line->count; i++) {
		free(line->assignments[i].key);
		free(line->assignments[i].value);
		free(line->assignments[i].shown);
	}
	free(line->assignments);
	*line = (struct command_line){0};
}

const char *command_line_value(const struct command_line *line, const char *key)
{
	for (size_t i = line->count; i > 0; i--)
		if (text_same_key(line->assignments[i - 1].key, key))
			return line->assignments[i - 1].value;
	return NULL;
}
