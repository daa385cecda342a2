/* Whether the number of a test can be put beside that of IOR, or mdtest, for the same line. */
#ifndef REPORT_COMPARABLE_H
#define REPORT_COMPARABLE_H

#include "base/text.h"
#include "result/result.h"

/* The program that a test is put beside: "IOR", or "mdtest". */
const char *comparable_program(const struct test_result *test);

/*
 * After a test's last phase, from the plan and its phases: appends "yes", or "yes, except " and a sentence
 * for each difference, without a final full stop. False where no phase has a number to compare.
 */
bool comparable_words(const struct test_result *test, struct text *out);

/* The same in one line of keywords: "yes", "yes, except content" or "no: content, cold reads". */
bool comparable_keywords(const struct test_result *test, struct text *out);

#endif
