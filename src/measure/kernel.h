/* Kernel statistics of this process and of the page cache of a file. */
#ifndef MEASURE_KERNEL_H
#define MEASURE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/measure.h"

/*
 * Usage of this process so far from getrusage(2) and /proc/self/io. io.tasks is 0 where the latter
 * cannot be read.
 */
struct kernel_usage {
	uint64_t user_ns, system_ns;
	uint64_t voluntary_switches, involuntary_switches;
	struct kernel_io io;
	uint64_t own_bytes; /* moved by reading /proc/self/io itself, in one call */
};

void kernel_usage_read(struct kernel_usage *usage);
/* Reads only times and context switches, which is quick, for the last moment before a phase. */
void kernel_usage_read_times(struct kernel_usage *usage);
/* Adds the difference between the two readings to the measure. */
void kernel_usage_add(struct measure *measure, const struct kernel_usage *before,
		      const struct kernel_usage *after);

/*
 * Adds the pages of one file as cachestat(2) (Linux 6.5) reports them; false where the kernel lacks
 * the call.
 */
bool kernel_cache_add(struct cache_state *state, const char *path);
/* As kernel_cache_add(), for an open file: opening one may drop its pages, as FUSE does. */
bool kernel_cache_add_open(struct cache_state *state, int fd);

/*
 * Adds the size of one file and its holes below `end`. Files with as many blocks as bytes are not
 * searched. Nothing is added where the file cannot be opened; file systems that report no holes
 * have none.
 */
void kernel_source_add(struct source_state *source, const char *path, uint64_t end);

/* Writes back and drops this node's clean pages of a file; -1 with errno. */
int kernel_cache_drop(const char *path);

#endif
