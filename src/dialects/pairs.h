/* Splits "key = value, key = value", for all dialects. */
#ifndef DIALECTS_PAIRS_H
#define DIALECTS_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct pairs {
	const char *line, *end; /* the whole line */
	const char *at;		/* rest of the line; starts at line */
	bool script;		/* a job file's: may end in # comment and hold a bare --flag */
};

/* Points into the line; value NULL for a bare --flag. */
struct pair {
	const char *key, *value;
	size_t key_length, value_length;
	unsigned column; /* of the key, from 1 */
};

/*
 * The next pair. A comma separates only where a key and "=" follow; a value in quotes ('…' or "…")
 * may hold anything else. Returns 1, 0 when none is left, or -1 with pair->column at the mistake.
 */
int pairs_next(struct pairs *pairs, struct pair *pair, struct error *err);

#endif
