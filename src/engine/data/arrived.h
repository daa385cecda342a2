/*
 * Checks outside the timed part that data reported as written reached the file. Libraries may lie:
 * OMPIO returns full counts for collective writes to a full disk.
 */
#ifndef ENGINE_DATA_ARRIVED_H
#define ENGINE_DATA_ARRIVED_H

#include "engine/core/worker.h"

/*
 * Checks this task's data after a write phase without failure. After a stonewall or a stop the task
 * knows of less data than the plan.
 * - The keeper of the file checks its size and looks for holes.
 * - If the backend's library may hide errors, some of this task's transfers are read back through
 *   the backend and their stamps compared. If size or allocation look short, all are read back,
 *   within seconds.
 * Lost data fails the worker. The measure counts the transfers that were read back.
 */
void arrived_check(struct worker *worker, uint64_t repetition);

#endif
