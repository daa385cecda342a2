/*
 * Options that IOR or mdtest has and iorx has not, or has elsewhere. They are rows, so that old scripts
 * work where they can and the message can say more than "unknown".
 */
#ifndef OPTIONS_FOREIGN_H
#define OPTIONS_FOREIGN_H

#include "options/vocabulary.h"

/*
 * A row with `instead` is another name for that option, or for one value of it ("key=value"). A row with
 * `why` is refused, unless its value asks for nothing. A row with `note` is accepted without effect and
 * warned of. All others are accepted without effect. No test has values of them.
 */
const struct option_table *foreign_options(enum workload workload);

/* True for an empty value, no, off, false, a zero of any form, and the row's default. */
bool foreign_is_off(const struct option *row, const char *value);

#endif
