/* Replaces names of hosts, users and paths in results by hashes. */
#include "page/anonymize.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/memory.h"
#include "page/layout.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.' || c == '@';
}

/* True of words that results have, such as "write". */
static bool is_plain(const char *name)
{
	return name[strspn(name, "abcdefghijklmnopqrstuvwxyz_")] == '\0';
}

static void add_hash(const struct anonymizer *anonymizer, struct text *to, const char *name,
		     size_t length)
{
	struct text salted = {0};

	text_add(&salted, "%016" PRIx64, anonymizer->secret);
	text_add_bytes(&salted, name, length);
	text_add(to, "x%08" PRIx32, (uint32_t)(text_hash(salted.bytes, salted.length) >> 32));
	text_release(&salted);
}

/* Files of libraries say a version and nothing of their user. */
static bool is_library(const char *name, size_t length)
{
	return length > 3 && !strncmp(name, "lib", 3) && memmem(name, length, ".so", 3);
}

/* Each component by itself, so that files of one directory stay together. */
static void add_path(const struct anonymizer *anonymizer, struct text *to, const char *path,
		     size_t length)
{
	for (size_t at = 0, part; at < length; at += part) {
		for (part = 0; at + part < length && path[at + part] != '/';)
			part++;
		if (is_library(path + at, part) || (part <= 2 && !strncmp(path + at, "..", part)))
			text_add_bytes(to, path + at, part);
		else
			add_hash(anonymizer, to, path + at, part);
		for (; at + part < length && path[at + part] == '/'; part++)
			text_add_bytes(to, "/", 1);
	}
}

/* Length of the name at `at`; 0: it does not stand there. A blank may be a break of lines. */
static size_t matches(const char *at, const char *name)
{
	const char *from = at;

	for (; *name; name++)
		if (*name == ' ') {
			const size_t blanks = strspn(at, " \n");

			if (!blanks)
				return 0;
			at += blanks;
		} else if (*at++ != *name) {
			return 0;
		}
	return (size_t)(at - from);
}

/* A name ends where no longer word goes on; a point may begin the number of a task. */
static size_t find_name(const struct anonymizer *anonymizer, const char *at, const char **name)
{
	for (size_t i = 0; i < anonymizer->count; i++) {
		const size_t length = matches(at, anonymizer->names[i]);

		if (length && (at[length] == '.' || !is_word(at[length]))) {
			*name = anonymizer->names[i];
			return length;
		}
	}
	return 0;
}

/* Length of a path without blanks. */
static size_t path_length(const char *at)
{
	return strcspn(at, " \t\n\"'(),;:<>[]{}|=");
}

/* Files of the kernel have the same names everywhere. */
static size_t kernel_path(const char *at)
{
	const bool kernel = !strncmp(at, "/proc/", 6) || !strncmp(at, "/sys/", 5);

	return kernel ? path_length(at) : 0;
}

static bool is_address(const char *word, size_t length)
{
	unsigned a, b, c, d;
	int used = 0;

	return sscanf(word, "%3u.%3u.%3u.%3u%n", &a, &b, &c, &d, &used) == 4 &&
	       (size_t)used == length && a < 256 && b < 256 && c < 256 && d < 256;
}

/* The word before the path of an export, "server:/export", and "user@host", are names too. */
static bool is_private_word(const char *word, size_t length)
{
	return memchr(word, '@', length) || is_address(word, length) ||
	       (word[length] == ':' && word[length + 1] == '/' && word[length + 2] != '/');
}

/* One word, whole; returns its length. */
static size_t take_word(const struct anonymizer *anonymizer, const char *at, struct text *to)
{
	size_t length = 0;

	while (is_word(at[length]))
		length++;
	if (length > 5 && !strncmp(at + length - 4, "addr", 4) && at[length] == '=') {
		const size_t address = strcspn(at + length + 1, ", \n\"");

		text_add_bytes(to, at, length + 1);
		add_hash(anonymizer, to, at + length + 1, address);
		return length + 1 + address;
	}
	while (length > 1 && at[length - 1] == '.')
		length--;
	if (is_private_word(at, length))
		add_hash(anonymizer, to, at, length);
	else
		text_add_bytes(to, at, length);
	return length;
}

/* A slash begins a path unless it divides words, as in "MiB/s"; "-I/usr" is an option's path. */
static bool begins_path(const char *from, const char *at)
{
	const char *word = at;

	if (*at != '/' || kernel_path(at))
		return false;
	while (word > from && is_word(word[-1]))
		word--;
	return word == at ? at == from || at[-1] != ')' : *word == '-' || at[-1] == '.';
}

static void replace(const struct anonymizer *anonymizer, const char *from, struct text *to)
{
	for (const char *at = from; *at;) {
		const bool starts = at == from || (!is_word(at[-1]) && at[-1] != '/');
		const char *name;
		size_t length = starts || *at == '/' ? find_name(anonymizer, at, &name) : 0;

		if (length) {
			const size_t rest = at[length] == '/' ? path_length(at + length) : 0;

			add_path(anonymizer, to, name, strlen(name));
			add_path(anonymizer, to, at + length, rest);
			length += rest;
		} else if (begins_path(from, at)) {
			length = path_length(at);
			add_path(anonymizer, to, at, length);
		} else if ((length = kernel_path(at))) {
			text_add_bytes(to, at, length);
		} else if (is_word(*at)) {
			length = take_word(anonymizer, at, to);
		} else {
			length = 1;
			text_add_bytes(to, at, length);
		}
		at += length;
	}
}

/* Joins lines that were broken within a long path, which fills the first of them. */
static void join_lines(const char *from, struct text *to)
{
	while (*from) {
		const size_t length = strcspn(from, "\n");
		const char *next = from + length + (from[length] == '\n');
		const char *word = length ? memrchr(from, ' ', length) : NULL;
		const bool breaks = length >= COLUMNS && word && *next == ' ' &&
				    memchr(word, '/', (size_t)(from + length - word));

		text_add_bytes(to, from, length);
		if (breaks)
			next += strspn(next, " ");
		else if (from[length])
			text_add_bytes(to, "\n", 1);
		from = next;
	}
}

void anonymize_text(const struct anonymizer *anonymizer, const char *from, struct text *to)
{
	struct text joined = {0};

	join_lines(from, &joined);
	replace(anonymizer, text_string(&joined), to);
	text_release(&joined);
}

/* True of members whose texts are names, also where these are plain words. */
static bool holds_names(const char *key)
{
	static const char *const keys[] = {"host",	"hosts",    "node",  "value",
					   "test_file", "job_file", "source"};

	for (size_t i = 0; key && i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcmp(key, keys[i]))
			return true;
	return false;
}

bool anonymize_source(const struct anonymizer *anonymizer, const char *type, const char *source,
		      struct text *to)
{
	if (!anonymizer->wanted || !*source || strchr(source, '/') || !strcmp(source, type))
		return false;
	add_hash(anonymizer, to, source, strlen(source));
	return true;
}

static bool is_name(const struct anonymizer *anonymizer, const char *text)
{
	for (size_t i = 0; i < anonymizer->count; i++)
		if (!strcmp(anonymizer->names[i], text))
			return true;
	return false;
}

/* Where a text stands: its key, that of the object around it, and the fact that it is about. */
struct spot {
	const char *key, *parent, *about;
};

/*
 * True of a member that is a name as a whole: one that the first pattern of a row names, with a
 * text like the second. Schedulers name jobs, partitions and lists of nodes. A variable may hold a
 * file anywhere.
 */
static bool is_whole_name(const struct spot *spot, const char *text)
{
	static const char *const patterns[][2] = {
		{"scheduler/*", "*[!0-9]*"},	   {"variables/*", "*/*"},
		{"*/variable.*", "*/*"},	   {"*/target*.source", "*"},
		{"metadata.find_name/value", "*"},
	};
	const char *key = spot->about ? spot->about : spot->key;
	char member[512];

	if (!key)
		return false;
	snprintf(member, sizeof(member), "%s/%s", spot->parent ? spot->parent : "", key);
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		if (!fnmatch(patterns[i][0], member, 0) && !fnmatch(patterns[i][1], text, 0))
			return true;
	return false;
}

static void replace_string(const struct anonymizer *anonymizer, const struct spot *spot,
			   json_t *value)
{
	const char *text = json_string_value(value);
	struct text changed = {0};

	/* Keys of what nodes say are words of iorx, and `about` points to them. */
	if (spot->key && !strcmp(spot->key, "key"))
		return;
	if (is_whole_name(spot, text))
		add_hash(anonymizer, &changed, text, strlen(text));
	else if (!is_plain(text))
		replace(anonymizer, text, &changed);
	else if (holds_names(spot->key) && is_name(anonymizer, text))
		add_hash(anonymizer, &changed, text, strlen(text));
	else
		return;
	json_string_setn(value, text_string(&changed), changed.length);
	text_release(&changed);
}

static void walk(const struct anonymizer *anonymizer, struct spot spot, json_t *value)
{
	const char *about = json_string_value(json_object_get(value, "key")), *key;
	json_t *inner;
	size_t number;

	if (json_is_string(value))
		replace_string(anonymizer, &spot, value);
	about = about ? about : spot.about;
	json_array_foreach(value, number, inner) walk(anonymizer, spot, inner);
	json_object_foreach(value, key, inner)
	{
		walk(anonymizer, (struct spot){key, spot.key, about}, inner);
	}
}

void anonymize_json(const struct anonymizer *anonymizer, json_t *value)
{
	if (anonymizer->wanted)
		walk(anonymizer, (struct spot){NULL}, value);
}

/* --- the names that are known beforehand --- */

static int compare_lengths(const void *a, const void *b)
{
	const size_t one = strlen(*(char *const *)a), other = strlen(*(char *const *)b);

	return (one < other) - (one > other);
}

static void add_name(struct anonymizer *anonymizer, const char *name)
{
	if (!*name || is_name(anonymizer, name))
		return;
	anonymizer->names = memory_grow(anonymizer->names,
					(anonymizer->count + 1) * sizeof(*anonymizer->names));
	anonymizer->names[anonymizer->count++] = text_copy(name);
	qsort(anonymizer->names, anonymizer->count, sizeof(*anonymizer->names), compare_lengths);
}

void anonymizer_add(struct anonymizer *anonymizer, const char *name)
{
	if (anonymizer->wanted && !is_plain(name))
		add_name(anonymizer, name);
}

/* A host's full name, and the short one that launchers and schedulers use. */
static void add_host(struct anonymizer *anonymizer, const char *host)
{
	char *name = text_copy(host);

	add_name(anonymizer, name);
	name[strcspn(name, ".")] = '\0';
	add_name(anonymizer, name);
	free(name);
}

static void add_user(struct anonymizer *anonymizer)
{
	const struct passwd *user = getpwuid(getuid());
	const char *const others[] = {getenv("USER"), getenv("LOGNAME"), getenv("SUDO_USER")};

	if (user)
		add_name(anonymizer, user->pw_name);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (others[i])
			add_name(anonymizer, others[i]);
}

/*
 * A path and the directories above it, as messages name them too. What begins with a slash and has
 * no blank is found without.
 */
static int add_file(struct anonymizer *anonymizer, const char *key, const char *name,
		    struct error *err)
{
	char *path = text_copy(name), *slash;

	if (is_plain(path)) {
		error_input(err,
			    "%s: anonymize cannot tell the name '%.100s' from a word of the "
			    "result; write it as './%.100s'",
			    key, path, path);
		free(path);
		return -1;
	}
	do {
		if (!is_plain(path) && strspn(path, "./") < strlen(path) &&
		    (*path != '/' || strchr(path, ' ')))
			add_name(anonymizer, path);
		slash = strrchr(path, '/');
		if (slash)
			*slash = '\0';
	} while (slash && *path);
	free(path);
	return 0;
}

static bool is_file(const struct option *row)
{
	static const char *const arguments[] = {"FILE", "DIR", "PATH", "PREFIX"};

	for (size_t i = 0; row->argument && i < sizeof(arguments) / sizeof(*arguments); i++)
		if (!strncmp(row->argument, arguments[i], strlen(arguments[i])))
			return true;
	return false;
}

/* The value may be a list, as of several paths, and of output files. */
static int add_files(struct anonymizer *anonymizer, const struct option *row, const char *value,
		     struct error *err)
{
	char *copy = text_copy(value), *rest = copy, *name;
	int ret = 0;

	while (!ret && (name = strsep(&rest, "@,"))) {
		name += strspn(name, " ");
		if (*name && strcmp(name, "none"))
			ret = add_file(anonymizer, row->name, name, err);
	}
	free(copy);
	return ret;
}

static int add_options(struct anonymizer *anonymizer, const struct option_set *set,
		       struct error *err)
{
	for (size_t i = 0; set && i < set->table->count; i++) {
		const struct option *row = &set->table->rows[i];
		const char *value;

		if (row->type != OPTION_STRING)
			continue;
		value = *(const char *const *)((const char *)set->values + row->offset);
		if (!value || !*value || (row->initial && !strcmp(value, row->initial)))
			continue;
		if (row->runs_command || strchr(value, ' '))
			anonymizer_add(anonymizer, value);
		if (is_file(row) && add_files(anonymizer, row, value, err))
			return -1;
	}
	return 0;
}

static int add_test(struct anonymizer *anonymizer, const struct test_spec *spec, struct error *err)
{
	if (add_options(anonymizer, &spec->core, err) ||
	    add_options(anonymizer, own_set_of(spec), err))
		return -1;
	for (size_t i = 0; i < spec->backend_count; i++)
		if (add_options(anonymizer, &spec->backends[i], err))
			return -1;
	return 0;
}

int anonymizer_init(struct anonymizer *anonymizer, const struct job *job,
		    const char (*hosts)[HOST_NAME_SIZE], uint32_t host_count, struct error *err)
{
	const struct run *run = job->run.values;

	*anonymizer = (struct anonymizer){.wanted = run->anonymize};
	if (!run->anonymize)
		return 0;
	if (getrandom(&anonymizer->secret, sizeof(anonymizer->secret), 0) < 0)
		return error_set(err, errno, "anonymize: getrandom: %s", strerror(errno));
	add_user(anonymizer);
	for (uint32_t i = 0; hosts && i < host_count; i++)
		add_host(anonymizer, hosts[i]);
	if ((job->source && add_file(anonymizer, "script", job->source, err)) ||
	    add_options(anonymizer, &job->run, err))
		return -1;
	for (size_t i = 0; i < job->test_count; i++)
		if (add_test(anonymizer, &job->tests[i], err))
			return -1;
	return 0;
}

void anonymizer_release(struct anonymizer *anonymizer)
{
	for (size_t i = 0; i < anonymizer->count; i++)
		free(anonymizer->names[i]);
	free(anonymizer->names);
	*anonymizer = (struct anonymizer){0};
}
