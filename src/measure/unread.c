/* What a find could not look at. */
#include "measure/unread.h"

#include <stdio.h>
#include <string.h>

void unread_name(struct unread *unread, const char *path)
{
	size_t whole = strlen(path);

	/* The end of a long path tells more than its start. */
	if (whole < UNREAD_PATH)
		memcpy(unread->path, path, whole + 1);
	else
		snprintf(unread->path, UNREAD_PATH, "...%s", path + whole - (UNREAD_PATH - 4));
}

void unread_add(struct unread *list, const struct unread *next)
{
	unsigned at = 0;

	while (at < UNREAD_NAMED && *list[at].path && strcmp(list[at].path, next->path) <= 0)
		at++;
	if (at == UNREAD_NAMED)
		return;
	memmove(&list[at + 1], &list[at], (UNREAD_NAMED - 1 - at) * sizeof(*list));
	list[at] = *next;
}

void unread_merge(struct unread *into, const struct unread *from)
{
	for (unsigned i = 0; i < UNREAD_NAMED && *from[i].path; i++)
		unread_add(into, &from[i]);
}
