/* Finds mount points in a kernel table, so that no directory has to be asked. */
#include "engine/metadata/mounts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* Replaces octal escapes in place, such as "\040" for a blank. */
static void unescape(char *path)
{
	char *to = path;

	for (const char *from = path; *from; to++) {
		unsigned octal;

		if (*from == '\\' && sscanf(from + 1, "%3o", &octal) == 1) {
			*to = (char)octal;
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

/* Adds a mount point below `real`, named as a path below `directory`. */
static void add_if_below(struct mounts *mounts, const char *directory, const char *real,
			 const char *point)
{
	size_t length = strcmp(real, "/") ? strlen(real) : 0;
	size_t own = strcmp(directory, "/") ? strlen(directory) : 0;
	struct text path = {0};

	if (strncmp(point, real, length) || point[length] != '/' || !point[length + 1])
		return;
	text_add_bytes(&path, directory, own);
	text_add(&path, "%s", point + length);
	mounts->paths = memory_grow(mounts->paths, (mounts->count + 1) * sizeof(*mounts->paths));
	mounts->paths[mounts->count++] = path.bytes;
}

void mounts_below(struct mounts *mounts, const char *directory)
{
	FILE *table = fopen("/proc/self/mountinfo", "re");
	char *real = realpath(directory, NULL), *line = NULL, *point;
	size_t room = 0;

	while (table && real && getline(&line, &room, table) > 0) {
		/* 36 35 98:0 /root /mount/point options … */
		point = NULL;
		if (sscanf(line, "%*s %*s %*s %*s %ms", &point) != 1)
			continue;
		unescape(point);
		add_if_below(mounts, directory, real, point);
		free(point);
	}
	if (table)
		fclose(table);
	free(line);
	free(real);
}

bool mounts_have(const struct mounts *mounts, const char *path)
{
	for (size_t i = 0; i < mounts->count; i++)
		if (!strcmp(mounts->paths[i], path))
			return true;
	return false;
}

void mounts_release(struct mounts *mounts)
{
	for (size_t i = 0; i < mounts->count; i++)
		free(mounts->paths[i]);
	free(mounts->paths);
	*mounts = (struct mounts){0};
}
