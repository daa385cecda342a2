/* How many tasks of a node can run at the same time. */
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
#include "comm/places.h"

static void unbound_tasks_have_as_many_places_as_there_are_cpus(void **state)
{
	unsigned char masks[40][2];

	(void)state;
	memset(masks, 0xff, sizeof(masks));
	assert_int_equal(places_for(masks[0], 2, 40), 16);
	assert_int_equal(places_for(masks[0], 2, 16), 16);
	assert_int_equal(places_for(masks[0], 2, 5), 5);
}

static void bound_tasks_have_one_each(void **state)
{
	const unsigned char masks[] = {1, 2, 4, 8, 16, 32, 64, 128};

	(void)state;
	assert_int_equal(places_for(masks, 1, 8), 8);
}

/* There are 8 CPUs for 8 tasks, but 4 of them may use only two. */
static void narrow_masks_that_overlap_crowd(void **state)
{
	const unsigned char masks[] = {0x03, 0x03, 0xfc, 0xfc, 0xfc, 0xfc, 0x03, 0x03};

	(void)state;
	assert_int_equal(places_for(masks, 1, 8), 6);
	assert_int_equal(places_for(masks, 1, 6), 6);
}

/* Each one that came first has to move on for the last. */
static void those_that_can_make_room_do(void **state)
{
	const unsigned char masks[] = {0x03, 0x06, 0x0c, 0x01};

	(void)state;
	assert_int_equal(places_for(masks, 1, 4), 4);
}

static void who_may_use_nothing_has_no_place(void **state)
{
	const unsigned char masks[] = {0x01, 0x00, 0x02};

	(void)state;
	assert_int_equal(places_for(masks, 1, 3), 1);
}

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unbound_tasks_have_as_many_places_as_there_are_cpus),
		cmocka_unit_test(bound_tasks_have_one_each),
		cmocka_unit_test(narrow_masks_that_overlap_crowd),
		cmocka_unit_test(those_that_can_make_room_do),
		cmocka_unit_test(who_may_use_nothing_has_no_place),
		cmocka_unit_test(the_least_quota_up_the_cgroups_counts),
	};

	return cmocka_run_group_tests(tests, enter_folder, NULL);
}
