/* What a find could not look at: the first few by their paths, whoever came to them. Plain memory. */
#ifndef MEASURE_UNREAD_H
#define MEASURE_UNREAD_H

#include <stdint.h>

enum { UNREAD_NAMED = 5, UNREAD_PATH = 256 };

struct unread {
	uint32_t operation; /* enum operation */
	uint32_t code;      /* errno, 0: none is known */
	char path[UNREAD_PATH]; /* shortened from the left when longer; empty: none */
};

/* Keeps it in its order, where it is one of the first. list: UNREAD_NAMED of them. */
void unread_add(struct unread *list, const struct unread *next);
void unread_merge(struct unread *into, const struct unread *from);

#endif
