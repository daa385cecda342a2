/* Cuts lists of pairs that users write: "read:70, write:30", "4k/40, 16k/60". */
#ifndef PATTERN_PAIRS_H
#define PATTERN_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

struct pair {
	const char *at;		  /* the pair's place in the list */
	char left[32], right[32]; /* without blanks around; right is "" where none was written */
	bool complete;		  /* the separator was there, and something on both sides of it */
	bool cut;		  /* a side was too long and is not whole */
};

/* Cuts the next pair of *rest, which moves on. Returns false behind the last pair. */
bool pair_next(const char **rest, char separator, struct pair *pair);

/*
 * Parses a share: a plain decimal number from 0 on; a % sign may follow. Returns 0, or -1 if the
 * text is none.
 */
int pair_parse_share(const char *text, double *share);

#endif
