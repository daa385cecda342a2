/*
 * Checks outside the timed part that data reported as written reached the file. Libraries may lie:
 * OMPIO returns full counts for collective writes to a full disk.
 */
#ifndef ENGINE_DATA_ARRIVED_H
#define ENGINE_DATA_ARRIVED_H

#include "engine/core/worker.h"

/*
 * Each task's own, after a write phase without failure, as far as this task knows what there must be:
 * less than the plan after a stonewall or a stop.
 * - The size of the file, and holes in it: by the file's keeper.
 * - Where the backend's library may hide errors: some of this task's transfers are read back
 *   through the backend and their stamps compared; all of them, within seconds, when size or
 *   allocation look short.
 * Data that was lost fails the worker. What was looked at is counted in the measure.
 */
void arrived_check(struct worker *worker, uint64_t repetition);

#endif
