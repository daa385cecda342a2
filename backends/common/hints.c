/* Hints: an MPI_Info from all that may ask for some, and which of them came into effect. */
#include "backends/common/hints.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/named_file.h"
#include "base/text.h"

#define MPI_PREFIX "IOR_HINT__MPI__"
#define GPFS_PREFIX "IOR_HINT__GPFS__"

static bool begins_with(const char *string, const char *prefix)
{
	return strncmp(string, prefix, strlen(prefix)) == 0;
}

static char *trim(char *string)
{
	char *end = string + strlen(string);

	while (end > string && isspace((unsigned char)end[-1]))
		*--end = '\0';
	while (isspace((unsigned char)*string))
		string++;
	return string;
}

/*
 * MPI would end the program for a name or value that is refused here. No message shows the text, as
 * the file may be any other file by mistake.
 */
static int check_lengths(const char *name, const char *value, struct error *err)
{
	if (strpbrk(name, " \t"))
		return error_input(err, "the name of a hint has no blanks");
	if (!*name)
		return error_input(err, "a hint has no name before its \"=\"");
	if (!*value)
		return error_input(err, "a hint has no value; leave it out or write one");
	if (strlen(name) >= MPI_MAX_INFO_KEY)
		return error_input(err, "this MPI takes names of hints of up to %d characters",
				   MPI_MAX_INFO_KEY - 1);
	if (strlen(value) >= MPI_MAX_INFO_VAL)
		return error_input(err, "this MPI takes values of hints of up to %d characters",
				   MPI_MAX_INFO_VAL - 1);
	return 0;
}

/* Adds one "name=value"; modifies the text. The caller says in the error where it stands. */
static int hints_add_pair(MPI_Info info, char *pair, struct error *err)
{
	char *name = trim(pair), *value = strchr(name, '=');

	if (begins_with(name, GPFS_PREFIX))
		return 0; /* hints_passed_over() tells of it */
	if (!value)
		return error_input(err, "this is no hint, which is written NAME=VALUE");
	*value++ = '\0';
	name = trim(name);
	value = trim(value);
	if (begins_with(name, MPI_PREFIX))
		name += strlen(MPI_PREFIX);
	if (check_lengths(name, value, err) < 0)
		return -1;
	MPI_Info_set(info, name, value);
	return 0;
}

static int hints_add_line(MPI_Info info, char *line, struct error *err)
{
	line = trim(line);
	return *line == '\0' ? 0 : hints_add_pair(info, line, err);
}

/* "#" begins a comment at the start of a line and behind a blank; elsewhere it is part of a value.
 */
static void cut_comment(char *line)
{
	for (char *at = strchr(line, '#'); at; at = strchr(at + 1, '#'))
		if (at == line || isspace((unsigned char)at[-1])) {
			*at = '\0';
			return;
		}
}

static int add_lines(MPI_Info info, const char *name, FILE *file, struct error *err)
{
	char *line = NULL;
	size_t capacity = 0;
	int ret = 0;

	for (unsigned number = 1; ret == 0 && getline(&line, &capacity, file) >= 0; number++) {
		cut_comment(line);
		if (hints_add_line(info, line, err) < 0)
			ret = error_add(err, "hints_file: %s:%u", name, number);
	}
	free(line);
	if (ret == 0 && ferror(file))
		ret = error_input(err, "hints_file: %s: %s", name, strerror(errno));
	return ret;
}

static FILE *hints_open_file(const char *name, bool spares_private, struct error *err)
{
	int fd = named_file_open(name, spares_private, err);

	return fd < 0 ? NULL : fdopen(fd, "r");
}

static int hints_add_file(MPI_Info info, const char *name, bool spares_private, struct error *err)
{
	FILE *file = hints_open_file(name, spares_private, err);
	int ret;

	if (!file)
		return error_add(err, "hints_file: %s", name);
	ret = add_lines(info, name, file, err);
	fclose(file);
	return ret;
}

static int add_environment(MPI_Info info, struct error *err)
{
	int ret = 0;

	for (char **variable = environ; ret == 0 && *variable; variable++)
		if (begins_with(*variable, MPI_PREFIX)) {
			char *pair = text_copy(*variable);

			if (hints_add_pair(info, pair, err) < 0)
				ret = error_add(err, "environment variable %.*s",
						(int)strcspn(*variable, "="), *variable);
			free(pair);
		}
	return ret;
}

static int add_pairs(MPI_Info info, const char *pairs, struct error *err)
{
	char *copy = text_copy(pairs), *rest = copy;
	int ret = 0;

	for (char *line; ret == 0 && (line = strsep(&rest, "\n"));) {
		const char *at = pairs + (line - copy);

		if (hints_add_line(info, line, err) < 0)
			ret = error_add(err, "hint %.*s", (int)strcspn(at, "=\n"), at);
	}
	free(copy);
	return ret;
}

int hints_make(const char *pairs, const char *file, bool spares_private, MPI_Info *info,
	       struct error *err)
{
	MPI_Info_create(info);
	if ((!file || !*file || hints_add_file(*info, file, spares_private, err) == 0) &&
	    add_environment(*info, err) == 0 && (!pairs || add_pairs(*info, pairs, err) == 0))
		return 0;
	MPI_Info_free(info);
	return -1;
}

static void add_passed_over(const char *pair, const char *where, struct text *names)
{
	if (begins_with(pair, GPFS_PREFIX))
		text_add(names, "%s%.*s (%s)", names->length ? ", " : "",
			 (int)strcspn(pair, "= \t\n"), pair, where);
}

static void look_into_file(const char *name, bool spares_private, struct text *names)
{
	struct error ignored;
	FILE *file = hints_open_file(name, spares_private, &ignored);
	char *line = NULL;
	size_t capacity = 0;

	if (!file)
		return; /* hints_make() says so */
	while (getline(&line, &capacity, file) >= 0)
		add_passed_over(trim(line), name, names);
	free(line);
	fclose(file);
}

void hints_passed_over(const char *file, bool spares_private, struct text *names)
{
	for (char **variable = environ; *variable; variable++)
		add_passed_over(*variable, "environment", names);
	if (file && *file)
		look_into_file(file, spares_private, names);
}

struct hint {
	char name[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
};

static int count_of(MPI_Info info)
{
	int count = 0;

	if (info != MPI_INFO_NULL)
		MPI_Info_get_nkeys(info, &count);
	return count;
}

static bool look_up(MPI_Info info, const char *name, char *value)
{
	int found = 0;

	if (info != MPI_INFO_NULL)
		MPI_Info_get(info, name, MPI_MAX_INFO_VAL, value, &found);
	return found;
}

static struct hint hint_number(MPI_Info info, int index)
{
	struct hint hint = {0};

	MPI_Info_get_nthkey(info, index, hint.name);
	look_up(info, hint.name, hint.value);
	return hint;
}

static void add_hint(const struct hint *hint, const char *suffix, settings_add *add,
		     struct settings_sink *sink)
{
	char name[MPI_MAX_INFO_KEY + 16];

	snprintf(name, sizeof(name), "hint.%s%s", hint->name, suffix);
	add(sink, name, hint->value);
}

static void add_asked(const struct hint *asked, MPI_Info effective, settings_add *add,
		      struct settings_sink *sink)
{
	struct hint shown = *asked;

	if (look_up(effective, asked->name, shown.value)) {
		if (strcmp(shown.value, asked->value) != 0)
			add_hint(asked, ".asked", add, sink);
		return;
	}
	strcpy(shown.value, "not in effect");
	add_hint(&shown, "", add, sink);
	add_hint(asked, ".asked", add, sink);
}

/* Open MPI 4 hands out what it was given: no value of its own, and no hint passed over. */
static bool only_repeats(MPI_Info asked, MPI_Info effective)
{
	int count = count_of(asked);
	bool same = count > 0 && count_of(effective) == count;

	for (int i = 0; same && i < count; i++) {
		const struct hint hint = hint_number(asked, i);
		struct hint shown = hint;

		same = look_up(effective, hint.name, shown.value) &&
		       strcmp(shown.value, hint.value) == 0;
	}
	return same;
}

void hints_add_settings(MPI_Info asked, MPI_Info effective, settings_add *add,
			struct settings_sink *sink)
{
	if (only_repeats(asked, effective))
		add(sink, "hints",
		    "as asked for: the library shows these and no others, which does not tell "
		    "what it makes of them");
	for (int i = 0, count = count_of(effective); i < count; i++) {
		const struct hint hint = hint_number(effective, i);

		add_hint(&hint, "", add, sink);
	}
	for (int i = 0, count = count_of(asked); i < count; i++) {
		const struct hint hint = hint_number(asked, i);

		add_asked(&hint, effective, add, sink);
	}
}
