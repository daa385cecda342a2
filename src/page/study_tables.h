/* The tables of a study: one for each combination of values, or a cross table of all. */
#ifndef PAGE_STUDY_TABLES_H
#define PAGE_STUDY_TABLES_H

#include "page/studies.h"

/* Appends the table of the rows beside the first one: one for each value of the compared option. */
void study_table_page(const struct studies *studies, const struct study_row *first,
		      const struct rate_unit *unit, struct text *out);

/*
 * Appends the cross table of a series: a row for each combination of values of the other options, a
 * column for each value of the compared one, and in the cells median, interval and p99. p99 and
 * intervals are left out where 80 columns do not hold them. Returns false, and appends nothing, if
 * they do not even hold the medians. first: the first row of the series in the study.
 */
bool cross_table_page(const struct studies *studies, const struct study_row *first,
		      const struct rate_unit *unit, struct text *out);

#endif
