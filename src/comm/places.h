/*
 * How many tasks of a node can run at the same time, by the CPUs each may use and the time its cgroup
 * leaves. Pure arithmetic on masks; no MPI.
 */
#ifndef COMM_PLACES_H
#define COMM_PLACES_H

#include <stddef.h>
#include <stdint.h>

/*
 * The first so many tasks can all have a CPU of their own at once, one more cannot. masks: one of `size`
 * bytes after the other, bit i of byte k is CPU 8k + i.
 */
uint32_t places_for(const unsigned char *masks, size_t size, uint32_t tasks);

#endif
