/* Whether the number of a test can be put beside IOR's for the same line. */
#ifndef REPORT_COMPARABLE_H
#define REPORT_COMPARABLE_H

#include "base/text.h"
#include "plan/plan.h"

/* Appends "yes", "yes, except …" or what differs, as sentences without a final full stop. */
void comparable_with_ior(const struct plan *plan, struct text *out);

#endif
