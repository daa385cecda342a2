/* Checks that MPI library and launcher are those that this program was built for. */
#ifndef COMM_LAUNCHER_H
#define COMM_LAUNCHER_H

#include <stdbool.h>

#include "base/error.h"

/* True if the environment says that a launcher of tasks started this process. */
bool launcher_started_this(void);

/*
 * Returns ERROR_INPUT when MPI_Get_library_version, in `library`, names another MPI than configure
 * found. MPIs with MPICH's binary interface may replace one another. Other MPIs are not checked.
 */
int launcher_check_library(const char *library, struct error *err);

/*
 * Returns ERROR_INPUT when MPI knows a single task and the environment says that a launcher started
 * several: a launcher of another MPI started several jobs of one task. `library` is for the
 * message.
 */
int launcher_check_tasks(int tasks, const char *library, struct error *err);

#endif
