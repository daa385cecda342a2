/* Reads the facts of one node. */
#include "environment/gather.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "comm/world.h"
#include "environment/environment.h"
#include "environment/lines.h"
#include "environment/network.h"
#include "environment/variables.h"

/* Small files of the kernel, each a value. */
static const struct {
	const char *key, *path;
} files[] = {
	{"cpu.driver", "/sys/devices/system/cpu/cpufreq/policy0/scaling_driver"},
	{"cpu.boost", "/sys/devices/system/cpu/cpufreq/boost"},
	{"cpu.no_turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo"},
	{"cpu.online", "/sys/devices/system/cpu/online"},
	{"cpu.isolated", "/sys/devices/system/cpu/isolated"},
	{"cpu.smt", "/sys/devices/system/cpu/smt/control"},
	{"vm.dirty_background_bytes", "/proc/sys/vm/dirty_background_bytes"},
	{"vm.dirty_background_ratio", "/proc/sys/vm/dirty_background_ratio"},
	{"vm.dirty_bytes", "/proc/sys/vm/dirty_bytes"},
	{"vm.dirty_expire_centisecs", "/proc/sys/vm/dirty_expire_centisecs"},
	{"vm.dirty_ratio", "/proc/sys/vm/dirty_ratio"},
	{"vm.dirty_writeback_centisecs", "/proc/sys/vm/dirty_writeback_centisecs"},
	{"vm.swappiness", "/proc/sys/vm/swappiness"},
	{"vm.zone_reclaim_mode", "/proc/sys/vm/zone_reclaim_mode"},
	{"kernel.numa_balancing", "/proc/sys/kernel/numa_balancing"},
	{"net.default_qdisc", "/proc/sys/net/core/default_qdisc"},
	{"net.netdev_max_backlog", "/proc/sys/net/core/netdev_max_backlog"},
	{"net.rmem_max", "/proc/sys/net/core/rmem_max"},
	{"net.wmem_max", "/proc/sys/net/core/wmem_max"},
	{"tcp.congestion_control", "/proc/sys/net/ipv4/tcp_congestion_control"},
	{"tcp.rmem", "/proc/sys/net/ipv4/tcp_rmem"},
	{"tcp.wmem", "/proc/sys/net/ipv4/tcp_wmem"},
	{"tcp.sack", "/proc/sys/net/ipv4/tcp_sack"},
	{"tcp.slow_start_after_idle", "/proc/sys/net/ipv4/tcp_slow_start_after_idle"},
	{"tcp.timestamps", "/proc/sys/net/ipv4/tcp_timestamps"},
	{"tcp.window_scaling", "/proc/sys/net/ipv4/tcp_window_scaling"},
	{"sunrpc.tcp_slot_table_entries", "/proc/sys/sunrpc/tcp_slot_table_entries"},
	{"sunrpc.tcp_max_slot_table_entries", "/proc/sys/sunrpc/tcp_max_slot_table_entries"},
	{"sunrpc.rdma_slot_table_entries", "/proc/sys/sunrpc/rdma_slot_table_entries"},
};

static void add_mitigation(struct text *lines, const char *folder, const char *name)
{
	char key[300], path[600], value[LINE_VALUE];

	snprintf(key, sizeof(key), "mitigation.%s", name);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	lines_read_file(path, value, sizeof(value));
	if (strncmp(value, "Not affected", 12))
		lines_add(lines, key, value);
}

/* Adds to a list of governors one that it does not have. */
static void add_governor(struct text *governors, const char *folder, const char *name)
{
	char path[600], governor[32];

	snprintf(path, sizeof(path), "%s/%s/scaling_governor", folder, name);
	lines_read_file(path, governor, sizeof(governor));
	governor[strcspn(governor, "\n")] = '\0';
	if (!strstr(text_string(governors), governor))
		text_add(governors, "%s ", governor);
}

static bool has_cpu(const void *context, size_t cpu)
{
	return CPU_ISSET_S(cpu, CPU_ALLOC_SIZE(CPU_SETSIZE), (const cpu_set_t *)context);
}

/* The CPUs of a NUMA node, whose folder's name is "node0". */
static void add_numa(struct text *lines, const char *folder, const char *name)
{
	char key[300], path[600];

	if (strncmp(name, "node", 4))
		return;
	snprintf(key, sizeof(key), "numa.%s", name);
	snprintf(path, sizeof(path), "%s/%s/cpulist", folder, name);
	lines_add_file(lines, key, path);
}

/* The CPUs that each task may use, by slot. Together with numa.* they say where its memory is. */
static void add_binding(struct text *lines, const struct gather_request *request)
{
	struct text sets = {0}, first = {0};
	bool all_equal = true;

	for (size_t i = 0; i < request->task_count; i++) {
		struct text own = {0};
		cpu_set_t cpus;

		if (!sched_getaffinity(request->tasks[i], sizeof(cpus), &cpus))
			lines_add_range(&own, CPU_SETSIZE, has_cpu, &cpus);
		if (!i)
			text_add(&first, "%s", text_string(&own));
		all_equal &= !strcmp(text_string(&own), text_string(&first));
		text_add(&sets, "%s%s", i ? " " : "", text_string(&own));
		text_release(&own);
	}
	lines_add(lines, "tasks.cpus", text_string(all_equal ? &first : &sets));
	text_release(&sets);
	text_release(&first);
}

/* The value of a line "name:<white space>value" of a text, or "". */
static void copy_value(const char *text, const char *name, char *value, size_t size)
{
	const char *at = strstr(text, name);

	*value = '\0';
	if (at)
		snprintf(value, size, "%.*s", (int)strcspn(at + strlen(name), "\n"),
			 at + strlen(name));
}

static void add_status(struct text *lines)
{
	char text[8192], value[LINE_VALUE];

	lines_read_file("/proc/self/status", text, sizeof(text));
	copy_value(text, "\nUmask:", value, sizeof(value));
	lines_add(lines, "limit.umask", value);
	copy_value(text, "\nMems_allowed_list:", value, sizeof(value));
	lines_add(lines, "numa.allowed", value);
}

static void add_processor(struct text *lines)
{
	char text[8192], value[4096];
	struct text governors = {0};

	lines_read_file("/proc/cpuinfo", text, sizeof(text));
	copy_value(text, "\nmodel name\t:", value, sizeof(value));
	lines_add(lines, "cpu.model", value);
	copy_value(text, "\nmicrocode\t:", value, sizeof(value));
	lines_add(lines, "cpu.microcode", value);
	copy_value(text, "\nflags\t\t:", value, sizeof(value));
	if (*value)
		lines_add(lines, "cpu.hypervisor", strstr(value, " hypervisor") ? "yes" : "no");
	lines_each_entry(&governors, "/sys/devices/system/cpu/cpufreq", add_governor);
	lines_add(lines, "cpu.governor", text_string(&governors));
	text_release(&governors);
}

static void add_memory(struct text *lines)
{
	const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	const double total = (double)pages * (double)page;
	const uint64_t memory = cgroup_memory_limit(""), cpus = cgroup_cpu_limit("");

	/* Firmware keeps some MiB, not the same on equal nodes. */
	lines_add_format(lines, "memory.total_gib", "%.0f", total / (double)(1 << 30));
	if (memory && (double)memory < total)
		lines_add_format(lines, "cgroup.memory_bytes", "%" PRIu64, memory);
	if (cpus)
		lines_add_format(lines, "cgroup.cpu_milli", "%" PRIu64, cpus);
}

static void add_limits(struct text *lines)
{
	static const struct {
		const char *key;
		int resource;
	} limits[] = {{"limit.address_space", RLIMIT_AS}, {"limit.core", RLIMIT_CORE},
		      {"limit.file_size", RLIMIT_FSIZE},  {"limit.memlock", RLIMIT_MEMLOCK},
		      {"limit.nofile", RLIMIT_NOFILE},	  {"limit.stack", RLIMIT_STACK}};

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		struct rlimit limit;

		if (getrlimit(limits[i].resource, &limit))
			continue;
		if (limit.rlim_cur == RLIM_INFINITY)
			lines_add(lines, limits[i].key, "unlimited");
		else
			lines_add_format(lines, limits[i].key, "%" PRIu64,
					 (uint64_t)limit.rlim_cur);
	}
}

/* "libhdf5" if a library of this file name matters to numbers; 0 characters: it does not. */
static size_t library_name(const char *file)
{
	static const char *const names[] = {"libmpi",	    "libhdf5",	 "libpnetcdf", "liburing",
					    "libaio",	    "libfabric", "libucp",     "libuct",
					    "libpmix",	    "libpsm2",	 "libibverbs", "libdarshan",
					    "liblustreapi", "libc.so",	 "libc-"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(file, names[i], strlen(names[i])))
			return strcspn(file, ".-");
	return 0;
}

/* Files that the loader has mapped say which version of a library is used, without asking it. */
static void add_libraries(struct text *lines)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char *line = NULL, last[512] = "", key[600];
	size_t size = 0;

	while (maps && getline(&line, &size, maps) > 0) {
		const char *path = strchr(line, '/'), *slash = strrchr(line, '/');
		const size_t length = slash ? library_name(slash + 1) : 0;

		if (!length || !strncmp(path, last, sizeof(last) - 1))
			continue;
		snprintf(last, sizeof(last), "%s", path);
		snprintf(key, sizeof(key), "library.%.*s", (int)length, slash + 1);
		if (!strstr(text_string(lines), path))
			lines_add(lines, key, path);
	}
	free(line);
	if (maps)
		fclose(maps);
}

static void add_versions(struct text *lines)
{
	struct utsname kernel;
	char text[512];

	if (!uname(&kernel))
		lines_add_format(lines, "kernel.release", "%s %s", kernel.release, kernel.machine);
	if (confstr(_CS_GNU_LIBC_VERSION, text, sizeof(text)))
		lines_add(lines, "library.libc_version", text);
	world_mpi_version(text, sizeof(text));
	lines_add(lines, "library.mpi_version", text);
	preloaded_read(text, sizeof(text));
	lines_add(lines, "library.preloaded", text);
	add_libraries(lines);
}

static void add_variables(struct text *lines)
{
	struct text variables = {0};

	variables_add_tuning(&variables);
	for (char *rest = variables.bytes, *line; rest && (line = strsep(&rest, "\n")) && *line;) {
		char key[160], *value = strchr(line, '=');

		if (!value)
			continue;
		*value++ = '\0';
		snprintf(key, sizeof(key), "variable.%.140s", line);
		lines_add(lines, key, value);
	}
	text_release(&variables);
}

void gather_node(struct text *lines, const struct gather_request *request)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		lines_add_file(lines, files[i].key, files[i].path);
	lines_add_choice(lines, "memory.thp", "/sys/kernel/mm/transparent_hugepage/enabled");
	lines_add_choice(lines, "memory.thp_defrag", "/sys/kernel/mm/transparent_hugepage/defrag");
	lines_each_entry(lines, "/sys/devices/system/cpu/vulnerabilities", add_mitigation);
	lines_each_entry(lines, "/sys/devices/system/node", add_numa);
	network_add(lines);
	add_binding(lines, request);
	add_processor(lines);
	add_memory(lines);
	add_status(lines);
	add_limits(lines);
	add_versions(lines);
	add_variables(lines);
	for (size_t i = 0; i < request->path_count; i++)
		gather_target(lines, i, request->paths[i]);
	lines_sort(lines);
}
