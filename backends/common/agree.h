/*
 * One answer for all tasks that share a file: the contract wants an open that fails on one of them to
 * fail on every one.
 */
#ifndef BACKENDS_COMMON_AGREE_H
#define BACKENDS_COMMON_AGREE_H

#include <mpi.h>

#include "backends/backend.h"
#include "base/error.h"

/*
 * Collective over comm. ret and *err are this task's own outcome; when a task has failed, all return
 * -1 and those that had not get the error of the first that did.
 */
int agree_all(MPI_Comm comm, int ret, struct error *err);

/* The same in an open whose library may keep the others: who watches it is told before. */
int agree_open(const struct backend_open *how, int ret, struct error *err);

#endif
