/* The record of one task in one phase. */
#include "measure/task_row.h"

static const char *const step_names[STEPS] = {"start", "open", "transfer", "close", "total"};

const char *task_step_name(enum task_step step)
{
	return step_names[step];
}

double task_row_seconds(const struct task_row *row, enum task_step step, uint64_t since_ns)
{
	const uint64_t spans[STEPS][2] = {
		[STEP_START] = {since_ns, row->begin_ns},
		[STEP_OPEN] = {row->begin_ns, row->open_end_ns},
		[STEP_TRANSFER] = {row->first_issue_ns, row->last_completion_ns},
		[STEP_CLOSE] = {row->last_completion_ns, row->close_end_ns},
		[STEP_TOTAL] = {row->begin_ns, row->close_end_ns},
	};

	return (double)(int64_t)(spans[step][1] - spans[step][0]) / 1e9;
}
