/* What control groups leave to a process: processors and memory, of version 1 and 2. */
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

static void the_least_quota_up_the_cgroups_counts(void **state)
{
	(void)state;
	assert_int_equal(cgroup_cpu_limit("nowhere"), 0);
	put_file("q2/proc/self/cgroup", "0::/pod/container\n");
	assert_int_equal(cgroup_cpu_limit("q2"), 0);
	put_file("q2/sys/fs/cgroup/pod/container/cpu.max", "max 100000\n");
	assert_int_equal(cgroup_cpu_limit("q2"), 0);
	put_file("q2/sys/fs/cgroup/pod/cpu.max", "250000 100000\n");
	assert_int_equal(cgroup_cpu_limit("q2"), 2500);
	put_file("q1/proc/self/cgroup", "3:cpu,cpuacct:/a/b\n2:cpuset:/\n");
	put_file("q1/sys/fs/cgroup/cpu/a/b/cpu.cfs_quota_us", "-1\n");
	put_file("q1/sys/fs/cgroup/cpu/a/b/cpu.cfs_period_us", "100000\n");
	assert_int_equal(cgroup_cpu_limit("q1"), 0);
	put_file("q1/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "50000\n");
	put_file("q1/sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
	assert_int_equal(cgroup_cpu_limit("q1"), 500);
}

static void the_least_memory_limit_up_the_cgroups_counts(void **state)
{
	(void)state;
	assert_int_equal(cgroup_memory_limit("nowhere"), 0);
	put_file("v2/proc/self/cgroup", "0::/slurm/job_7/step_0\n");
	assert_int_equal(cgroup_memory_limit("v2"), 0);
	put_file("v2/sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max\n");
	assert_int_equal(cgroup_memory_limit("v2"), 0);
	put_file("v2/sys/fs/cgroup/slurm/memory.max", "9000000000\n");
	assert_int_equal(cgroup_memory_limit("v2"), 9000000000);
	put_file("v2/sys/fs/cgroup/slurm/job_7/memory.max", "1000000000\n");
	assert_int_equal(cgroup_memory_limit("v2"), 1000000000);
	put_file("v2/sys/fs/cgroup/memory.max", "500\n");
	assert_int_equal(cgroup_memory_limit("v2"), 500);

	/* a container that sees only its own group, at the root */
	put_file("c/proc/self/cgroup", "0::/docker/0123\n");
	put_file("c/sys/fs/cgroup/memory.max", "4096\n");
	assert_int_equal(cgroup_memory_limit("c"), 4096);

	put_file("v1/proc/self/cgroup",
		 "12:cpuset:/\n5:cpu,memory:/a/b\n1:name=systemd:/x:y\n0::/unified\n");
	put_file("v1/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
	put_file("v1/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "2147483648\n");
	assert_int_equal(cgroup_memory_limit("v1"), 2147483648);
	put_file("v1/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "1073741824\n");
	assert_int_equal(cgroup_memory_limit("v1"), 1073741824);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_least_quota_up_the_cgroups_counts),
		cmocka_unit_test(the_least_memory_limit_up_the_cgroups_counts),
	};

	return cmocka_run_group_tests(tests, enter_folder, NULL);
}
