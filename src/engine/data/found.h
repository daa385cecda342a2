/* Checks files that exist before a test, and whether the test may use them. Changes nothing. */
#ifndef ENGINE_DATA_FOUND_H
#define ENGINE_DATA_FOUND_H

#include "engine/core/worker.h"

/*
 * An existing file may be written if iorx made it (recreated), if it is empty (used), or with
 * use_existing_test_file or replace. A file that is only read must be long enough. Otherwise
 * reports ERROR_INPUT. Adds the space that the write replaces to *space. Where the size decides
 * what is read, sets worker->data->held to the transfers of the shortest file this task saw.
 */
int found_check(struct worker *worker, struct space *space, struct error *err);

/*
 * Call instead of found_check() where an earlier test of the job will make the files: reports
 * ERROR_INPUT if one is there now that a job file may not destroy.
 */
int found_check_owners(struct worker *worker, struct error *err);

/*
 * Call after found_check(), for a task whose file another task checked: reports ERROR_INPUT if this
 * node may not use it. Some libraries (OMPIO) wait forever if open fails on one task only.
 */
int found_check_shared(struct worker *worker, struct error *err);

/*
 * Returns ERROR_INPUT if a file that layout=missing has found, and iorx did not make, would be laid
 * out because others are missing.
 */
int found_check_missing(struct worker *worker, struct error *err);

/* True if the test deletes a file that must exist, or if a load overwrites it. */
bool found_destroys(const struct plan *plan);

#endif
