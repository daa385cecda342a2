/* Whether directories of a metadata test are one, by a link or a mount: they would be in each other's way. */
#ifndef ENGINE_NAMES_SAME_DIRECTORY_H
#define ENGINE_NAMES_SAME_DIRECTORY_H

#include "engine/worker.h"

/* By task 0, which looks at them all, whether they are there or to be made: 0, or ERROR_INPUT. */
int same_directory_check(struct worker *worker, struct error *err);

#endif
