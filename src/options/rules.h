/* The rules that span options of a test: tables of conditions, each with the sentence of its error.
 */
#ifndef OPTIONS_RULES_H
#define OPTIONS_RULES_H

#include <stdbool.h>

#include "base/text.h"
#include "options/metadata.h"
#include "options/test.h"

enum { RULE_KEYS = 5 };

/*
 * A rule has `broken` and `sentence`, or it has `explain`, which returns true for a broken rule and
 * adds the sentence to *why. Sentences begin with a key. A rule without keys ends a table.
 */
struct test_rule {
	const char *keys[RULE_KEYS]; /* keys that the rule compares, the most relevant first */
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

struct load_rule {
	const char *keys[RULE_KEYS];
	bool (*broken)(const struct test_spec *spec);
	const char *sentence;
	bool (*explain)(const struct test_spec *spec, struct text *why);
};

/* A rule of test_rules is for tests of all workloads that have the option of its first key. */
extern const struct test_rule test_rules[];
extern const struct metadata_rule metadata_rules[];
extern const struct load_rule load_rules[];

#endif
