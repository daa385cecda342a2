/* The rows of metadata tests, below them what failed, and their summary. */
#ifndef REPORT_PAGE_NAMES_H
#define REPORT_PAGE_NAMES_H

#include "report/page.h"

/* What stands above the rows. */
void page_names_head(struct text *out, bool explained); /* not again what columns mean */
/* Of tests that queue: "queued 32 by uring, relative names" or "one at a time, whole paths". */
void page_names_form(struct text *words, const struct plan *plan, const struct phase_result *phase);
/* What stands in a row behind the name of the phase and the repetition, and below it what failed. */
void page_names_row(struct text *row, const struct phase_result *phase);
/* A row of one kind of operation of a phase that lasted so long. */
void page_names_kind(struct text *out, const char *name, const struct histogram *histogram,
		     double seconds);
void page_names_errors(struct text *out, const struct plan *plan, const struct measure *measure);
/* The seed of data that an earlier run wrote; nothing where it was known. */
void page_names_learned(struct text *out, const struct phase_result *phase);
/* Directories on the way to the trees that were missing; nothing where none was. */
void page_names_missing(struct text *out, const struct measure *measure);
/* Test directories that tree-remove left, as they are not empty; nothing where none is. */
void page_names_kept(struct text *out, const struct measure *measure);

void page_names_summary_head(struct text *out);
void page_names_summary(struct text *out, const struct rate_summary *summary, bool more);
/* The row below it of a part of its phase. */
void page_names_part(struct text *out, const char *name, const struct part_summary *part);

#endif
