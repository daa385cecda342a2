/*
 * Included before everything else by make check-minimal: takes away the macros that the headers of
 * glibc 2.28 and Linux 4.18 do not have (EL 8), so that the code for such systems is compiled too.
 */
#ifndef TESTS_LINT_OLD_HEADERS_H
#define TESTS_LINT_OLD_HEADERS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#undef MADV_COLD
#undef MADV_PAGEOUT
#undef MADV_POPULATE_READ
#undef MADV_POPULATE_WRITE
#undef RWF_ATOMIC
#undef RWF_DONTCACHE
#undef STATX_DIOALIGN
#undef STATX_MNT_ID
#undef STATX_SUBVOL
#undef STATX_WRITE_ATOMIC
#undef SYS_cachestat
#undef SYS_faccessat2
#undef SYS_openat2
#undef SYS_pidfd_open

#endif
