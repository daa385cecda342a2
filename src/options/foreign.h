/*
 * Options of IOR or mdtest that iorx, or a load test, lacks or has elsewhere. They are rows, so
 * that old scripts work if possible, and errors can say more than "unknown".
 */
#ifndef OPTIONS_FOREIGN_H
#define OPTIONS_FOREIGN_H

#include "options/vocabulary.h"

/*
 * A row with `instead` is another name for an option, or for one value of it ("key=value"). A row
 * with `why` is refused, unless its value turns it off. A row with `note` has no effect and causes
 * a warning. All other rows have no effect. Tests have no values of these rows.
 */
const struct option_table *foreign_options(enum workload workload);

/* True for an empty value, no, off, false, a zero of any form, and the row's default. */
bool foreign_is_off(const struct option *row, const char *value);

#endif
