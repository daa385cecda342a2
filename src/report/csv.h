/* One row per phase and repetition, units in the names of the columns, quoted as RFC 4180 says. */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include "base/text.h"
#include "result/result.h"

void csv_head(struct text *out);
void csv_row(struct text *out, const struct test_result *test, const struct phase_result *phase);

#endif
