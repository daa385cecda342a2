/* What IOR has and iorx has not: known by name, so that the message can say more than "unknown". */
#ifndef OPTIONS_IOR_KEYS_H
#define OPTIONS_IOR_KEYS_H

#include <stddef.h>

struct ior_key {
	const char *name;
	char letter;         /* of its flag, 0 for none */
	const char *instead; /* the key of iorx that means the same; NULL: there is none */
};

extern const struct ior_key ior_keys[];
extern const size_t ior_key_count;

/* NULL when it is none of these. */
const struct ior_key *ior_key_find(const char *name);
const struct ior_key *ior_key_find_letter(char letter);

#endif
