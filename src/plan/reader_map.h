/*
 * Who reads whose data: reorderTasks (-C) with taskPerNodeOffset (-Q q), reorderTasksRandom (-Z).
 *
 * With tasks in equal blocks on nodes, task p reads (p + q * tasks per node) mod N; dealt out evenly
 * round the nodes, (p + q) mod N: what IOR does in these cases. In any other placement the tasks are
 * taken in node order and shifted by q times the largest node, so that no placement has fewer tasks
 * that read on another node. On one node the shift is one task. Always a permutation.
 *
 * -Z shifts the tasks in node order by a random distance that leaves no more of them on their node
 * than must be, -ZZ is any permutation; both follow from the seed alone, in memory that does not grow.
 */
#ifndef PLAN_READER_MAP_H
#define PLAN_READER_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/node_map.h"
#include "plan/order.h"

enum reader_order {
	READERS_SELF,
	READERS_BY_NUMBER,
	READERS_BY_NODE,
	READERS_MIRRORED, /* in the order of nodes too: place p has place (shift - p) mod tasks */
	READERS_PERMUTED
};

struct reader_map {
	enum reader_order order;
	uint32_t shift;     /* of tasks; of places in the permutation */
	uint32_t same_node; /* readers whose data was written on their own node */
	struct order permutation;
};

void reader_map_build(struct reader_map *readers, const struct node_map *map, bool reorder,
		      uint64_t q);
/*
 * As IOR computes it: when the first two tasks share a node all are taken to lie in blocks as large as
 * the first node's, else to be dealt round.
 */
void reader_map_build_ior(struct reader_map *readers, const struct node_map *map, uint64_t q);
void reader_map_build_random(struct reader_map *readers, const struct node_map *map, bool shifted,
			     uint64_t seed);
/*
 * Who verifies what was written before `readers` read it, with -Q q: where tasks and nodes allow it
 * neither the writer, nor on its node, nor the one that reads it later.
 */
void reader_map_build_verifiers(struct reader_map *verifiers, const struct node_map *map,
				const struct reader_map *readers, uint64_t q);
/*
 * Where tasks are placed unevenly a node's distance is no number of tasks, and `count` maps, one behind the
 * other, may have come out the same: makes each of them differ from those before it, as far as there
 * are maps with as few tasks on their own node. The first one stays.
 */
void reader_map_part(struct reader_map *maps, unsigned count, const struct node_map *map);
/* The task whose data `task` reads. */
uint32_t reader_map_source(const struct reader_map *readers, const struct node_map *map,
			   uint32_t task);

#endif
