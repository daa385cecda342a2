/*
 * Names the locations in a job where options were set, for errors. job.h has the functions for
 * other files.
 */
#ifndef OPTIONS_LOCATIONS_H
#define OPTIONS_LOCATIONS_H

#include "options/job.h"

/*
 * Adds the location of the most relevant key before the error text. spec NULL: keys are of the job.
 * keys ends with NULL or after `count`. Returns -1.
 */
int location_add(const struct job *job, const struct test_spec *spec, const char *const *keys,
		 size_t count, struct error *err);

#endif
