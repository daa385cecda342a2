/* The script of IOR: blocks such as IOR START … IOR STOP, RUN, key = value. */
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
	bool inside;   /* a block IOR START …, MDTEST START … */
	bool any;      /* there was a block */
	bool pending;  /* settings since the last RUN */
	bool ran;      /* the block had a RUN */
	struct test_spec current;
	struct test_spec common; /* of a set: what its members begin with */
	unsigned set, sets;	 /* number of the set that is read, 0: none; sets so far */
	unsigned set_line;	 /* of its TOGETHER START */
};

static int at_line(const struct script *script, unsigned column, struct error *err)
{
	return job_add_origin(
		script->job,
		(struct origin){.kind = ORIGIN_FILE, .line = script->line, .column = column}, err);
}

/* Finds the end of two words at the start of a line; second NULL: one word. NULL: other words. */
static const char *behind_words(const char *line, const char *end, const char *first,
				const char *second)
{
	const char *words[] = {first, second};

	for (size_t i = 0; i < 2 && words[i]; i++) {
		size_t length = strlen(words[i]);

		while (line < end && isblank((unsigned char)*line))
			line++;
		if ((size_t)(end - line) < length || strncasecmp(line, words[i], length))
			return NULL;
		line += length;
		if (line < end && !isblank((unsigned char)*line) && *line != '#')
			return NULL;
	}
	return line;
}

/* True if the line holds the words, separated by blanks, and perhaps a comment. */
static bool is_words(const char *line, const char *end, const char *first, const char *second)
{
	line = behind_words(line, end, first, second);
	while (line && line < end && isblank((unsigned char)*line))
		line++;
	return line && (line == end || *line == '#');
}

static void start_block(struct script *script, enum workload workload)
{
	script->inside = script->any = script->pending = true;
	script->ran = false;
	if (script->set)
		test_spec_copy(&script->current, &script->common);
	else
		test_spec_init(&script->current, script->job->vocabulary);
	script->current.workload = workload;
}

/* The workload whose block the line starts or stops, as `action` says: "START"; -1: none. */
static int find_block(const char *line, const char *end, const char *action)
{
	for (int i = 0; i < WORKLOADS; i++)
		if (is_words(line, end, workload_words[i].block, action))
			return i;
	return -1;
}

static void run_test(struct script *script)
{
	job_add_test(script->job, &script->current)->line = script->line;
	script->pending = false;
	script->ran = true;
}

/* Settings after the last RUN make a test too, also in a block without RUN. */
static void stop_block(struct script *script)
{
	if (script->pending)
		run_test(script);
	script->inside = false;
	test_spec_release(&script->current);
}

/*
 * Settings between TOGETHER START and the first block are defaults of all members. Those that only
 * loads have are defaults of the members that are loads.
 */
static void choose_workload(struct script *script, const char *key)
{
	if (!script->inside)
		script->common.workload = option_find(&load_options, key)
						  ? WORKLOAD_LOAD
						  : script->job->vocabulary->workload;
}

static int script_assign(struct script *script, const struct pair *pair, struct error *err)
{
	struct origin origin = {.kind = ORIGIN_FILE, .line = script->line, .column = pair->column};
	struct test_spec *spec = script->inside ? &script->current : &script->common;
	char *key = text_copy_n(pair->key, pair->key_length);
	char *value = pair->value ? text_copy_n(pair->value, pair->value_length) : NULL;

	choose_workload(script, key);
	int ret = value ? definitions_expand(script->job, &value, err) : 0;

	if (ret)
		error_add(err, "%s", key);
	else if (!script->inside || !set_take_share(spec, key, value))
		ret = job_assign(script->job, spec, key, value, origin, err);

	free(key);
	free(value);
	script->pending = true;
	return ret;
}

/* Takes the settings of a line from `at` on; columns count from the begin of the line. */
static int assign_all(struct script *script, const char *line, const char *at, const char *end,
		      struct error *err)
{
	struct pairs pairs = {.line = line, .end = end, .at = at, .script = true};
	struct pair pair;
	int ret;

	while ((ret = pairs_next(&pairs, &pair, err)) > 0)
		if (script_assign(script, &pair, err))
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
	const int stopped = find_block(line, end, "STOP");
	const char *block;

	if (check_characters(script, line, end, err))
		return -1;
	if (stopped == (int)script->current.workload) {
		stop_block(script);
		return 0;
	}
	if (is_words(line, end, "RUN", NULL)) {
		if (script->set && script->ran) {
			error_input(err,
				    "a member of TOGETHER is one test, so its block has one RUN");
			return at_line(script, 0, err);
		}
		run_test(script);
		return 0;
	}
	block = workload_words[script->current.workload].block;
	if (stopped >= 0) {
		error_input(err, "this block ends with %s STOP", block);
		return at_line(script, 0, err);
	}
	if (find_block(line, end, "START") < 0)
		return assign_all(script, line, line, end, err);
	error_input(err, "a block starts inside a block; %s STOP is missing before it", block);
	return at_line(script, 0, err);
}

static int start_set(struct script *script, const char *line, const char *settings, const char *end,
		     struct error *err)
{
	if (script->set) {
		error_input(err, "a set starts inside a set; TOGETHER STOP is missing before it");
		return at_line(script, 0, err);
	}
	test_spec_init(&script->common, script->job->vocabulary);
	script->set = ++script->sets;
	script->set_line = script->line;
	script->common.set = (struct membership){.number = script->set, .line = script->line};
	return assign_all(script, line, settings, end, err);
}

static void stop_set(struct script *script)
{
	script->set = 0;
	test_spec_release(&script->common);
}

static int read_outside(struct script *script, const char *line, const char *end, struct error *err)
{
	const int workload = find_block(line, end, "START");
	const char *settings = behind_words(line, end, "TOGETHER", "START");

	if (workload >= 0)
		start_block(script, (enum workload)workload);
	else if (settings)
		return start_set(script, line, settings, end, err);
	else if (script->set && is_words(line, end, "TOGETHER", "STOP"))
		stop_set(script);
	else if (script->set)
		return assign_all(script, line, line, end, err);
	return 0;
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
		if (script->inside ? read_inside(script, at, last, err)
				   : read_outside(script, at, last, err))
			return -1;
		at = next;
	}
	if (script->inside)
		stop_block(script);
	if (script->set)
		return error_input(err, "%.300s:%u: TOGETHER STOP is missing", script->name,
				   script->set_line);
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

static int refuse_without_block(const char *name, const char *bytes, const char *end,
				struct error *err)
{
	const char *program = foreign_program(bytes, end);

	if (bytes == end && !strcmp(name, "-"))
		return error_input(err, "-: standard input is empty; the program that was to write "
					"the job says why");
	if (program)
		return error_input(err,
				   "%.300s: this is a job file of %s; translate it: iorx-translate "
				   "%.300s | mpiexec -n N iorx -f -",
				   name, program, name);
	return error_input(err,
			   "%.300s: there is no line IOR START, MDTEST START, LOAD START or "
			   "TOGETHER START; a job file has blocks such as IOR START … IOR STOP "
			   "with lines key = value",
			   name);
}

int script_parse(const char *name, const char *bytes, size_t length, struct job *job,
		 struct error *err)
{
	static const char byte_order_mark[] = "\xef\xbb\xbf";
	struct script script = {.name = name, .job = job};
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
	if (script.set)
		stop_set(&script);
	if (ret || script.any)
		return ret;
	return refuse_without_block(name, bytes, end, err);
}
