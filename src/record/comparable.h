/*
 * Whether the number of a test can be compared with that of IOR or mdtest for the same command
 * line.
 */
#ifndef RECORD_COMPARABLE_H
#define RECORD_COMPARABLE_H

#include "base/text.h"
#include "result/result.h"

/*
 * Call it after the last phase of a test. Appends to `sentences` "yes", or "yes, except " or "no: "
 * and a sentence for each difference, without a final full stop; and to `keywords` the same in one
 * line: "yes, except content" or "no: content, cold reads". False where no phase has a number to
 * compare.
 */
bool comparable_find(const struct test_result *test, struct text *sentences, struct text *keywords);

#endif
