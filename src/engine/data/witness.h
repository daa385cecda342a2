/*
 * Whether the file of a phase is still the one that was opened, and whether it took what was
 * written.
 *
 * Another job may use the same test_file: it removes the file, or puts its own there. The inode of
 * the open descriptor is compared with that of the path behind the timed part. Device numbers are
 * local to a node, so tasks compare inodes only. No lock is taken: locks change caching on NFS.
 *
 * A witness is a descriptor of our own on a file that a library writes and closes.
 *
 * Libraries hide what close(2) returns, and a full disk or an exceeded quota may be reported there
 * only. The kernel reports an error of writing back to every descriptor that was open when it
 * happened (errseq_t, Linux 4.13 and later), so fsync on the witness learns of it.
 */
#ifndef ENGINE_DATA_WITNESS_H
#define ENGINE_DATA_WITNESS_H

#include "engine/core/worker.h"
#include "engine/data/data_state.h"

#define WITNESS_REPLACED \
	"another program removed or replaced the file; is another job using this test_file?"

/* Before a timed part that reads: notes which file worker->path is. */
void witness_note_path(struct worker *worker);
/* Before a test that replaces what stands at worker->path: notes which file it is. */
void witness_note_checked(struct worker *worker);
/* Before the close of a file that was written: notes which file the backend's descriptor has open.
 */
void witness_note_open(struct worker *worker);
/*
 * Call after the timed part: fails this task if worker->path is no longer the file that was noted.
 * same_for_all: all tasks noted the same shared file; false fails the task too.
 */
void witness_check(struct worker *worker, bool same_for_all);
/* Returns whether worker->path is another file than `identity`, as far as file systems tell. */
bool witness_replaced(const struct worker *worker, const struct file_identity *identity);

/*
 * Opens the witness of worker->path after the library has opened it for writing and before the
 * first transfer: on the first task of each node for a shared file, on every task for its own file.
 * Does nothing for backends that report every error. A witness that cannot be opened is left out.
 */
void witness_open(struct worker *worker);

/* Behind the timed part: notes which file the witness has open. */
void witness_note_own(struct worker *worker);
/*
 * Behind the timed part: syncs the file, if sync is true, and closes the witness. A failure becomes
 * the failure of this task.
 */
void witness_close(struct worker *worker, bool sync);

#endif
