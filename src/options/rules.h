/* The rules that span options: each is a function that returns one sentence. */
#ifndef OPTIONS_RULES_H
#define OPTIONS_RULES_H

#include <stdbool.h>

#include "base/text.h"
#include "options/metadata.h"
#include "options/test.h"

enum { RULE_KEYS = 5 };

/* True when the rule is broken; the sentence, starting with the key, is then in *why. */
struct test_rule {
	bool (*broken)(const struct test *test, struct text *why);
	const char *keys[RULE_KEYS]; /* whose values the rule compares, the one that matters most first */
};

struct run_rule {
	bool (*broken)(const struct run *run, struct text *why);
	const char *keys[RULE_KEYS];
};

struct metadata_rule {
	bool (*broken)(const struct metadata *test, struct text *why);
	const char *keys[RULE_KEYS];
};

extern const struct metadata_rule metadata_rules[];
extern const struct test_rule test_rules[]; /* end with a NULL function */
extern const struct run_rule run_rules[];

#endif
