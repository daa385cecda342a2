/* Environment variables that may be shown. */
#include "environment/variables.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static const char *const scheduler[] = {"SLURM_JOB_ID=",
					"SLURM_JOB_NAME=",
					"SLURM_JOB_PARTITION=",
					"SLURM_JOB_NODELIST=",
					"SLURM_JOB_NUM_NODES=",
					"SLURM_NTASKS=",
					"SLURM_JOB_END_TIME=",
					"PBS_JOBID=",
					"PBS_QUEUE=",
					"LSB_JOBID=",
					"LSB_QUEUE=",
					"FLUX_JOB_ID=",
					NULL};

static const char *const tuning[] = {
	"OMPI_MCA_", "PMIX_",	    "UCX_",   "FI_",	"ROMIO_",     "HDF5_",
	"DARSHAN_",  "LD_PRELOAD=", "MPICH_", "I_MPI_", "MPIR_CVAR_", NULL};

/*
 * Variables that launchers set for their tasks: addresses, names of daemons and ranks, which no
 * user chose.
 */
static const char *const launcher_internals[] = {"OMPI_MCA_orte_",
						 "OMPI_MCA_ess",
						 "OMPI_MCA_pmix",
						 "OMPI_MCA_initial_wdir",
						 "PMIX_MCA_mca_base_component_show_load_errors",
						 "PMIX_BFROP_",
						 "PMIX_DSTORE_",
						 "PMIX_GDS_",
						 "PMIX_HOSTNAME",
						 "PMIX_ID",
						 "PMIX_KEEPALIVE_",
						 "PMIX_NAMESPACE",
						 "PMIX_PTL_",
						 "PMIX_RANK",
						 "PMIX_SECURITY_",
						 "PMIX_SERVER_",
						 "PMIX_SYSTEM_",
						 "PMIX_VERSION",
						 "MPIR_CVAR_CH3_INTERFACE_HOSTNAME",
						 "I_MPI_HYDRA_",
						 "I_MPI_INFO_",
						 NULL};

/* Parts of names under which credentials are kept. */
static const char *const secrets[] = {"KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL", NULL};

static bool starts_with_any(const char *entry, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (!strncmp(entry, *prefixes, strlen(*prefixes)))
			return true;
	return false;
}

static bool is_secret(const char *entry)
{
	const size_t name = strcspn(entry, "=");

	for (const char *const *secret = secrets; *secret; secret++) {
		const char *found = strcasestr(entry, *secret);

		if (found && (size_t)(found - entry) < name)
			return true;
	}
	return false;
}

static void variables_add(struct text *lines, const char *const *prefixes)
{
	for (char **entry = environ; *entry; entry++)
		if (starts_with_any(*entry, prefixes) &&
		    !starts_with_any(*entry, launcher_internals) && !is_secret(*entry) &&
		    !strchr(*entry, '\n'))
			text_add(lines, "%s\n", *entry);
}

void variables_add_scheduler(struct text *lines)
{
	variables_add(lines, scheduler);
}

const char *variables_job_number(void)
{
	static const char *const names[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID",
					    "FLUX_JOB_ID"};
	const char *number = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !number; i++)
		number = getenv(names[i]);
	return number;
}

void variables_add_tuning(struct text *lines)
{
	variables_add(lines, tuning);
}
