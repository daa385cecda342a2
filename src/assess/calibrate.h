/* A trial whether the kernel counts reads from a file system. */
#ifndef ASSESS_CALIBRATE_H
#define ASSESS_CALIBRATE_H

#include "assess/environment.h"
#include "result/result.h"

enum { CALIBRATION_BYTES = 4 << 20 };

/*
 * Tests whether read_bytes of /proc/self/io counts reads from the file system of the test. Clients
 * such as FUSE or 9p do not count what they fetch.
 *
 * The test writes 4 MiB beside the test file into an unnamed file, or one unlinked at once. The
 * pages are dropped from the page cache and read again. Returns READS_UNKNOWN where no file can be
 * made or the cache keeps the pages. The trial is skipped, with the same return, for tests without
 * files, files in memory and direct I/O. Takes some 10 ms on a disk, on one task, outside all timed
 * parts. mount: mount of the test file.
 */
enum reads_counted calibrate_reads(const struct test_result *test, const struct mount_facts *mount);

#endif
