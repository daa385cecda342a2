/* What the kernel tells about this process and about the page cache of a file. */
#ifndef MEASURE_KERNEL_H
#define MEASURE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/measure.h"

/* Of this process so far: getrusage(2) and /proc/self/io (tasks 0 where that cannot be read). */
struct kernel_usage {
	uint64_t user_ns, system_ns;
	uint64_t voluntary_switches, involuntary_switches;
	struct kernel_io io;
	uint64_t own_bytes; /* that reading /proc/self/io moved: one call, not the phase's */
};

void kernel_usage_read(struct kernel_usage *usage);
/* The half that is quick, for the last moment before a phase: times and context switches. */
void kernel_usage_read_times(struct kernel_usage *usage);
/* Adds what happened between the two to the measure. */
void kernel_usage_add(struct measure *measure, const struct kernel_usage *before,
		      const struct kernel_usage *after);

/* Adds one file's pages by cachestat(2) (Linux 6.5); false where the kernel cannot tell. */
bool kernel_cache_add(struct cache_state *state, const char *path);

/* Writes back and drops this node's clean pages of a file; -1 with errno. */
int kernel_cache_drop(const char *path);

#endif
