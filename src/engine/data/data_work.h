/* The workload of phases that move data through files: write, read, verify. */
#ifndef ENGINE_DATA_DATA_WORK_H
#define ENGINE_DATA_DATA_WORK_H

#include "engine/core/work.h"

extern const struct work data_work;

#endif
