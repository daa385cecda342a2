/* The text of a mixed phase: what is mixed, and a row for each kind of operation. */
#ifndef REPORT_PAGE_MIX_H
#define REPORT_PAGE_MIX_H

#include "report/page.h"

/* The line with a label that says what a test mixes. */
void page_mix_settings(struct text *out, const struct plan *plan);
/* What stands below the row of all operations. */
void page_mix_kinds(struct text *out, const struct plan *plan, const struct phase_result *phase);
/* What stands below the row of the summary. */
void page_mix_summary(struct text *out, const struct plan *plan, const struct rate_summary *summary);

#endif
