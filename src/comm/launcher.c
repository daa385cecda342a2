/* Finds programs that were linked with, or started by, another MPI than their own. */
#include "comm/launcher.h"

#include "config.h"

#include <stdlib.h>
#include <string.h>

static const char open_mpi[] = "Open MPI";

int launcher_check_library(const char *library, struct error *err)
{
	static const char *const like_mpich[] = {"MPICH", "MVAPICH", "Intel(R) MPI"};
	bool foreign = !strcmp(MPI_NAME, "MPICH") && strstr(library, open_mpi);

	for (size_t i = 0; i < sizeof(like_mpich) / sizeof(like_mpich[0]); i++)
		foreign |= !strcmp(MPI_NAME, open_mpi) && strstr(library, like_mpich[i]);
	if (!foreign)
		return 0;
	return error_input(err,
			   "iorx was built for %s, but the MPI library is %.*s; load the modules "
			   "it was built with, or configure and build it again",
			   MPI_NAME, (int)strcspn(library, ","), library);
}

/* The number in an environment variable, -1 if it is not set. */
static long number(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value ? strtol(value, NULL, 10) : -1;
}

/* The environment variable that shows that several tasks were started; NULL if there is none. */
static const char *variable_of_several(void)
{
	static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
	const char *found = NULL;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		long size = number(sizes[i]);

		/* a launcher inside another launcher's step was asked for a single task */
		if (size == 1)
			return NULL;
		if (size > 1)
			found = sizes[i];
	}
	if (found)
		return found;
	/*
	 * Only a step of srun sets this variable; batch scripts have SLURM_NTASKS and SLURM_PROCID.
	 */
	if (number("SLURM_STEP_NUM_TASKS") > 1)
		return "SLURM_STEP_NUM_TASKS";
	return number("PMIX_RANK") > 0 ? "PMIX_RANK" : NULL;
}

bool launcher_started_this(void)
{
	return getenv("OMPI_COMM_WORLD_SIZE") || variable_of_several();
}

int launcher_check_tasks(int tasks, const char *library, struct error *err)
{
	const char *variable = tasks == 1 ? variable_of_several() : NULL;

	if (!variable)
		return 0;
	return error_input(err,
			   "%s=%s: several tasks were started, but each is an MPI job of its own, "
			   "as the launcher does not belong to this MPI (%.*s); use the mpiexec of "
			   "this MPI, or srun --mpi=pmix; --allow-separate-jobs goes on",
			   variable, getenv(variable), (int)strcspn(library, ","), library);
}
