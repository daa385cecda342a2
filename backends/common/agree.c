/* Agreement of the tasks that share a file. */
#include "backends/common/agree.h"

#include <stdio.h>
#include <string.h>

static void name_task(struct error *err, int first)
{
	size_t used = strlen(err->text);

	snprintf(err->text + used, sizeof(err->text) - used, " (on task %d of those that share it)",
		 first);
}

static int agree_all(MPI_Comm comm, int ret, struct error *err)
{
	struct error theirs;
	int rank, tasks, mine, first;

	MPI_Comm_size(comm, &tasks);
	if (tasks == 1)
		return ret;
	MPI_Comm_rank(comm, &rank);
	/* In a collective call often one task alone learns the cause. */
	const bool knows = ret < 0 && (err->code || err->kind != ERROR_IO);

	mine = ret == 0 ? 2 * tasks : knows ? rank : rank + tasks;
	MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
	if (first == 2 * tasks)
		return 0;
	first %= tasks;
	if (rank == first)
		theirs = *err;
	MPI_Bcast(&theirs, sizeof(theirs), MPI_BYTE, first, comm);
	if (knows || (ret < 0 && !theirs.code))
		return -1;
	*err = theirs;
	name_task(err, first);
	return -1;
}

int agree_open(const struct backend_open *how, int ret, struct error *err)
{
	if (ret < 0 && how->failing)
		how->failing(how->watcher, err);
	return agree_all(how->comm, ret, err);
}
