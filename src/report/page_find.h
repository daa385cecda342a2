/* The text of a find: what it looks for, and what it saw. */
#ifndef REPORT_PAGE_FIND_H
#define REPORT_PAGE_FIND_H

#include "report/page.h"

/* The line with a label that says what a test's find does. */
void page_find_settings(struct text *out, const struct plan *plan);
/* What stands below the row of a find. */
void page_find_counts(struct text *out, const struct plan *plan, const struct phase_result *phase);

#endif
