/* What the kernel's counters are worth for one file system, tried rather than believed. */
#ifndef ASSESS_CALIBRATE_H
#define ASSESS_CALIBRATE_H

#include "assess/environment.h"
#include "result/result.h"

enum { CALIBRATION_BYTES = 4 << 20 };

/*
 * Writes 4 MiB beside the test file, into a file without a name (or one that loses it at once), drops
 * them from the page cache, reads them again, and says whether read_bytes of /proc/self/io moved.
 * Clients such as FUSE or 9p do not count what they fetch. READS_UNKNOWN where no file can be made or
 * the cache keeps it, and without trying where it is no question: no files, files in memory, direct
 * I/O. Some 10 ms on a disk; one task, outside all timed parts. mount: of the test file.
 */
enum reads_counted calibrate_reads(const struct test_result *test, const struct mount_facts *mount);

#endif
