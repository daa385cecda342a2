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

/* Length of a path without blanks. */
static size_t path_length(const char *at)
{
	return strcspn(at, " \t\n\"'(),;:<>[]{}|=");
}

/*
 * Each component by itself, so that files of one directory stay together. Files of the kernel have
 * the same names everywhere.
 */
static void add_path(const struct anonymizer *anonymizer, struct text *to, const char *path,
		     size_t length)
{
	const bool kernel = !strncmp(path, "/proc/", 6) || !strncmp(path, "/sys/", 5);

	for (size_t at = 0, part; at < length; at += part) {
		part = strcspn(path + at, "/");
		part = part < length - at ? part : length - at;
		if (kernel || is_library(path + at, part) ||
		    (part <= 2 && !strncmp(path + at, "..", part)))
			text_add_bytes(to, path + at, part);
		else
			add_hash(anonymizer, to, path + at, part);
		for (; at + part < length && path[at + part] == '/'; part++)
			text_add_bytes(to, "/", 1);
	}
}

/*
 * Length of the name that stands at `at`; 0: there is none. A name ends where no longer word goes
 * on; a point may begin the number of a task.
 */
static size_t name_length(const struct anonymizer *anonymizer, const char *at)
{
	for (size_t i = 0; i < anonymizer->count; i++) {
		const size_t length = strlen(anonymizer->names[i]);

		if (!strncmp(at, anonymizer->names[i], length) &&
		    (at[length] == '.' || !is_word(at[length])))
			return length;
	}
	return 0;
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

	if (*at != '/')
		return false;
	while (word > from && is_word(word[-1]))
		word--;
	return word == at ? at == from || at[-1] != ')' : *word == '-' || at[-1] == '.';
}

static void replace(const struct anonymizer *anonymizer, const char *from, struct text *to)
{
	size_t length;

	for (const char *at = from; *at; at += length) {
		const bool starts = at == from || (!is_word(at[-1]) && at[-1] != '/');
		const size_t name = starts || *at == '/' ? name_length(anonymizer, at) : 0;

		if (name || begins_path(from, at)) {
			length = name + (at[name] == '/' ? path_length(at + name) : 0);
			add_path(anonymizer, to, at, length);
		} else if (is_word(*at)) {
			length = take_word(anonymizer, at, to);
		} else {
			length = 1;
			text_add_bytes(to, at, length);
		}
	}
}

void anonymize_text(const struct anonymizer *anonymizer, struct text *words)
{
	struct text shown = {0};

	if (!anonymizer || !anonymizer->wanted || !words->length)
		return;
	replace(anonymizer, words->bytes, &shown);
	text_release(words);
	*words = shown;
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

static bool anonymize_is_name(const struct anonymizer *anonymizer, const char *text)
{
	for (size_t i = 0; i < anonymizer->count; i++)
		if (!strcmp(anonymizer->names[i], text))
			return true;
	return false;
}

/* Where a text stands: its key, that of the object around it, the fact and the type beside it. */
struct spot {
	const char *key, *parent, *about, *type;
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

/* True of a mount's source that is one word, but not that of its type, such as "tmpfs". */
static bool is_source(const struct spot *spot, const char *text)
{
	return spot->type && !strcmp(spot->key, "source") && strcmp(spot->type, text) != 0;
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
	else if (is_source(spot, text) ||
		 (holds_names(spot->key) && anonymize_is_name(anonymizer, text)))
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
		walk(anonymizer,
		     (struct spot){key, spot.key, about,
				   json_string_value(json_object_get(value, "type"))},
		     inner);
	}
}

void anonymize_line(const struct anonymizer *anonymizer, json_t *line)
{
	if (anonymizer->wanted)
		walk(anonymizer, (struct spot){.key = NULL}, line);
}

/* --- the names that are known beforehand --- */

static int compare_lengths(const void *a, const void *b)
{
	const size_t one = strlen(*(char *const *)a), other = strlen(*(char *const *)b);

	return (one < other) - (one > other);
}

static void add_name(struct anonymizer *anonymizer, const char *name)
{
	if (!*name || anonymize_is_name(anonymizer, name))
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
static void add_host(struct anonymizer *anonymizer, uint32_t node, const char *host)
{
	struct text hash = {0};
	char *name = text_copy(host);

	add_hash(anonymizer, &hash, host, strlen(host));
	snprintf(anonymizer->hosts[node], HOST_NAME_SIZE, "%s", text_string(&hash));
	text_release(&hash);
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
static int anonymize_add_file(struct anonymizer *anonymizer, const char *key, const char *name,
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
static int anonymize_add_files(struct anonymizer *anonymizer, const struct option *row,
			       const char *value, struct error *err)
{
	char *copy = text_copy(value), *rest = copy, *name;
	int ret = 0;

	while (!ret && (name = strsep(&rest, "@,"))) {
		name += strspn(name, " ");
		if (*name && strcmp(name, "none"))
			ret = anonymize_add_file(anonymizer, row->name, name, err);
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
		if (is_file(row) && anonymize_add_files(anonymizer, row, value, err))
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
	if (hosts)
		anonymizer->hosts = memory_allocate(host_count, sizeof(*anonymizer->hosts));
	for (uint32_t i = 0; hosts && i < host_count; i++)
		add_host(anonymizer, i, hosts[i]);
	if ((job->source && anonymize_add_file(anonymizer, "script", job->source, err)) ||
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
	free(anonymizer->hosts);
	*anonymizer = (struct anonymizer){0};
}
