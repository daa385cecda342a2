/* The environment of the job: facts needed to repeat or judge it, never all variables. */
#ifndef ENVIRONMENT_ENVIRONMENT_H
#define ENVIRONMENT_ENVIRONMENT_H

#include <stdint.h>

#include "base/clock.h"
#include "comm/world.h"
#include "environment/compare.h"

struct environment {
	char version[96]; /* version of iorx, with git's description */
	char compiler[256];
	char mpi[256];
	char flags[256];
	char host[HOST_NAME_SIZE];
	char kernel[256];
	char cpu[128];
	uint64_t cpus;	       /* CPUs this process may use; 0: unknown */
	uint64_t node_cpus;    /* online CPUs of its node */
	uint64_t memory_bytes; /* memory of the node, or of the cgroup where that is less */
	char clock[16];
	double clock_cost_ns;
	uint32_t tasks, nodes;
	uint64_t seed;	      /* seed of the written data */
	char scheduler[1024]; /* "SLURM_JOB_ID=…" lines of the variables that matter */
	char variables[2048]; /* OMPI_MCA_…, UCX_…, FI_…, ROMIO_…, LD_PRELOAD … */
	const struct environments *every_node; /* NULL: not known */
};

/* Called by task 0. */
void environment_read(struct environment *environment, const struct world *world,
		      const struct clock *clock);
/*
 * Names the libraries of LD_PRELOAD and /etc/ld.so.preload, without their folders; "" if there are
 * none.
 */
void preloaded_read(char *names, size_t size);
/* Memory of this node or cgroup in bytes; 0: unknown. Any task may call it. */
uint64_t memory_limit(void);
/* Number of CPUs this process may run on; 0: unknown. */
uint64_t cpus_allowed(void);

#endif
