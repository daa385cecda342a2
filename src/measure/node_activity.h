/* What all processes of a node did during a phase, by the kernel's counts for the whole node. */
#ifndef MEASURE_NODE_ACTIVITY_H
#define MEASURE_NODE_ACTIVITY_H

#include <sys/types.h>

#include "measure/measure.h"

/* The counts at one moment. */
struct node_counters {
	bool has_device, has_stalls;
	uint64_t at_ns;			    /* CLOCK_MONOTONIC */
	uint64_t read_bytes, written_bytes; /* of the device, by /proc/diskstats */
	uint64_t dirty_bytes;		    /* of all files, not yet on a device */
	uint64_t cpu_stall_ns;		    /* some task waited for a CPU, by /proc/pressure/cpu */
};

/* device: whose bytes are counted; 0: none. What cannot be read is left out. */
void node_counters_read(struct node_counters *counters, dev_t device);
/* Adds the difference between two readings, by one task of each node. */
void node_activity_add(struct node_activity *activity, const struct node_counters *before,
		       const struct node_counters *after);

/* The device below a file, or below its folder while there is no such file; 0: it has none. */
dev_t node_device(const char *file);

/* How long all threads of this process have waited for a CPU so far, in ns; 0: not known. */
uint64_t node_own_wait(void);

#endif
