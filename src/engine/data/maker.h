/* Tells by the content of an existing file who made it. Changes nothing. */
#ifndef ENGINE_DATA_MAKER_H
#define ENGINE_DATA_MAKER_H

#include "engine/core/worker.h"

/* MADE_ALIKE: the data look like IOR's, but other programs may write such data too. */
enum maker { MADE_NOTHING, MADE_EMPTY, MADE_OURS, MADE_IORS, MADE_ALIKE, MADE_OTHER };

static inline bool maker_is_foreign(enum maker maker)
{
	return maker == MADE_ALIKE || maker == MADE_OTHER;
}

/*
 * Finds who made the file at worker->path, its size and its allocated bytes: MADE_NOTHING if there
 * is no file, MADE_EMPTY if it has no bytes. Returns 0, or -1 with *err if it cannot be read.
 */
int maker_find(struct worker *worker, enum maker *maker, uint64_t *bytes, uint64_t *allocated,
	       struct error *err);

/*
 * The same by the first bytes alone, for a file of the operating system; a library would open only
 * files of its own format and layout. Returns 0, or -1 with *err if it cannot be read.
 */
int maker_recognise(const struct worker *worker, enum maker *maker, struct error *err);
/*
 * The same of a file that is open for reading. Leaves *maker as it is for one without bytes. The
 * error text has no name.
 */
int maker_recognise_open(int fd, enum maker *maker, struct error *err);

#endif
