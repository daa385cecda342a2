/* A trial whether the kernel counts reads from a file system and shows its pages. */
#ifndef ASSESS_CALIBRATE_H
#define ASSESS_CALIBRATE_H

#include "environment/environment.h"
#include "environment/mount.h"
#include "result/result.h"

enum { CALIBRATION_BYTES = 4 << 20 };

/*
 * Tests on the file system of the test what the kernel tells about reads: whether read_bytes of
 * /proc/self/io counts them, which clients such as FUSE or 9p do not do, and whether cachestat(2)
 * sees the pages of its files, which it does not on overlayfs.
 *
 * The trial writes 4 MiB beside the test file into an unnamed file, or one unlinked at once. The
 * pages are dropped from the page cache and read again. Returns READS_UNKNOWN where no file can be
 * made or the cache keeps the pages. The trial is skipped, with the same return, for tests without
 * files and files in memory. Takes some 10 ms on a disk, on one task, outside all timed parts.
 * Where reads are not counted a cold pilot follows (pilot.h), which takes up to two seconds.
 * mount: mount of the test file. *left: set if the file could not be removed.
 */
struct trial calibrate_reads(const struct test_result *test, const struct mount_facts *mount,
			     struct error *left);

#endif
