/*
 * Options of IOR or mdtest that iorx, or a load test, lacks or has elsewhere. They are rows, so
 * that old scripts work if possible, and errors can say more than "unknown". Names of fio have
 * hints only.
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

/*
 * What takes the place of an option of fio in tests of the workload, as the end of the sentence
 * "fio's NAME is …". Returns NULL if the name is not fio's, or nothing takes its place.
 */
const char *foreign_name_of_fio(enum workload workload, const char *name);

/* True for an empty value, no, off, false, a zero of any form, and the row's default. */
bool foreign_is_off(const struct option *row, const char *value);

#endif
