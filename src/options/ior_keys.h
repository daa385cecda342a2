/*
 * What IOR has and iorx has not, or has elsewhere: known by name, so that old scripts work where they
 * can, and the message can say more than "unknown".
 */
#ifndef OPTIONS_IOR_KEYS_H
#define OPTIONS_IOR_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "options/option.h"

struct ior_key {
	const char *name;
	char letter;         /* of its flag, 0 for none */
	const char *instead; /* the key of iorx that means the same; NULL: there is none */
	bool of_backends;    /* backends have it under this name: that of the test's api is meant */
	const struct option *needless; /* for help: accepted, as what it asks for is always so */
	const char *why;     /* it is not there; NULL: there is no more to say */
	const char *off;     /* a value that asks for nothing, besides those of all keys */
};

#define IOR_KEYS_MAX 64 /* test_spec notes those of backends in as many bits */

extern const struct ior_key ior_keys[];
extern const size_t ior_key_count;

/* NULL when it is none of these. */
const struct ior_key *ior_key_find(const char *name);
const struct ior_key *ior_key_find_letter(char letter);

/* Whether this value asks for nothing: empty, no, off, false, a zero of any form, or the key's own. */
bool ior_key_is_off(const struct ior_key *key, const char *value);

#endif
