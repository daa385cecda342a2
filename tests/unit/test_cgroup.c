/* What control groups leave to a process: processors and memory, of version 1 and 2. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/cgroup.h"

static int enter_folder(void **state)
{
	const char *folder = getenv("TEST_TMPDIR");

	(void)state;
	return folder && chdir(folder) ? -1 : 0;
}

static void put_file(const char *path, const char *bytes)
{
	char directory[256];
	FILE *file;

	snprintf(directory, sizeof(directory), "%s", path);
	for (char *at = strchr(directory, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		mkdir(directory, 0777);
		*at = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(bytes, file);
	fclose(file);
}

/* A file that comes below root, and what the limit is from then on. */
struct step {
	const char *path, *bytes;
	uint64_t limit;
};

static void climb(const char *root, uint64_t (*limit)(const char *root), const struct step *steps)
{
	char path[256];

	for (; steps->path; steps++) {
		snprintf(path, sizeof(path), "%s/%s", root, steps->path);
		put_file(path, steps->bytes);
		if (limit(root) != steps->limit)
			fail_msg("%s: %" PRIu64 " is not %" PRIu64, path, limit(root),
				 steps->limit);
	}
}

static void the_least_quota_up_the_cgroups_counts(void **state)
{
	static const struct step version_2[] = {
		{"proc/self/cgroup", "0::/pod/container\n", 0},
		{"sys/fs/cgroup/pod/container/cpu.max", "max 100000\n", 0},
		{"sys/fs/cgroup/pod/cpu.max", "250000 100000\n", 2500},
		{0},
	};
	static const struct step version_1[] = {
		{"proc/self/cgroup", "3:cpu,cpuacct:/a/b\n2:cpuset:/\n", 0},
		{"sys/fs/cgroup/cpu/a/b/cpu.cfs_period_us", "100000\n", 0},
		{"sys/fs/cgroup/cpu/a/b/cpu.cfs_quota_us", "-1\n", 0},
		{"sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n", 0},
		{"sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "50000\n", 500},
		{0},
	};

	(void)state;
	assert_int_equal(cgroup_cpu_limit("nowhere"), 0);
	climb("quota2", cgroup_cpu_limit, version_2);
	climb("quota1", cgroup_cpu_limit, version_1);
}

static void the_least_memory_limit_up_the_cgroups_counts(void **state)
{
	static const struct step version_2[] = {
		{"proc/self/cgroup", "0::/slurm/job_7/step_0\n", 0},
		{"sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max\n", 0},
		{"sys/fs/cgroup/slurm/memory.max", "9000000000\n", 9000000000},
		{"sys/fs/cgroup/slurm/job_7/memory.max", "1000000000\n", 1000000000},
		{"sys/fs/cgroup/memory.max", "500\n", 500},
		{0},
	};
	/* a container that sees only its own group, at the root */
	static const struct step container[] = {
		{"proc/self/cgroup", "0::/docker/0123\n", 0},
		{"sys/fs/cgroup/memory.max", "4096\n", 4096},
		{0},
	};
	static const struct step version_1[] = {
		{"proc/self/cgroup",
		 "12:cpuset:/\n5:cpu,memory:/a/b\n1:name=systemd:/x:y\n0::/unified\n", 0},
		/* no limit, in version 1's words */
		{"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n",
		 9223372036854771712},
		{"sys/fs/cgroup/memory/a/memory.limit_in_bytes", "2147483648\n", 2147483648},
		{"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "1073741824\n", 1073741824},
		{0},
	};

	(void)state;
	assert_int_equal(cgroup_memory_limit("nowhere"), 0);
	climb("memory2", cgroup_memory_limit, version_2);
	climb("container", cgroup_memory_limit, container);
	climb("memory1", cgroup_memory_limit, version_1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_least_quota_up_the_cgroups_counts),
		cmocka_unit_test(the_least_memory_limit_up_the_cgroups_counts),
	};

	return cmocka_run_group_tests(tests, enter_folder, NULL);
}
