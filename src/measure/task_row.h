/*
 * The record of one task in one phase, for the table of tasks and for outliers. A merged measure
 * keeps only the extremes of these stamps. Plain memory that travels as bytes. Times are ns on the
 * common axis; 0 for steps that the task did not reach.
 */
#ifndef MEASURE_TASK_ROW_H
#define MEASURE_TASK_ROW_H

#include <stdbool.h>
#include <stdint.h>

struct task_row {
	uint32_t task, node;
	bool failed, stopped;
	uint64_t begin_ns; /* 0: the phase did not begin */
	uint64_t open_end_ns, first_issue_ns, last_completion_ns, sync_end_ns, close_end_ns;
	uint64_t bytes, transfers; /* transfers: the count of its rate; for a find, entries */
	uint64_t calls;		   /* timed calls (find: directories); their service times: */
	uint64_t sum_ns, min_ns, max_ns;
	uint32_t source;	    /* task whose blocks it moved */
	uint64_t own_ns;	    /* its time without waiting and collective steps */
	int64_t clock_offset_ns;    /* offset of its node's clock to node 0's at its begin */
	uint64_t clock_residual_ns; /* uncertainty of that offset */
};

/* The steps by which tasks are compared. The last one is the task's whole time. */
enum task_step { STEP_START, STEP_OPEN, STEP_TRANSFER, STEP_CLOSE, STEP_TOTAL, STEPS };

const char *task_step_name(enum task_step step); /* "start", "open", … */

/*
 * Seconds a task needed for a step. The close includes a sync at the end; the start counts from
 * since_ns.
 */
double task_row_seconds(const struct task_row *row, enum task_step step, uint64_t since_ns);

#endif
