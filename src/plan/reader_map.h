/*
 * The map from reading tasks to the tasks whose data they read: reorderTasks (-C) with
 * taskPerNodeOffset (-Q q), reorderTasksRandom (-Z). It is always a permutation.
 *
 * With tasks in equal blocks on nodes, task p reads the data of (p + q * tasks per node) mod N.
 * With tasks dealt out evenly over the nodes it reads the data of (p + q) mod N. IOR does the same
 * in these cases. In any other placement the tasks are taken in node order and shifted by q times
 * the largest node. No other placement of readers has fewer tasks that read data of their own node.
 * On one node the shift is one task.
 *
 * -Z shifts the tasks in node order by a random distance that leaves as few of them as possible on
 * their own node. -ZZ is any permutation. Both follow from the seed alone and need constant memory.
 */
#ifndef PLAN_READER_MAP_H
#define PLAN_READER_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/node_map.h"
#include "pattern/order.h"

enum reader_order {
	READERS_SELF,
	READERS_BY_NUMBER,
	READERS_BY_NODE,
	READERS_MIRRORED, /* mirrored in node order: position p reads (shift - p) mod tasks */
	READERS_PERMUTED
};

struct reader_map {
	enum reader_order order;
	uint32_t shift;	    /* in tasks, or in positions of the permutation */
	uint32_t same_node; /* readers whose data was written on their own node */
	struct order permutation;
};

void reader_map_build(struct reader_map *readers, const struct node_map *map, bool reorder,
		      uint64_t q);
/*
 * Computes the map as IOR does. If the first two tasks share a node, IOR takes all tasks to lie in
 * blocks as large as the first node's, else to be dealt out over the nodes.
 */
void reader_map_build_ior(struct reader_map *readers, const struct node_map *map, uint64_t q);
void reader_map_build_random(struct reader_map *readers, const struct node_map *map, bool shifted,
			     uint64_t seed);
/*
 * Builds the map of the tasks that verify data before `readers` read it, with -Q q. Where tasks and
 * nodes allow it, a verifier is not the writer, is on another node, and is not the later reader.
 */
void reader_map_build_verifiers(struct reader_map *verifiers, const struct node_map *map,
				const struct reader_map *readers, uint64_t q);
/*
 * Makes each of `count` consecutive maps differ from those before it; the first map stays. With
 * uneven placement maps for different node distances may be equal. A map also stays if no other has
 * as few tasks on their own node.
 */
void reader_map_make_distinct(struct reader_map *maps, unsigned count, const struct node_map *map);
/* The task whose data `task` reads. */
uint32_t reader_map_source(const struct reader_map *readers, const struct node_map *map,
			   uint32_t task);

#endif
