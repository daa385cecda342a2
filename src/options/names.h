/* Lists of names separated by blanks, and guesses for mistyped names. */
#ifndef OPTIONS_NAMES_H
#define OPTIONS_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* True if one of the names, separated by blanks, is the key; names may be NULL. */
bool names_have(const char *names, const char *key);

/* The best guess so far. Start with guess_start(), offer every name, look at what is left. */
struct guess {
	const char *wanted;
	char name[128]; /* "" while nothing is near enough */
	unsigned distance;
};

void guess_start(struct guess *guess, const char *wanted);
/* Offers "name", or "prefix.name" when prefix is not "". */
void guess_offer(struct guess *guess, const char *prefix, const char *name);

#endif
