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

/* The beginning of a name is nearer than any name with a mistake. */
static unsigned distance_to(const struct guess *guess, const char *name)
{
	enum { LEAST = 3 };

	if (strlen(guess->wanted) >= LEAST && text_begins_key(name, guess->wanted))
		return 0;
	return text_distance(guess->wanted, name, guess->distance);
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
