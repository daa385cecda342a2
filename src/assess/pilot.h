/*
 * A cold pilot: what a read costs one task alone, from storage that has the data in no cache here.
 * The floor: the shortest time in which storage answers at all.
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

/*
 * Reads 4 KiB of an open file of `size` bytes 32 times from cold storage and 32 times again, in the
 * order of the test and with direct I/O if the test has it. Sets floor_ns and hot_ns of *trial, the
 * shortest of each; they stay 0 where that cannot be known. Each pass ends after 0.4 s.
 */
void floor_read(int fd, uint64_t size, const struct test_result *test, struct trial *trial);

#endif
