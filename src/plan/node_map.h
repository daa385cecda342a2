/*
 * The map from tasks to nodes. For regular placements its size does not depend on the number of
 * tasks. 1,000,000 tasks in blocks on 10,000 nodes are one run; dealt out cyclically they are 100
 * runs.
 *
 * Nodes are numbered in the order in which their first task appears.
 */
#ifndef PLAN_NODE_MAP_H
#define PLAN_NODE_MAP_H

#include <stddef.h>
#include <stdint.h>

/* `nodes` consecutive nodes from `node` on, each with `tasks` consecutive tasks. */
struct node_run {
	uint32_t node;
	uint32_t nodes;
	uint32_t tasks;
};

struct node_map {
	uint32_t tasks;
	uint32_t nodes;
	struct node_run *runs;
	size_t count;
	size_t capacity;
};

void node_map_release(struct node_map *map); /* all zeros is an empty map */

/* Adds `tasks` tasks on `node` behind those of the map, and merges runs where possible. */
void node_map_append(struct node_map *map, uint32_t node, uint32_t tasks);
void node_map_append_map(struct node_map *map, const struct node_map *next);
/* The first `tasks` tasks of from; *map must be empty. */
void node_map_prefix(struct node_map *map, const struct node_map *from, uint32_t tasks);

/* Takes the first most[node] tasks of each node of from, in their order; *map must be empty. */
void node_map_within(struct node_map *map, const struct node_map *from, const uint32_t *most);

/* The following functions walk the runs: O(runs). */
uint32_t node_map_node(const struct node_map *map, uint32_t task);
uint32_t node_map_slot(const struct node_map *map, uint32_t task); /* earlier tasks on its node */
uint32_t node_map_tasks_on(const struct node_map *map, uint32_t node);
uint32_t node_map_in_slot(const struct node_map *map, uint32_t node, uint32_t slot);
uint32_t node_map_first(const struct node_map *map, uint32_t node); /* its first task */
uint32_t node_map_most_tasks(const struct node_map *map);	    /* on any node */
/* Tasks on each node, one pass over all tasks' runs; the caller frees it. */
uint32_t *node_map_counts(const struct node_map *map);

/* Tasks ordered by node, then by number: the position of a task and the task at a position. */
uint32_t node_map_position(const struct node_map *map, uint32_t task);
uint32_t node_map_at(const struct node_map *map, uint32_t position);

#endif
