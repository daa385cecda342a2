/*
 * How much slower the tests of a set were than alone: a table at the end of a job, in 80 columns,
 * and its JSON.
 */
#ifndef PAGE_SLOWDOWNS_H
#define PAGE_SLOWDOWNS_H

#include <jansson.h>

#include "page/studies.h"

/* Appends nothing if no member of a set has run alone too. */
void slowdowns_page(const struct studies *tests, const struct rate_unit *unit, struct text *out);
/* An array; the caller owns it. */
json_t *slowdowns_record(const struct studies *tests);

#endif
