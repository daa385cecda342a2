/* What a test finds where its files shall be, and whether it may use it. Touches nothing. */
#ifndef ENGINE_DATA_FOUND_H
#define ENGINE_DATA_FOUND_H

#include "engine/core/worker.h"

/*
 * A file that a write would meet must be made by iorx (it is recreated), empty (it is used), or wanted
 * by use_existing_test_file or replace; a file that is only read must be long enough. Otherwise
 * ERROR_INPUT. Adds what the write will replace to *space. Before reads with repeats worker->data->drawn
 * has the transfers of the shortest file that this task looked at.
 */
int found_check(struct worker *worker, struct space *space, struct error *err);

/*
 * After that, of a task that shares a file another one looks after: whether it may use it from where it
 * is, else ERROR_INPUT. Some libraries wait for ever in the open that fails on one task only (OMPIO).
 */
int found_check_shared(struct worker *worker, struct error *err);

/*
 * The free space under path number `number` of the test, by one task; known stays false where nobody
 * can tell, and where an earlier path lies on the same file system and has told of both.
 */
void found_space(const struct plan *plan, uint32_t number, struct space *space);

#endif
