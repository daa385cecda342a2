/*
 * Names the locations in a job where options were set, for errors. job.h has the functions for
 * other files.
 */
#ifndef OPTIONS_LOCATIONS_H
#define OPTIONS_LOCATIONS_H

#include "options/job.h"

/*
 * Adds the location of the most relevant of the keys, which blanks separate, before the error text.
 * spec NULL: keys are of the job. Returns -1.
 */
int location_add(const struct job *job, const struct test_spec *spec, const char *keys,
		 struct error *err);

#endif
