/*
 * The lowest limit among this process's cgroup, version 1 or 2, and its ancestors, as far as they
 * are mounted; 0: no limit. root: directory in which to look for /proc and /sys, "" except in
 * tests.
 */
#ifndef BASE_CGROUP_H
#define BASE_CGROUP_H

#include <stdint.h>

uint64_t cgroup_memory_limit(const char *root); /* bytes */
uint64_t cgroup_cpu_limit(const char *root);	/* thousandths of a CPU's time */

#endif
