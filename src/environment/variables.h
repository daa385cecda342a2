/* Environment variables that may be shown: a list of names, never all, and no secrets. */
#ifndef ENVIRONMENT_VARIABLES_H
#define ENVIRONMENT_VARIABLES_H

#include <stddef.h>

#include "base/text.h"

/* "SLURM_JOB_ID=…" lines of the variables of schedulers. */
void variables_add_scheduler(struct text *lines);
/* The number of the batch job; NULL: there is none. */
const char *variables_job_number(void);
/*
 * OMPI_MCA_…, UCX_…, FI_…, ROMIO_…, LD_PRELOAD …: variables that change what libraries do. Those
 * that launchers set for their tasks are left out, and those whose names speak of secrets.
 */
void variables_add_tuning(struct text *lines);

#endif
