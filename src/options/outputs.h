/* The files the results go to: output, summary_file and summary_format made one list. */
#ifndef OPTIONS_OUTPUTS_H
#define OPTIONS_OUTPUTS_H

#include "options/job.h"

/* Fills job->outputs anew; on failure *key is the option that is wrong. */
int outputs_settle(struct job *job, const char **key, struct error *err);
void outputs_release(struct job *job);

#endif
