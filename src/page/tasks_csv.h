/*
 * The table of tasks: a row for each task of a phase. The caller writes the first columns, which
 * name the phase.
 */
#ifndef PAGE_TASKS_CSV_H
#define PAGE_TASKS_CSV_H

#include "base/text.h"
#include "measure/task_row.h"

void tasks_csv_head(struct text *out);
/*
 * names: true for a metadata phase. Its row has operations where others have transfers, and bytes
 * if any were moved. since_ns: the phase's first begin, on the common axis. host NULL: not known.
 */
void tasks_csv_row(struct text *out, const struct task_row *row, bool names, uint64_t since_ns,
		   const char *host);

#endif
