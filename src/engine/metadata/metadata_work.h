/* The workloads of a metadata test: one kind of operation on a tree, a walk over it, a mix on its files. */
#ifndef ENGINE_METADATA_METADATA_WORK_H
#define ENGINE_METADATA_METADATA_WORK_H

#include "engine/core/work.h"

extern const struct work metadata_work, find_work, mix_work;

#endif
