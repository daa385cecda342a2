/*
 * The least limit of the cgroups this process lies in, version 1 or 2, from its own up to the root, as
 * far as they are mounted; 0: none. root: where the file system begins, "" but in tests.
 */
#ifndef BASE_CGROUP_H
#define BASE_CGROUP_H

#include <stdint.h>

uint64_t cgroup_memory_limit(const char *root); /* bytes */
uint64_t cgroup_cpu_limit(const char *root);    /* thousandths of a CPU's time */

#endif
