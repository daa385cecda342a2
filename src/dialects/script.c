/* The script of IOR: blocks IOR START … IOR STOP and MDTEST START … MDTEST STOP, RUN, key = value. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "dialects/dialect.h"
#include "dialects/pairs.h"

struct script {
	const char *name;
	struct job *job;
	unsigned line; /* number of the one being read, from 1 */
	bool inside;   /* a block IOR START … or MDTEST START … */
	bool any;      /* there was a block */
	bool pending;  /* settings since the last RUN */
	struct test_spec current;
};

static int at_line(const struct script *script, unsigned column, struct error *err)
{
	if (column)
		return error_add(err, "%.300s:%u:%u", script->name, script->line, column);
	return error_add(err, "%.300s:%u", script->name, script->line);
}

/* True when the line holds the words, separated by blanks, and perhaps a comment. */
static bool is_words(const char *line, const char *end, const char *first, const char *second)
{
	const char *words[] = { first, second };

	for (size_t i = 0; i < 2 && words[i]; i++) {
		size_t length = strlen(words[i]);

		while (line < end && isblank((unsigned char)*line))
			line++;
		if ((size_t)(end - line) < length || strncasecmp(line, words[i], length))
			return false;
		line += length;
		if (line < end && !isblank((unsigned char)*line) && *line != '#')
			return false;
	}
	while (line < end && isblank((unsigned char)*line))
		line++;
	return line == end || *line == '#';
}

static void start_block(struct script *script, enum workload workload)
{
	script->inside = script->any = script->pending = true;
	test_spec_init(&script->current, script->job->vocabulary);
	script->current.workload = workload;
}

/* The word that starts a block of such tests. */
static const char *block_name(enum workload workload)
{
	return workload == WORKLOAD_METADATA ? "MDTEST" : "IOR";
}

static void run_test(struct script *script)
{
	job_add_test(script->job, &script->current)->line = script->line;
	script->pending = false;
}

/* Settings after the last RUN make a test too, also in a block without RUN. */
static void stop_block(struct script *script)
{
	if (script->pending)
		run_test(script);
	script->inside = false;
	test_spec_release(&script->current);
}

static int assign(struct script *script, const struct pair *pair, struct error *err)
{
	struct origin origin = { .kind = ORIGIN_FILE, .line = script->line, .column = pair->column };
	char *key = text_copy_n(pair->key, pair->key_length);
	char *value = pair->value ? text_copy_n(pair->value, pair->value_length) : NULL;
	int ret = job_assign(script->job, &script->current, key, value, origin, err);

	free(key);
	free(value);
	script->pending = true;
	return ret;
}

static int assign_all(struct script *script, const char *line, const char *end, struct error *err)
{
	struct pairs pairs = { .line = line, .end = end, .at = line, .script = true };
	struct pair pair;
	int ret;

	while ((ret = pairs_next(&pairs, &pair, err)) > 0)
		if (assign(script, &pair, err))
			return at_line(script, pair.column, err);
	return ret < 0 ? at_line(script, pair.column, err) : 0;
}

/*
 * Refuses control characters, as they are never meant and messages would print them to the
 * terminal.
 */
static int check_characters(const struct script *script, const char *line, const char *end,
			    struct error *err)
{
	for (const char *at = line; at < end; at++) {
		if (!iscntrl((unsigned char)*at) || *at == '\t')
			continue;
		error_input(err, "a control character (0x%02x); is this a text file?",
			    (unsigned)(unsigned char)*at);
		return at_line(script, (unsigned)(at - line) + 1, err);
	}
	return 0;
}

static int read_inside(struct script *script, const char *line, const char *end, struct error *err)
{
	if (check_characters(script, line, end, err))
		return -1;
	if (is_words(line, end, block_name(script->current.workload), "STOP")) {
		stop_block(script);
		return 0;
	}
	if (is_words(line, end, "RUN", NULL)) {
		run_test(script);
		return 0;
	}
	if (is_words(line, end, "IOR", "STOP") || is_words(line, end, "MDTEST", "STOP")) {
		error_input(err, "this block ends with %s STOP", block_name(script->current.workload));
		return at_line(script, 0, err);
	}
	if (!is_words(line, end, "IOR", "START") && !is_words(line, end, "MDTEST", "START"))
		return assign_all(script, line, end, err);
	error_input(err, "a block starts inside a block; %s STOP is missing before it",
		    block_name(script->current.workload));
	return at_line(script, 0, err);
}

static void read_outside(struct script *script, const char *line, const char *end)
{
	if (is_words(line, end, "IOR", "START"))
		start_block(script, WORKLOAD_DATA);
	else if (is_words(line, end, "MDTEST", "START"))
		start_block(script, WORKLOAD_METADATA);
}

static int read_lines(struct script *script, const char *at, const char *end, struct error *err)
{
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *next = newline ? newline + 1 : end;
		const char *last = newline ? newline : end;

		script->line++;
		if (last > at && last[-1] == '\r')
			last--;
		if (!script->inside)
			read_outside(script, at, last);
		else if (read_inside(script, at, last, err))
			return -1;
		at = next;
	}
	if (script->inside)
		stop_block(script);
	return 0;
}

static int refuse_nul(const char *name, const char *bytes, const char *nul, struct error *err)
{
	unsigned line = 1, column = 1;

	for (const char *at = bytes; at < nul; at++) {
		line += *at == '\n';
		column = *at == '\n' ? 1 : column + 1;
	}
	return error_input(err, "%.300s:%u:%u: a NUL byte; is this a text file?", name, line,
			   column);
}

int script_parse(const char *name, const char *bytes, size_t length, struct job *job,
		 struct error *err)
{
	static const char byte_order_mark[] = "\xef\xbb\xbf";
	struct script script = { .name = name, .job = job };
	const char *nul = length ? memchr(bytes, '\0', length) : NULL;
	const char *end = bytes + length;
	int ret;

	free(job->source);
	job->source = text_copy(name);
	if (nul)
		return refuse_nul(name, bytes, nul, err);
	free(job->text);
	job->text = text_copy_n(bytes, length);
	if (length >= 3 && !memcmp(bytes, byte_order_mark, 3))
		bytes += 3;
	ret = read_lines(&script, bytes, end, err);
	if (script.inside)
		test_spec_release(&script.current);
	if (ret || script.any)
		return ret;
	return error_input(err, "%.300s: there is no line IOR START; a script is a block "
				"IOR START … IOR STOP with lines key = value", name);
}
