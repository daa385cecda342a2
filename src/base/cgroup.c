/* Limits of the cgroups this process lies in. */
#include "base/cgroup.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* A limited resource, and the function that reads a group's limit of it (0: none). */
struct resource {
	const char *controller;
	uint64_t (*limit)(const char *group, bool version_2);
};

/* Reads up to two numbers from a file. Words such as "max" and missing numbers are 0. */
static void read_numbers(const char *group, const char *name, uint64_t numbers[2])
{
	struct text path = {0};
	char line[64] = "", *next = line;
	FILE *file;

	text_add(&path, "%s/%s", group, name);
	file = fopen(text_string(&path), "re");
	text_release(&path);
	if (file && !fgets(line, sizeof(line), file))
		*line = '\0';
	if (file)
		fclose(file);
	for (int i = 0; i < 2; i++) {
		int64_t number = strtoll(next, &next, 10);

		next += strcspn(next, " \n");
		numbers[i] = number > 0 ? (uint64_t)number : 0;
	}
}

static uint64_t memory_of(const char *group, bool version_2)
{
	uint64_t numbers[2];

	read_numbers(group, version_2 ? "memory.max" : "memory.limit_in_bytes", numbers);
	return numbers[0];
}

/* "200000 100000": two CPUs. */
static uint64_t cpu_of(const char *group, bool version_2)
{
	uint64_t quota[2], period[2];

	if (version_2) {
		read_numbers(group, "cpu.max", quota);
		period[0] = quota[1];
	} else {
		read_numbers(group, "cpu.cfs_quota_us", quota);
		read_numbers(group, "cpu.cfs_period_us", period);
	}
	return period[0] ? 1000 * quota[0] / period[0] : 0;
}

static void keep_least(uint64_t *least, uint64_t value)
{
	if (value && (!*least || value < *least))
		*least = value;
}

/*
 * The lowest limit of a group and its ancestors. In a container the group's path may be the host's:
 * directories that do not exist are skipped, and the mounted root counts.
 */
static uint64_t least_upwards(const struct resource *resource, const char *hierarchy,
			      const char *group, bool version_2)
{
	struct text path = {0};
	uint64_t least = 0;
	size_t length = strlen(group);

	do {
		while (length && group[length - 1] == '/')
			length--;
		text_clear(&path);
		text_add(&path, "%s%.*s", hierarchy, (int)length, group);
		keep_least(&least, resource->limit(text_string(&path), version_2));
		while (length && group[length - 1] != '/')
			length--;
	} while (length);
	text_release(&path);
	return least;
}

/* "memory" in "cpu,memory" */
static bool has_controller(const char *controllers, const char *wanted)
{
	const char *at = controllers;

	while (*at) {
		size_t length = strcspn(at, ",");

		if (length == strlen(wanted) && !strncmp(at, wanted, length))
			return true;
		at += length + (at[length] == ',');
	}
	return false;
}

/* One line of /proc/self/cgroup: "0::/group" of version 2, "4:cpu,memory:/group" of version 1. */
static uint64_t limit_of_line(const struct resource *resource, const char *root, char *line)
{
	char *controllers = strchr(line, ':');
	char *group = controllers ? strchr(controllers + 1, ':') : NULL;
	char hierarchy[512];

	if (!group)
		return 0;
	*group++ = '\0';
	group[strcspn(group, "\n")] = '\0';
	if (!controllers[1]) {
		snprintf(hierarchy, sizeof(hierarchy), "%s/sys/fs/cgroup", root);
		return least_upwards(resource, hierarchy, group, true);
	}
	if (!has_controller(controllers + 1, resource->controller))
		return 0;
	snprintf(hierarchy, sizeof(hierarchy), "%s/sys/fs/cgroup/%s", root, resource->controller);
	return least_upwards(resource, hierarchy, group, false);
}

static uint64_t limit_of(const struct resource *resource, const char *root)
{
	char path[512], *line = NULL;
	size_t size = 0;
	uint64_t least = 0;
	FILE *groups;

	snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
	groups = fopen(path, "re");
	if (!groups)
		return 0;
	while (getline(&line, &size, groups) > 0)
		keep_least(&least, limit_of_line(resource, root, line));
	free(line);
	fclose(groups);
	return least;
}

uint64_t cgroup_memory_limit(const char *root)
{
	return limit_of(&(struct resource){"memory", memory_of}, root);
}

uint64_t cgroup_cpu_limit(const char *root)
{
	return limit_of(&(struct resource){"cpu", cpu_of}, root);
}
