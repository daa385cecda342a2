/* The rules that span options of a test. */
#ifndef OPTIONS_RULES_H
#define OPTIONS_RULES_H

#include "options/job.h"

/*
 * Checks the rules of a test in turn. At the first broken rule it sets *err to a sentence that
 * begins with a key, and returns the keys that the rule compares, separated by blanks. Returns NULL
 * if no rule is broken.
 */
const char *rules_check(const struct test_spec *spec, struct error *err);

/* Parts of rules_check(): the rules of options that only metadata tests or load tests have. */
const char *rules_check_metadata(const struct metadata *test, struct error *err);
const char *rules_check_load(const struct test_spec *spec, struct error *err);

/* Sets *err to the sentence of a broken rule. Returns keys. */
const char *rule_broken(struct error *err, const char *keys, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
