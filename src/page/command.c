/* Commands that a shell takes as they are printed. */
#include "page/command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "options/vocabulary.h"

static bool is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_@%+=:,./-";

	return *word && strspn(word, plain) == strlen(word);
}

/* True for text that a page shows byte for byte. */
static bool is_printable(const char *word)
{
	struct text shown = {0};
	bool same;

	utf8_printable(&shown, word);
	same = !strcmp(text_string(&shown), word);
	text_release(&shown);
	return same;
}

/* $'...', which bash, zsh and ksh know. */
static void add_escaped(struct text *out, const char *word)
{
	text_add(out, "$'");
	for (; *word; word++) {
		const unsigned char byte = (unsigned char)*word;

		if (byte < ' ' || byte > '~')
			text_add(out, "\\%03o", byte);
		else
			text_add(out, "%s%c", byte == '\'' || byte == '\\' ? "\\" : "", byte);
	}
	text_add(out, "'");
}

static void add_quoted(struct text *out, const char *word)
{
	text_add(out, "'");
	for (; *word; word++)
		if (*word == '\'')
			text_add(out, "'\\''");
		else
			text_add_bytes(out, word, 1);
	text_add(out, "'");
}

void command_add_word(struct text *out, const char *word)
{
	if (is_plain(word))
		text_add(out, "%s", word);
	else if (is_printable(word))
		add_quoted(out, word);
	else
		add_escaped(out, word);
}

void command_add_job(struct text *out, const char *environment, int argc, char *const *argv)
{
	if (environment)
		text_add(out, "IORX_OPTIONS='%s' ", environment);
	for (int i = 0; i < argc; i++) {
		text_add(out, "%s", i ? " " : "");
		command_add_word(out, argv[i]);
	}
}

/* A cleanup has no results, so it needs no file for them. */
static bool is_output(const char *word)
{
	static const char output[] = "--output=";

	return !strncmp(word, output, sizeof(output) - 1);
}

void command_add_cleanup(struct text *out, uint64_t tasks, const char *environment, int argc,
			 char *const *argv, bool takes_all)
{
	const enum workload workload = argc > 1 ? workload_of_command(argv[1]) : WORKLOAD_DATA;
	const int first = workload == WORKLOAD_DATA ? 1 : 2;

	if (environment) {
		text_add(out, "IORX_OPTIONS=");
		command_add_word(out, environment);
		text_add(out, " ");
	}
	if (tasks > 1)
		text_add(out, "mpirun -np %" PRIu64 " ", tasks);
	command_add_word(out, argv[0]);
	if (first == 2)
		text_add(out, " %s", argv[1]);
	text_add(out, workload == WORKLOAD_LOAD ? " --cleanup" : " --load.cleanup");
	for (int i = first; i < argc; i++) {
		if (is_output(argv[i]))
			continue;
		text_add(out, " ");
		command_add_word(out, argv[i]);
	}
	/* The user decides anew whether a cleanup may take files that iorx did not make. */
	if (takes_all)
		text_add(out, " --allow-overwrite=0");
}
