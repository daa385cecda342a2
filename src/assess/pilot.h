/*
 * A cold pilot: what a read costs one task alone, from storage that has the data in no cache here.
 */
#ifndef ASSESS_PILOT_H
#define ASSESS_PILOT_H

#include "result/result.h"

enum { PILOT_BYTES = 16 << 20 };

/*
 * Writes up to 16 MiB into an open file, drops its pages, and reads it twice in the order and the
 * transfer size of the test. Returns the service time of the first pass in ns, the least mean of an
 * eighth of it. Returns 0 where that cannot be known, or is less than ten times the time of the
 * second pass, which the page cache answers. Writing and each pass end after 0.4 s.
 */
double pilot_read(int fd, const struct test_result *test);

#endif
