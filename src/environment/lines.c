/* The environment of a node as text. */
#include "environment/lines.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

void lines_read_file(const char *path, char *buffer, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, buffer, size - 1);

	if (fd >= 0)
		close(fd);
	buffer[got > 0 ? got : 0] = '\0';
}

void lines_each_entry(struct text *lines, const char *folder,
		      void (*visit)(struct text *, const char *, const char *))
{
	DIR *entries = opendir(folder);
	const struct dirent *entry;

	while (entries && (entry = readdir(entries)))
		if (*entry->d_name != '.')
			visit(lines, folder, entry->d_name);
	if (entries)
		closedir(entries);
}

void lines_add(struct text *lines, const char *key, const char *value)
{
	struct text plain = {0};

	for (const char *at = value; *at; at++)
		if (!isspace((unsigned char)*at))
			text_add_bytes(&plain, at, 1);
		else if (plain.length && at[1] && !isspace((unsigned char)at[1]))
			text_add_bytes(&plain, " ", 1);
	if (plain.length > LINE_VALUE) {
		const uint64_t hash = text_hash(plain.bytes, plain.length);

		plain.length = LINE_VALUE - 20;
		text_add(&plain, "... %016" PRIx64, hash);
	}
	if (plain.length)
		text_add(lines, "%s=%s\n", key, plain.bytes);
	text_release(&plain);
}

void lines_add_format(struct text *lines, const char *key, const char *format, ...)
{
	char value[LINE_VALUE + 1];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(value, sizeof(value), format, arguments);
	va_end(arguments);
	lines_add(lines, key, value);
}

void lines_add_file(struct text *lines, const char *key, const char *path)
{
	char value[LINE_VALUE + 1];

	lines_read_file(path, value, sizeof(value));
	value[strcspn(value, "\n")] = '\0';
	lines_add(lines, key, value);
}

void lines_add_choice(struct text *lines, const char *key, const char *path)
{
	char value[LINE_VALUE + 1];
	char *open, *close;

	lines_read_file(path, value, sizeof(value));
	open = strchr(value, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close)
		*close = '\0';
	lines_add(lines, key, close ? open + 1 : value);
}

static int lines_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void lines_sort(struct text *lines)
{
	char *copy = text_copy(text_string(lines)), *rest = copy, *line;
	size_t count = 0, most = 1;

	for (const char *at = copy; (at = strchr(at, '\n')); at++)
		most++;
	char **sorted = memory_allocate(most, sizeof(*sorted));

	while ((line = strsep(&rest, "\n")) && *line)
		sorted[count++] = line;
	qsort(sorted, count, sizeof(*sorted), lines_compare);
	text_clear(lines);
	for (size_t i = 0; i < count; i++)
		text_add(lines, "%s\n", sorted[i]);
	free(sorted);
	free(copy);
}

struct lines_hash lines_hash(const struct text *lines)
{
	struct text salted = {0};
	struct lines_hash hash = {{text_hash(text_string(lines), lines->length)}};

	text_add(&salted, "iorx\n%s", text_string(lines));
	hash.words[1] = text_hash(salted.bytes, salted.length);
	text_release(&salted);
	return hash;
}

void lines_add_range(struct text *value, size_t count, bool (*has)(const void *, size_t),
		     const void *context)
{
	for (size_t first = 0; first < count; first++) {
		size_t last = first;

		if (!has(context, first))
			continue;
		while (last + 1 < count && has(context, last + 1))
			last++;
		text_add(value, "%s%zu", value->length ? "," : "", first);
		if (last > first)
			text_add(value, "-%zu", last);
		first = last;
	}
}
