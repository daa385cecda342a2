/*
 * Paths that a find could not look at: the first few by path, whichever task met them. Plain
 * memory.
 */
#ifndef MEASURE_UNREAD_H
#define MEASURE_UNREAD_H

#include <stdint.h>

enum { UNREAD_NAMED = 5, UNREAD_PATH = 256 };

struct unread {
	uint32_t operation;	/* enum operation */
	uint32_t code;		/* errno; 0: not known */
	char path[UNREAD_PATH]; /* shortened from the left when longer; empty: unused */
};

/*
 * Inserts `next` into the sorted list if it is among the first. The list has UNREAD_NAMED entries.
 */
void unread_add(struct unread *list, const struct unread *next);
void unread_merge(struct unread *into, const struct unread *from);

#endif
