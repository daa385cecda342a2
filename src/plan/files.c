/* Numbers the files of a test and says which tasks share them. */
#include "plan/plan.h"

uint32_t plan_sharers(const struct plan *plan)
{
	return plan->geometry.shared ? (uint32_t)plan->geometry.tasks : 1;
}

uint32_t plan_sharer(const struct plan *plan, uint32_t task)
{
	switch (plan->file_scope) {
	case LOAD_SCOPE_TASK:
		return 0;
	case LOAD_SCOPE_NODE:
		return node_map_slot(&plan->map, task);
	case LOAD_SCOPE_TEST:
		break;
	}
	return task;
}

/* The number of the tasks that share files with this one, among all such groups. */
static uint32_t group_of(const struct plan *plan, uint32_t task)
{
	switch (plan->file_scope) {
	case LOAD_SCOPE_TASK:
		return task;
	case LOAD_SCOPE_NODE:
		return node_map_node(&plan->map, task);
	case LOAD_SCOPE_TEST:
		break;
	}
	return 0;
}

uint64_t plan_file_count(const struct plan *plan)
{
	const uint64_t groups = plan->file_scope == LOAD_SCOPE_TASK   ? plan->map.tasks
				: plan->file_scope == LOAD_SCOPE_NODE ? plan->map.nodes
								      : 1;

	return groups * plan->own_files;
}

uint32_t plan_file_number(const struct plan *plan, uint32_t task, uint32_t file)
{
	return group_of(plan, task) * plan->own_files + file;
}

uint32_t plan_file_of(const struct plan *plan, uint32_t number, uint32_t *task)
{
	const uint32_t group = number / plan->own_files;

	*task = plan->file_scope == LOAD_SCOPE_TASK   ? group
		: plan->file_scope == LOAD_SCOPE_NODE ? node_map_first(&plan->map, group)
						      : 0;
	return number % plan->own_files;
}

uint32_t plan_block_owner(const struct plan *plan, uint32_t number, uint64_t offset)
{
	const struct geometry *geometry = &plan->geometry;
	const uint32_t group = number / plan->own_files;
	uint32_t sharer;

	if (plan->file_scope == LOAD_SCOPE_TASK)
		return group;
	sharer = (uint32_t)(offset / geometry->block % geometry->tasks);
	return plan->file_scope == LOAD_SCOPE_NODE ? node_map_in_slot(&plan->map, group, sharer)
						   : sharer;
}
