/*
 * The files of a test around its phases, never inside a timed part: making them ready, removing
 * them. Related: engine/data/found.h checks files that exist before the test, engine/data/cold.h
 * empties caches, and engine/data/arrived.h checks that the data arrived.
 *
 * A load may have several files of each task, or of the tasks that share them. Functions here work
 * on the current one of them, unless they say otherwise.
 *
 * The keeper of a file is its own task, or the first task that shares it. Errors name the file.
 */
#ifndef ENGINE_DATA_FILES_H
#define ENGINE_DATA_FILES_H

#include "engine/data/data_state.h"

/* Whether this task looks after the file that holds its data. */
bool files_is_keeper(const struct worker *worker);

/* Whether the test deletes whatever is in the way of a write. */
bool files_deletes_all(const struct test *test);

/*
 * Makes file number `number` of the task's files the current one: that of worker->data->file,
 * worker->file and worker->path. Does nothing if the task has one file only.
 */
void files_select(struct worker *worker, uint32_t number);
/* The number of the current file. */
static inline uint32_t files_selected(const struct worker *worker)
{
	return (uint32_t)(worker->data->file - worker->data->files);
}
/* Calls act with each file as the current one; afterwards the first one is. */
void files_each(struct worker *worker, void (*act)(struct worker *worker));
/* Before a phase: no file was opened in it. */
void files_forget_opened(struct worker *worker);
/* Whether all files that this task looks after may be used as they are. */
bool files_fit(const struct worker *worker);

/* Changes nothing. Reports ERROR_INPUT if transfers do not suit the alignment of direct I/O. */
int files_check_alignment(struct worker *worker, struct error *err);
/*
 * Changes nothing. Reports ERROR_INPUT if the backend cannot lay out the files of all phases as
 * planned.
 */
int files_check_layout(struct worker *worker, struct error *err);

/* Before a write phase: makes unique_dir's directory, removes what is recreated; counts it. */
int files_prepare(struct worker *worker, uint64_t repetition, struct error *err);

/* Open parameters of a phase, together with the tasks that share the file. */
struct backend_open files_open(const struct worker *worker, const struct phase_plan *phase,
			       uint32_t source);

/* Sets how a file that files_prepare() made ready is opened for writing. */
void files_create(struct worker *worker, struct backend_open *how);
/* Call after a failed open: says so if another program has taken or removed the name. */
void files_explain_open(struct worker *worker, const struct backend_open *how, struct error *err);

/*
 * Removes the files that this run made in a repetition, unless they are kept. With semantics=ior
 * also removes files that it found.
 */
int files_remove(struct worker *worker, uint64_t repetition, struct error *err);
/* Removes the files that this run made in a layout of a load that did not come to its end. */
int files_take_back(struct worker *worker, uint64_t repetition, struct error *err);

#endif
