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
#include "environment/lines.h"
#include "environment/variables.h"

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

/* Adds the file names of a list of paths, behind what stands there. */
static void environment_add_names(char *names, size_t size, const char *paths)
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
		environment_add_names(names, size, variable);
	lines_read_file("/etc/ld.so.preload", file, sizeof(file));
	environment_add_names(names, size, file);
}

/* Copies the lines that fit, each whole. */
static void keep_lines(void (*add)(struct text *), char *buffer, size_t size)
{
	struct text lines = {0};

	add(&lines);
	snprintf(buffer, size, "%s", text_string(&lines));
	if (lines.length >= size)
		strrchr(buffer, '\n')[1] = '\0';
	text_release(&lines);
}

static void read_system(struct environment *environment)
{
	struct utsname system;
	char text[4096];
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	if (!uname(&system))
		snprintf(environment->kernel, sizeof(environment->kernel), "%s %s %s",
			 system.sysname, system.release, system.machine);
	lines_read_file("/proc/cpuinfo", text, sizeof(text));
	find_value(text, "model name", environment->cpu, sizeof(environment->cpu));
	environment->cpus = cpus_allowed();
	environment->node_cpus = online > 0 ? (uint64_t)online : 0;
	environment->memory_bytes = memory_limit();
}

void environment_read(struct environment *environment, const struct world *world,
		      const struct clock *clock)
{
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
	keep_lines(variables_add_scheduler, environment->scheduler, sizeof(environment->scheduler));
	keep_lines(variables_add_tuning, environment->variables, sizeof(environment->variables));
}
