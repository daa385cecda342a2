/*
 * What one node says of itself: facts of its kernel, processors, network, limits and libraries, and
 * of the storage below the test files. Small files of the kernel are read, and no process is
 * started. doc/measurement.md, "Environment of every node", lists the keys.
 */
#ifndef ENVIRONMENT_GATHER_H
#define ENVIRONMENT_GATHER_H

#include <sys/types.h>

#include "base/text.h"

enum { GATHER_PATHS = 8 };

struct gather_request {
	const pid_t *tasks; /* processes of the node's tasks, by slot */
	size_t task_count;
	const char *const *paths; /* of the tests, at most GATHER_PATHS; equal on all nodes */
	size_t path_count;
};

/* Fills sorted lines. Facts that cannot be read are left out. */
void gather_node(struct text *lines, const struct gather_request *request);

/* target.c: adds the mount below a path, and what the kernel's block layer does there. */
void gather_target(struct text *lines, size_t number, const char *path);

#endif
