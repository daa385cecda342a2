/* Paths that a find could not look at. */
#include "measure/unread.h"

#include <string.h>

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
