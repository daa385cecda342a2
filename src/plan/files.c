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

uint64_t plan_file_bytes(const struct plan *plan, uint32_t file)
{
	const uint64_t transfer = plan->geometry.transfer;
	uint64_t transfers;

	if (!plan->trace)
		return plan->file_size;
	transfers = (plan->trace->file_bytes[file] + transfer - 1) / transfer;
	return (transfers ? transfers : 1) * transfer;
}

uint64_t plan_own_bytes(const struct plan *plan)
{
	uint64_t bytes = 0;

	if (!plan->trace)
		return plan->file_size * plan->own_files;
	for (uint32_t i = 0; i < plan->own_files; i++)
		bytes += plan_file_bytes(plan, i);
	return bytes;
}

struct file_part plan_part(const struct plan *plan, uint32_t task, uint32_t file)
{
	const uint64_t transfers = plan_file_bytes(plan, file) / plan->geometry.transfer;
	const uint64_t sharer = plan_sharer(plan, task), sharers = plan_sharers(plan);
	const uint64_t first = (uint64_t)((unsigned __int128)transfers * sharer / sharers);
	const uint64_t end = (uint64_t)((unsigned __int128)transfers * (sharer + 1) / sharers);

	return (struct file_part){first, end - first};
}

uint64_t plan_transfers_of(const struct plan *plan, uint32_t task)
{
	uint64_t count = 0;

	if (!plan->trace)
		return plan->transfers_per_task;
	for (uint32_t i = 0; i < plan->own_files; i++)
		count += plan_part(plan, task, i).count;
	return count;
}

uint32_t plan_file_at(const struct plan *plan, uint32_t task, uint64_t *index)
{
	uint32_t file = 0;
	uint64_t count;

	while (file + 1 < plan->own_files &&
	       *index >= (count = plan_part(plan, task, file).count)) {
		*index -= count;
		file++;
	}
	return file;
}

/* The sharer whose part of a file of a trace is at an offset, as plan_part() divides the file. */
static uint32_t sharer_at(const struct plan *plan, uint32_t file, uint64_t offset)
{
	const uint64_t transfers = plan_file_bytes(plan, file) / plan->geometry.transfer;
	const uint64_t index = offset / plan->geometry.transfer;

	return (uint32_t)(((unsigned __int128)(index + 1) * plan_sharers(plan) - 1) / transfers);
}

uint32_t plan_block_owner(const struct plan *plan, uint32_t number, uint64_t offset)
{
	const struct geometry *geometry = &plan->geometry;
	const uint32_t group = number / plan->own_files;
	uint32_t sharer;

	if (plan->file_scope == LOAD_SCOPE_TASK)
		return group;
	sharer = plan->trace ? sharer_at(plan, number % plan->own_files, offset)
			     : (uint32_t)(offset / geometry->block % geometry->tasks);
	return plan->file_scope == LOAD_SCOPE_NODE ? node_map_in_slot(&plan->map, group, sharer)
						   : sharer;
}
