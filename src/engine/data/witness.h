/*
 * A descriptor of our own on a file that a library writes and closes.
 *
 * Libraries hide what close(2) returns, and a full disk or an exceeded quota may be reported there
 * only. The kernel reports an error of writing back to every descriptor that was open when it
 * happened (errseq_t, Linux 4.13 and later), so fsync on the witness learns of it.
 */
#ifndef ENGINE_DATA_WITNESS_H
#define ENGINE_DATA_WITNESS_H

#include "engine/worker.h"

/*
 * Opens the witness of worker->path after the library has opened it for writing and before the
 * first transfer: on the first task of each node for a shared file, on every task for its own file.
 * Does nothing for backends that report every error. A witness that cannot be opened is left out.
 */
void witness_open(struct worker *worker);

/*
 * Behind the timed part: syncs the file, if sync is true, and closes the witness. A failure becomes
 * the failure of this task.
 */
void witness_close(struct worker *worker, bool sync);

#endif
