/* The rules that span options of a test: tables of conditions, each with the sentence of its error. */
#ifndef OPTIONS_RULES_H
#define OPTIONS_RULES_H

#include <stdbool.h>

#include "base/text.h"
#include "options/metadata.h"
#include "options/test.h"

enum { RULE_KEYS = 5 };

/*
 * A rule has either `broken` and `sentence`, or `explain`, which returns true and adds the sentence to
 * *why where it is broken. Sentences begin with a key. A table ends with a rule without keys.
 */
struct test_rule {
	const char *keys[RULE_KEYS]; /* whose values the rule compares, the one that matters most first */
	bool (*broken)(const struct test *test);
	const char *sentence;
	bool (*explain)(const struct test *test, struct text *why);
};

struct metadata_rule {
	const char *keys[RULE_KEYS];
	bool (*broken)(const struct metadata *test);
	const char *sentence;
	bool (*explain)(const struct metadata *test, struct text *why);
};

extern const struct test_rule test_rules[];
extern const struct metadata_rule metadata_rules[];

#endif
