/* The workload of phases that move data through files: write, read, verify. */
#ifndef ENGINE_DATA_DATA_WORK_H
#define ENGINE_DATA_DATA_WORK_H

#include "engine/core/work.h"

extern const struct work data_work;

/* Adds the file that this task has open, and its wrong bytes, to an agreement. */
void data_agree(struct worker *worker, struct agreement *end);

#endif
