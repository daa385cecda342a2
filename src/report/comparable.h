/* Whether the number of a test can be put beside that of IOR, or mdtest, for the same line. */
#ifndef REPORT_COMPARABLE_H
#define REPORT_COMPARABLE_H

#include "base/text.h"
#include "result/result.h"

/* The program that a test is put beside: "IOR", or "mdtest". */
const char *comparable_program(const struct test_result *test);

/*
 * At the end of a test: appends "yes", or "yes, except " and what differs, without a final full stop; from
 * the plan and its phases. False, and nothing, where no phase has a number to compare.
 */
bool comparable_words(const struct test_result *test, struct text *out);

#endif
