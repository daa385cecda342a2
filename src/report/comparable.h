/*
 * Whether the number of a test can be compared with that of IOR or mdtest for the same command
 * line.
 */
#ifndef REPORT_COMPARABLE_H
#define REPORT_COMPARABLE_H

#include "base/text.h"
#include "result/result.h"

/* The program a test is compared with: "IOR" or "mdtest". */
const char *comparable_program(const struct test_result *test);

/*
 * Appends "yes", or "yes, except " and a sentence for each difference, without a final full stop.
 * Call it after the last phase of a test. False where no phase has a number to compare.
 */
bool comparable_words(const struct test_result *test, struct text *out);

/*
 * As comparable_words(), in one line of keywords: "yes", "yes, except content" or "no: content,
 * cold reads".
 */
bool comparable_keywords(const struct test_result *test, struct text *out);

#endif
