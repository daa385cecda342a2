/* The files for results: one list of output, summary_file and summary_format. */
#ifndef OPTIONS_OUTPUTS_H
#define OPTIONS_OUTPUTS_H

#include "options/job.h"

/* Fills job->outputs again. On failure *key is the wrong option. */
int outputs_settle(struct job *job, const char **key, struct error *err);
void outputs_release(struct job *job);

#endif
