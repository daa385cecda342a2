/* Where the tasks of a crew run: their nodes and slots. */
#include "plan/seats.h"

#include <stdlib.h>

#include "base/memory.h"

int64_t seats_node(const struct seats *seats, uint32_t job_node)
{
	if (!seats->node_of)
		return job_node < seats->map->nodes ? (int64_t)job_node : SEATS_NONE;
	for (uint32_t node = 0; node < seats->map->nodes; node++)
		if (seats->node_of[node] == job_node)
			return node;
	return SEATS_NONE;
}

uint32_t seats_count(const struct seats *seats, uint32_t job_node)
{
	const int64_t node = seats_node(seats, job_node);

	return node == SEATS_NONE ? 0 : node_map_tasks_on(seats->map, (uint32_t)node);
}

uint32_t seats_first_slot(const struct seats *seats, uint32_t job_node)
{
	return seats->slot_of ? seats->slot_of[seats_node(seats, job_node)] : 0;
}

int64_t seats_task(const struct seats *seats, uint32_t job_node, uint32_t job_slot)
{
	const int64_t node = seats_node(seats, job_node);

	if (node == SEATS_NONE)
		return SEATS_NONE;
	uint32_t first = seats->slot_of ? seats->slot_of[node] : 0;

	if (job_slot < first || job_slot - first >= node_map_tasks_on(seats->map, (uint32_t)node))
		return SEATS_NONE;
	return node_map_in_slot(seats->map, (uint32_t)node, job_slot - first);
}

void seats_of_range(struct seats *seats, struct node_map *map, const struct node_map *job,
		    uint32_t first, uint32_t tasks)
{
	uint32_t *node_of = memory_allocate(tasks, sizeof(*node_of));
	uint32_t *slot_of = memory_allocate(tasks, sizeof(*slot_of));

	*map = (struct node_map){0};
	*seats = (struct seats){.map = map, .node_of = node_of, .slot_of = slot_of};
	for (uint32_t task = first; task < first + tasks; task++) {
		const uint32_t job_node = node_map_node(job, task);
		const int64_t known = seats_node(seats, job_node);

		if (known == SEATS_NONE) {
			node_of[map->nodes] = job_node;
			slot_of[map->nodes] = node_map_slot(job, task);
		}
		node_map_append(map, known == SEATS_NONE ? map->nodes : (uint32_t)known, 1);
	}
}

void seats_release(struct seats *seats, struct node_map *map)
{
	free((uint32_t *)seats->node_of);
	free((uint32_t *)seats->slot_of);
	node_map_release(map);
	*seats = (struct seats){0};
}
