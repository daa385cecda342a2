/* A row for each task of a phase. */
#include "page/tasks_csv.h"

#include <inttypes.h>

#include "page/csv.h"

void tasks_csv_head(struct text *out)
{
	text_add(out,
		 "task,node,host,failed,stopped,bytes,transfers,operations,begin_s,open_s,transfer_"
		 "s,sync_s,close_s,total_s,total_bytes_per_s,transfer_bytes_per_s,total_operations_"
		 "per_s,mean_ns,min_ns,max_ns,clock_offset_ns,clock_residual_ns\n");
}

static double between(uint64_t from_ns, uint64_t to_ns)
{
	return (double)(int64_t)(to_ns - from_ns) / 1e9;
}

static void add_count(struct text *out, bool counted, uint64_t count)
{
	text_add(out, ",");
	if (counted)
		text_add(out, "%" PRIu64, count);
}

static void add_rate(struct text *out, bool counted, uint64_t count, double seconds)
{
	text_add(out, ",");
	if (counted && seconds > 0)
		text_add(out, "%.17g", (double)count / seconds);
}

void tasks_csv_row(struct text *out, const struct task_row *row, bool names, uint64_t since_ns,
		   const char *host)
{
	const bool data = !names || row->bytes;

	double transfer = task_row_seconds(row, STEP_TRANSFER, since_ns);
	double total = task_row_seconds(row, STEP_TOTAL, since_ns);

	text_add(out, "%" PRIu32 ",%" PRIu32 ",", row->task, row->node);
	csv_add_text(out, host ? host : "");
	text_add(out, ",%d,%d", row->failed, row->stopped);
	add_count(out, data, row->bytes);
	add_count(out, !names, row->transfers);
	add_count(out, names, row->transfers);
	text_add(out, ",%.9f,%.9f,%.9f,", task_row_seconds(row, STEP_START, since_ns),
		 task_row_seconds(row, STEP_OPEN, since_ns), transfer);
	if (row->sync_end_ns)
		text_add(out, "%.9f", between(row->last_completion_ns, row->sync_end_ns));
	text_add(out, ",%.9f,%.9f",
		 between(row->sync_end_ns ? row->sync_end_ns : row->last_completion_ns,
			 row->close_end_ns),
		 total);
	add_rate(out, data, row->bytes, total);
	add_rate(out, data, row->bytes, transfer);
	add_rate(out, names, row->transfers, total);
	if (row->calls)
		text_add(out, ",%.1f,%" PRIu64 ",%" PRIu64,
			 (double)row->sum_ns / (double)row->calls, row->min_ns, row->max_ns);
	else
		text_add(out, ",,,");
	text_add(out, ",%" PRIi64 ",%" PRIu64 "\n", row->clock_offset_ns, row->clock_residual_ns);
}
