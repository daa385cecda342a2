/* Where the tasks of a crew run: their nodes and slots. */
#include "plan/seats.h"

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
