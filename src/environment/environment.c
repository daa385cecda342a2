/* The environment of the job. */
#include "environment/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/text.h"
#include "base/version.h"

extern char **environ;

/* Reads the start of a small kernel file; "" when it cannot be read. */
static void read_start(const char *path, char *buffer, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, buffer, size - 1);

	if (fd >= 0)
		close(fd);
	buffer[got > 0 ? got : 0] = '\0';
}

/* Copies the value of the first line "name : value". */
static void find_value(const char *text, const char *name, char *value, size_t size)
{
	const char *at = strstr(text, name);

	*value = '\0';
	if (!at || !(at = strchr(at, ':')))
		return;
	at += 1 + strspn(at + 1, " \t");
	snprintf(value, size, "%.*s", (int)strcspn(at, "\n"), at);
}

uint64_t memory_limit(void)
{
	long pages = sysconf(_SC_PHYS_PAGES);
	uint64_t memory = pages > 0 ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;

	uint64_t limit = cgroup_memory_limit("");

	return limit && (!memory || limit < memory) ? limit : memory;
}

uint64_t cpus_allowed(void)
{
	/* The kernel rejects CPU sets that are smaller than its own. */
	for (size_t count = 1024; count <= 1 << 20; count *= 2) {
		cpu_set_t *cpus = CPU_ALLOC(count);
		size_t size = CPU_ALLOC_SIZE(count);
		int failed = !cpus || sched_getaffinity(0, size, cpus) ? errno : 0;
		uint64_t allowed = failed ? 0 : (uint64_t)CPU_COUNT_S(size, cpus);

		CPU_FREE(cpus);
		if (failed != EINVAL)
			return allowed;
	}
	return 0;
}

static bool starts_with_any(const char *entry, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (!strncmp(entry, *prefixes, strlen(*prefixes)))
			return true;
	return false;
}

/*
 * Variables that launchers set for their tasks: addresses and names of daemons, which no user
 * chose.
 */
static const char *const launcher_internals[] = {"OMPI_MCA_orte_",
						 "OMPI_MCA_ess",
						 "OMPI_MCA_pmix",
						 "OMPI_MCA_initial_wdir",
						 "PMIX_MCA_mca_base_component_show_load_errors",
						 NULL};

/*
 * Collects the variables with these prefixes, one per line. A line that does not fit is left out.
 */
static void collect(const char *const *prefixes, char *buffer, size_t size)
{
	size_t used = 0;

	*buffer = '\0';
	for (char **entry = environ; *entry; entry++) {
		size_t length = strlen(*entry);

		if (!starts_with_any(*entry, prefixes) ||
		    starts_with_any(*entry, launcher_internals) || used + length + 2 > size)
			continue;
		memcpy(buffer + used, *entry, length);
		used += length;
		buffer[used++] = '\n';
		buffer[used] = '\0';
	}
}

/* Adds the file names of a list of paths, behind what stands there. */
static void add_names(char *names, size_t size, const char *paths)
{
	static const char separators[] = " :\t\n";

	for (const char *path = paths; *(path += strspn(path, separators));) {
		const int length = (int)strcspn(path, separators);
		const char *slash = memrchr(path, '/', (size_t)length);
		const int skip = slash ? (int)(slash + 1 - path) : 0;
		const size_t used = strlen(names);

		snprintf(names + used, size - used, "%s%.*s", used ? ", " : "", length - skip,
			 path + skip);
		path += length;
	}
}

void preloaded_read(char *names, size_t size)
{
	const char *variable = getenv("LD_PRELOAD");
	char file[1024];

	*names = '\0';
	if (variable)
		add_names(names, size, variable);
	read_start("/etc/ld.so.preload", file, sizeof(file));
	add_names(names, size, file);
}

static void read_system(struct environment *environment)
{
	struct utsname system;
	char text[4096];
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	if (!uname(&system))
		snprintf(environment->kernel, sizeof(environment->kernel), "%s %s %s",
			 system.sysname, system.release, system.machine);
	read_start("/proc/cpuinfo", text, sizeof(text));
	find_value(text, "model name", environment->cpu, sizeof(environment->cpu));
	environment->cpus = cpus_allowed();
	environment->node_cpus = online > 0 ? (uint64_t)online : 0;
	environment->memory_bytes = memory_limit();
}

void environment_read(struct environment *environment, const struct world *world,
		      const struct clock *clock)
{
	static const char *const scheduler[] = {"SLURM_JOB_ID=",
						"SLURM_JOB_NAME=",
						"SLURM_JOB_PARTITION=",
						"SLURM_JOB_NODELIST=",
						"SLURM_JOB_NUM_NODES=",
						"SLURM_NTASKS=",
						"SLURM_JOB_END_TIME=",
						"PBS_JOBID=",
						"PBS_QUEUE=",
						"LSB_JOBID=",
						"LSB_QUEUE=",
						"FLUX_JOB_ID=",
						NULL};
	static const char *const variables[] = {"OMPI_MCA_",  "PMIX_MCA_",   "UCX_",
						"FI_",	      "ROMIO_",	     "HDF5_",
						"DARSHAN_",   "LD_PRELOAD=", "MPICH_",
						"MPIR_CVAR_", "I_MPI_",	     NULL};

	*environment = (struct environment){0};
	snprintf(environment->version, sizeof(environment->version), "%s%s%s", version.number,
		 *version.git ? " " : "", version.git);
	snprintf(environment->compiler, sizeof(environment->compiler), "%s", version.compiler);
	snprintf(environment->flags, sizeof(environment->flags), "%s", version.flags);
	world_mpi_version(environment->mpi, sizeof(environment->mpi));
	snprintf(environment->host, sizeof(environment->host), "%s", world->host);
	snprintf(environment->clock, sizeof(environment->clock), "%s",
		 clock_source_name(clock->source));
	environment->clock_cost_ns = clock->cost_ns;
	environment->tasks = world->map.tasks;
	environment->nodes = world->map.nodes;
	read_system(environment);
	collect(scheduler, environment->scheduler, sizeof(environment->scheduler));
	collect(variables, environment->variables, sizeof(environment->variables));
}
