/* Whether the number of a test can be put beside IOR's for the same line. */
#ifndef REPORT_COMPARABLE_H
#define REPORT_COMPARABLE_H

#include "base/text.h"
#include "result/result.h"

/*
 * Appends "yes", "yes, except …" or what differs, as sentences without a final full stop; from the
 * plan, and from the phases as far as there are any.
 */
void comparable_with_ior(const struct test_result *test, struct text *out);


/* The same for mdtest, of a metadata test. */
void comparable_with_mdtest(const struct test_result *test, struct text *out);

#endif
