/* Lists of names separated by blanks, and guesses for mistyped names. */
#include "options/names.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

bool names_have(const char *names, const char *key)
{
	char name[64];
	size_t length;

	for (; names && *names; names += length) {
		names += strspn(names, " ");
		length = strcspn(names, " ");
		if (length == 0 || length >= sizeof(name))
			continue;
		memcpy(name, names, length);
		name[length] = '\0';
		if (text_same_key(name, key))
			return true;
	}
	return false;
}

void guess_start(struct guess *guess, const char *wanted)
{
	size_t length = strlen(wanted);

	guess->wanted = wanted;
	guess->name[0] = '\0';
	/* one mistake in four letters; worse guesses would confuse */
	guess->distance = length < 4 ? 2 : length > 15 ? 5 : (unsigned)length / 4 + 2;
}

/* The distance to the nearest beginning of a name that ends with a word, as "transfer" does. */
static unsigned distance_to_beginning(const struct guess *guess, const char *name)
{
	char beginning[sizeof(guess->name)];
	unsigned nearest = guess->distance;

	for (const char *end = name; (end = strpbrk(end, "_-")); end++) {
		snprintf(beginning, sizeof(beginning), "%.*s", (int)(end - name), name);
		const unsigned distance = text_distance(guess->wanted, beginning, nearest);

		if (distance < nearest)
			nearest = distance;
	}
	return nearest;
}

/*
 * The order of guesses: a whole beginning of a name, a name with a mistake, and a beginning with
 * one.
 */
static unsigned distance_to(const struct guess *guess, const char *name)
{
	enum { LEAST = 3 };

	if (strlen(guess->wanted) >= LEAST && text_begins_key(name, guess->wanted))
		return 0;
	const unsigned whole = text_distance(guess->wanted, name, guess->distance);
	const unsigned begun = distance_to_beginning(guess, name) + 1;

	return begun < whole ? begun : whole;
}

void guess_offer(struct guess *guess, const char *prefix, const char *name)
{
	char whole[sizeof(guess->name)];
	unsigned distance;

	snprintf(whole, sizeof(whole), "%s%s%s", prefix, *prefix ? "." : "", name);
	distance = distance_to(guess, whole);
	if (distance >= guess->distance)
		return;
	guess->distance = distance;
	memcpy(guess->name, whole, sizeof(whole));
}
