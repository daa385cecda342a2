/* The seed and the repetition of data that this run did not write, learned from the data itself. */
#ifndef ENGINE_DATA_LEARN_H
#define ENGINE_DATA_LEARN_H

#include "engine/core/look.h"

/* Returns whether a comparing run must learn the origin of the data that it reads. */
bool learn_is_needed(const struct plan *plan);

/*
 * Reads sectors of task 0's file through the backend, on this task alone. With a file per task it
 * reads the first of 16 files that holds a stamp. Reports ERROR_INPUT if no data is stamped, or if
 * its seed is not the given one. Sets only seed and repetition of *lesson.
 */
learner learn_from_file;

#endif
