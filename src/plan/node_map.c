/* The map from tasks to nodes, stored as runs. */
#include "plan/node_map.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

void node_map_release(struct node_map *map)
{
	free(map->runs);
	*map = (struct node_map){0};
}

static void push(struct node_map *map, struct node_run run)
{
	if (map->count == map->capacity) {
		map->capacity = map->capacity ? 2 * map->capacity : 4;
		map->runs = memory_grow(map->runs, map->capacity * sizeof(*map->runs));
	}
	map->runs[map->count++] = run;
}

/* Removes the last node from the last run and returns the number of its tasks in that run. */
static uint32_t pop_node(struct node_map *map)
{
	struct node_run *last = &map->runs[map->count - 1];
	uint32_t tasks = last->tasks;

	if (--last->nodes == 0)
		map->count--;
	return tasks;
}

void node_map_append(struct node_map *map, uint32_t node, uint32_t tasks)
{
	struct node_run *last = map->count ? &map->runs[map->count - 1] : NULL;

	if (!tasks)
		return;
	map->tasks += tasks;
	if (node >= map->nodes)
		map->nodes = node + 1;
	if (last && last->node + last->nodes - 1 == node) {
		tasks += pop_node(map);
		last = map->count ? &map->runs[map->count - 1] : NULL;
	}
	if (last && last->tasks == tasks && last->node + last->nodes == node)
		last->nodes++;
	else
		push(map, (struct node_run){.node = node, .nodes = 1, .tasks = tasks});
}

static void append_run(struct node_map *map, struct node_run run)
{
	for (uint32_t i = 0; i < run.nodes; i++)
		node_map_append(map, run.node + i, run.tasks);
}

void node_map_append_map(struct node_map *map, const struct node_map *next)
{
	for (size_t i = 0; i < next->count; i++)
		append_run(map, next->runs[i]);
}

void node_map_prefix(struct node_map *map, const struct node_map *from, uint32_t tasks)
{
	for (size_t i = 0; i < from->count && map->tasks < tasks; i++) {
		struct node_run run = from->runs[i];
		uint32_t left = tasks - map->tasks;
		uint32_t whole = left / run.tasks < run.nodes ? left / run.tasks : run.nodes;

		if (whole)
			append_run(map, (struct node_run){run.node, whole, run.tasks});
		if (whole < run.nodes)
			node_map_append(map, run.node + whole, tasks - map->tasks);
	}
}

void node_map_within(struct node_map *map, const struct node_map *from, const uint32_t *most)
{
	uint32_t *taken = memory_allocate(from->nodes, sizeof(*taken));

	for (const struct node_run *run = from->runs; run < from->runs + from->count; run++) {
		for (uint32_t node = run->node; node < run->node + run->nodes; node++) {
			uint32_t left = most[node] - taken[node];
			uint32_t tasks = left < run->tasks ? left : run->tasks;

			node_map_append(map, node, tasks);
			taken[node] += tasks;
		}
	}
	free(taken);
}

/* The run a task lies in; *first is the number of the run's first task. */
static const struct node_run *run_of_task(const struct node_map *map, uint32_t task,
					  uint32_t *first)
{
	*first = 0;
	for (size_t i = 0; i < map->count; i++) {
		uint32_t size = map->runs[i].nodes * map->runs[i].tasks;

		if (task - *first < size)
			return &map->runs[i];
		*first += size;
	}
	BUG("task %u is not in a map of %u tasks", task, map->tasks);
}

uint32_t node_map_node(const struct node_map *map, uint32_t task)
{
	uint32_t first;
	const struct node_run *run = run_of_task(map, task, &first);

	return run->node + (task - first) / run->tasks;
}

uint32_t node_map_slot(const struct node_map *map, uint32_t task)
{
	uint32_t first;
	const struct node_run *own = run_of_task(map, task, &first);
	uint32_t node = own->node + (task - first) / own->tasks;
	uint32_t slot = (task - first) % own->tasks;

	for (const struct node_run *run = map->runs; run < own; run++)
		if (node - run->node < run->nodes)
			slot += run->tasks;
	return slot;
}

uint32_t node_map_tasks_on(const struct node_map *map, uint32_t node)
{
	uint32_t tasks = 0;

	for (size_t i = 0; i < map->count; i++)
		if (node - map->runs[i].node < map->runs[i].nodes)
			tasks += map->runs[i].tasks;
	return tasks;
}

uint32_t *node_map_counts(const struct node_map *map)
{
	uint32_t *counts = memory_allocate(map->nodes, sizeof(*counts));

	for (const struct node_run *run = map->runs; run < map->runs + map->count; run++)
		for (uint32_t i = 0; i < run->nodes; i++)
			counts[run->node + i] += run->tasks;
	return counts;
}

uint32_t node_map_most_tasks(const struct node_map *map)
{
	uint32_t *counts = node_map_counts(map);
	uint32_t most = 0;

	for (uint32_t node = 0; node < map->nodes; node++)
		if (counts[node] > most)
			most = counts[node];
	free(counts);
	return most;
}

/* Tasks on nodes 0 .. node-1. */
static uint32_t tasks_before(const struct node_map *map, uint32_t node)
{
	uint32_t tasks = 0;

	for (size_t i = 0; i < map->count; i++) {
		const struct node_run *run = &map->runs[i];

		if (node > run->node)
			tasks += run->tasks *
				 (node - run->node < run->nodes ? node - run->node : run->nodes);
	}
	return tasks;
}

uint32_t node_map_position(const struct node_map *map, uint32_t task)
{
	return tasks_before(map, node_map_node(map, task)) + node_map_slot(map, task);
}

uint32_t node_map_in_slot(const struct node_map *map, uint32_t node, uint32_t slot)
{
	uint32_t first = 0;

	for (size_t i = 0; i < map->count; i++) {
		const struct node_run *run = &map->runs[i];

		if (node - run->node < run->nodes) {
			if (slot < run->tasks)
				return first + (node - run->node) * run->tasks + slot;
			slot -= run->tasks;
		}
		first += run->nodes * run->tasks;
	}
	BUG("node %u has no such slot", node);
}

uint32_t node_map_at(const struct node_map *map, uint32_t position)
{
	/* tasks_before(low) <= position < tasks_before(high) */
	uint32_t low = 0, high = map->nodes;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (tasks_before(map, middle) <= position)
			low = middle;
		else
			high = middle;
	}
	return node_map_in_slot(map, low, position - tasks_before(map, low));
}

uint32_t node_map_first(const struct node_map *map, uint32_t node)
{
	return node_map_in_slot(map, node, 0);
}
