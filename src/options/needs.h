/* Options that do something only with another one; job.h has what others than unused.c may ask. */
#ifndef OPTIONS_NEEDS_H
#define OPTIONS_NEEDS_H

#include "options/job.h"

/* A line for each option that is given where no test has what it needs. */
void needs_list_idle(const struct job *job, struct text *lines);

#endif
