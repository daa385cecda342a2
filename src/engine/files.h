/*
 * The files of a test around its phases, never inside a timed part: what is there before, making it
 * ready, dropping it from caches, removing it. Whether everything arrived: engine/arrived.h.
 *
 * A file of its own is looked after by its task, the shared file by task 0. Errors name the file.
 */
#ifndef ENGINE_FILES_H
#define ENGINE_FILES_H

#include "engine/worker.h"
#include "measure/measure.h"

/* Whether this task looks after the file that holds its data. */
bool files_is_keeper(const struct worker *worker);

/*
 * Touches nothing. A file that a write would meet must be made by iorx (it is recreated), empty (it
 * is used), or wanted by use_existing_test_file or replace; a file that is only read must be long
 * enough. Otherwise ERROR_INPUT. Adds what the write will replace to *space.
 */
int files_check(struct worker *worker, struct space *space, struct error *err);

/*
 * After that, of a task that shares a file another one looks after: whether it may use it from where it
 * is, else ERROR_INPUT. Some libraries wait for ever in the open that fails on one task only (OMPIO).
 */
int files_check_shared(struct worker *worker, struct error *err);

/* Before a write phase: makes unique_dir's directory, removes what is recreated; counts it. */
int files_prepare(struct worker *worker, uint64_t repetition, struct error *err);

/* Before a cold read: the test's cold= method on this node's part. */
int files_make_cold(struct worker *worker, uint32_t source, uint64_t repetition,
		    struct error *err);

/* Pages in this node's cache of what was written or will be read. */
void files_observe_cache(struct worker *worker, struct cache_state *state);

/*
 * Removes what this run made in a repetition, unless it is to be kept; with semantics=ior also what it
 * found.
 */
int files_remove(struct worker *worker, uint64_t repetition, struct error *err);

/*
 * The free space under path number `number` of the test, by one task; known stays false where nobody
 * can tell, and where an earlier path lies on the same file system and has told of both.
 */
void files_space(const struct plan *plan, uint32_t number, struct space *space);

#endif
