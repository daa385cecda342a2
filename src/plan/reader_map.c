/* The map from reading tasks to the tasks whose data they read. */
#include "plan/reader_map.h"

#include <stdlib.h>

/* All nodes hold the same number of tasks and each node's tasks are consecutive. */
static bool in_equal_blocks(const struct node_map *map)
{
	return map->count == 1 && map->runs[0].node == 0;
}

/* True if task p runs on node p mod nodes, and all nodes have equally many tasks. */
static bool dealt_evenly(const struct node_map *map)
{
	if (map->tasks % map->nodes)
		return false;
	for (size_t i = 0; i < map->count; i++)
		if (map->runs[i].node || map->runs[i].nodes != map->nodes ||
		    map->runs[i].tasks != 1)
			return false;
	return true;
}

/*
 * How many of `size` consecutive positions in a ring of n lie in the same range again after a
 * shift.
 */
static uint32_t overlap(uint32_t size, uint32_t shift, uint32_t n)
{
	uint32_t ahead = size > shift ? size - shift : 0;
	uint32_t behind = size > n - shift ? size - (n - shift) : 0;

	return shift ? ahead + behind : size;
}

/* Looks up a node for each task, which takes some ms for many tasks. */
static uint32_t count_permuted(const struct reader_map *readers, const struct node_map *map)
{
	uint32_t same = 0;

	for (uint32_t task = 0; task < map->tasks; task++)
		same += node_map_node(map, task) ==
			node_map_node(map, reader_map_source(readers, map, task));
	return same;
}

static uint32_t count_same_node(const struct node_map *map, uint32_t shift)
{
	uint32_t *counts = node_map_counts(map);
	uint32_t same = 0;

	for (uint32_t node = 0; node < map->nodes; node++)
		same += overlap(counts[node], shift, map->tasks);
	free(counts);
	return same;
}

/* q times the largest node's tasks, moved to the nearest shift at which nodes do not overlap. */
static uint32_t shift_by_node(const struct node_map *map, uint64_t q)
{
	uint32_t most = node_map_most_tasks(map);
	uint32_t shift = (uint32_t)((q % map->tasks) * most % map->tasks);

	if (2 * (uint64_t)most > map->tasks)
		return most % map->tasks; /* overlap is inevitable: this shift has the least */
	if (shift < most)
		return most;
	return shift > map->tasks - most ? map->tasks - most : shift;
}

void reader_map_build(struct reader_map *readers, const struct node_map *map, bool reorder,
		      uint64_t q)
{
	*readers = (struct reader_map){.order = READERS_SELF, .same_node = map->tasks};
	if (!reorder || q == 0 || map->tasks == 1)
		return;
	readers->order = READERS_BY_NUMBER;
	if (map->nodes == 1) {
		readers->shift = 1;
	} else if (in_equal_blocks(map)) {
		readers->shift = (uint32_t)((q % map->tasks) * map->runs[0].tasks % map->tasks);
		readers->same_node = count_same_node(map, readers->shift);
	} else if (dealt_evenly(map)) {
		readers->shift = (uint32_t)(q % map->tasks);
		readers->same_node = readers->shift % map->nodes ? 0 : map->tasks;
	} else {
		readers->order = READERS_BY_NODE;
		readers->shift = shift_by_node(map, q);
		readers->same_node = count_same_node(map, readers->shift);
	}
}

/* The range of shifts at which as few tasks as possible read on their own node. */
static void best_shifts(const struct node_map *map, uint32_t *least, uint32_t *greatest)
{
	uint32_t most = node_map_most_tasks(map), rest = map->tasks - most;

	*least = most < rest ? most : rest;
	*greatest = most < rest ? rest : most;
}

/* A random shift of that range. */
static uint32_t random_shift(const struct node_map *map, uint64_t seed)
{
	struct order order;
	uint32_t low, high;

	best_shifts(map, &low, &high);
	if (low == 0) {
		low = 1; /* all on one node: any other task */
		high = map->tasks - 1;
	}
	order_init(&order, high - low + 1, seed);
	return low + (uint32_t)order_draw(&order, 0);
}

void reader_map_build_ior(struct reader_map *readers, const struct node_map *map, uint64_t q)
{
	bool blocks = map->tasks > 1 && node_map_node(map, 0) == node_map_node(map, 1);
	uint64_t step = blocks ? node_map_tasks_on(map, node_map_node(map, 0)) : 1;

	*readers = (struct reader_map){
		.order = READERS_BY_NUMBER,
		.shift = (uint32_t)(q % map->tasks * step % map->tasks),
	};
	if (!readers->shift)
		readers->order = READERS_SELF;
	readers->same_node = count_permuted(readers, map);
}

void reader_map_build_random(struct reader_map *readers, const struct node_map *map, bool shifted,
			     uint64_t seed)
{
	*readers = (struct reader_map){.order = READERS_SELF, .same_node = map->tasks};
	if (map->tasks == 1)
		return;
	if (shifted) {
		readers->order = READERS_BY_NODE;
		readers->shift = random_shift(map, seed);
		readers->same_node = count_same_node(map, readers->shift);
		return;
	}
	readers->order = READERS_PERMUTED;
	order_init(&readers->permutation, map->tasks, seed);
	readers->same_node = count_permuted(readers, map);
}

static uint32_t count_at_home(const struct reader_map *readers, const struct node_map *map)
{
	if (readers->order == READERS_BY_NUMBER && dealt_evenly(map))
		return readers->shift % map->nodes ? 0 : map->tasks;
	if (readers->order == READERS_PERMUTED ||
	    (readers->order == READERS_BY_NUMBER && !in_equal_blocks(map)))
		return count_permuted(readers, map);
	return count_same_node(map, readers->shift);
}

void reader_map_build_verifiers(struct reader_map *verifiers, const struct node_map *map,
				const struct reader_map *readers, uint64_t q)
{
	enum { TRIES = 4 };
	struct reader_map next = *readers;

	if (map->tasks <= 2 || readers->order == READERS_SELF) {
		reader_map_build(verifiers, map, true, 1);
		return;
	}
	reader_map_build(verifiers, map, true, q + 1);
	/* A shift by one more node may be a shift of 0, or the readers' own shift. */
	if (verifiers->order != next.order || verifiers->shift == 0 ||
	    verifiers->shift == next.shift)
		verifiers->same_node = UINT32_MAX;
	for (unsigned i = 0; i < TRIES && verifiers->same_node; i++) {
		next.shift = (next.shift + 1) % map->tasks;
		if (next.shift == 0 && next.order != READERS_PERMUTED)
			next.shift = 1;
		if (next.shift == readers->shift)
			continue;
		next.same_node = count_at_home(&next, map);
		if (next.same_node < verifiers->same_node)
			*verifiers = next;
	}
}

static bool is_among(const struct reader_map *wanted, const struct reader_map *maps, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (maps[i].order == wanted->order && maps[i].shift == wanted->shift)
			return true;
	return false;
}

/*
 * Lets a node with half of all tasks swap data with the others, in opposite order. Returns false if
 * there is no such node.
 */
static bool mirror(struct reader_map *readers, const struct node_map *map)
{
	uint32_t most = node_map_most_tasks(map), first = 0;
	uint32_t *counts;

	if (2 * (uint64_t)most != map->tasks)
		return false;
	counts = node_map_counts(map);
	for (uint32_t node = 0; counts[node] != most; node++)
		first += counts[node];
	free(counts);
	readers->order = READERS_MIRRORED;
	readers->shift = (2 * first + map->tasks - 1) % map->tasks;
	readers->same_node = 0;
	return true;
}

/* Replaces map number `count` by one that differs from all before it, if there is one. */
static void choose_another(struct reader_map *maps, unsigned count, const struct node_map *map)
{
	struct reader_map other = maps[count];
	uint32_t low, high;

	best_shifts(map, &low, &high);
	for (uint32_t i = 0; i < high - low && is_among(&other, maps, count); i++)
		other.shift = other.shift < high ? other.shift + 1 : low;
	if (is_among(&other, maps, count) &&
	    (!mirror(&other, map) || is_among(&other, maps, count)))
		return;
	maps[count] = other;
}

void reader_map_make_distinct(struct reader_map *maps, unsigned count, const struct node_map *map)
{
	for (unsigned i = 1; i < count; i++)
		if (maps[i].order == READERS_BY_NODE && is_among(&maps[i], maps, i))
			choose_another(maps, i, map);
}

uint32_t reader_map_source(const struct reader_map *readers, const struct node_map *map,
			   uint32_t task)
{
	uint64_t shifted = task;

	switch (readers->order) {
	case READERS_SELF:
		break;
	case READERS_BY_NUMBER:
		shifted = ((uint64_t)task + readers->shift) % map->tasks;
		break;
	case READERS_BY_NODE:
		shifted = ((uint64_t)node_map_position(map, task) + readers->shift) % map->tasks;
		return node_map_at(map, (uint32_t)shifted);
	case READERS_MIRRORED:
		shifted = ((uint64_t)readers->shift + map->tasks - node_map_position(map, task)) %
			  map->tasks;
		return node_map_at(map, (uint32_t)shifted);
	case READERS_PERMUTED:
		shifted = order_at(&readers->permutation,
				   ((uint64_t)task + readers->shift) % map->tasks);
		break;
	}
	return (uint32_t)shifted;
}
