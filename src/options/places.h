/* Where in a job an option was set, as errors name it; job.h has what others than job.c may ask. */
#ifndef OPTIONS_PLACES_H
#define OPTIONS_PLACES_H

#include "options/job.h"

/*
 * Puts the place of the key that matters most before the text; spec NULL: keys are of the job. keys ends
 * with NULL or after `count`. Returns -1.
 */
int place_blame(const struct job *job, const struct test_spec *spec, const char *const *keys,
		size_t count, struct error *err);

#endif
