/* Runs a group of cases on all tasks of a launch. */
#ifndef TESTS_MPI_TASKS_H
#define TESTS_MPI_TASKS_H

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "comm/world.h"

/*
 * Between world_find_nodes() and world_finish(). Only task 0 prints; what the others say is kept in
 * files. Returns the program's exit code, which is the same on every task.
 */
#define tasks_run_tests(world, tests) \
	tasks_agree(world, tasks_are_quiet(world) || cmocka_run_group_tests(tests, NULL, NULL))

/* Returns 0, or 1 if the output of this task cannot be kept. */
static inline int tasks_are_quiet(const struct world *world)
{
	const char *directory = getenv("TEST_TMPDIR");
	char name[PATH_MAX];

	if (!world->all.rank)
		return 0;
	snprintf(name, sizeof(name), "%s/task%d.txt", directory ? directory : ".", world->all.rank);
	return !freopen(name, "w", stdout);
}

/* Returns 1 on every task if any of them failed, else 0. */
static inline int tasks_agree(const struct world *world, int failed)
{
	return comm_any(&world->all, failed != 0);
}

#endif
