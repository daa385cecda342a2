/* Finds whether a library must open or create a file. */
#include "backends/common/create.h"

#include <sys/stat.h>
#include <unistd.h>

#include "backends/common/agree.h"
#include "backends/common/descriptor.h"

/* One task makes the file, with our mode and with the system's own words when it cannot. */
static enum way make_file(const struct backend_open *how, struct error *err)
{
	struct stat status;
	int fd = descriptor_open(how, NULL, err);
	enum way way = WAY_FAILED;

	if (fd < 0)
		return WAY_FAILED;
	if (fstat(fd, &status) == 0)
		way = status.st_size ? WAY_OPEN : WAY_CREATE;
	else
		descriptor_failed(err, "fstat");
	close(fd);
	return way;
}

/* Task 0 decides for all, as tasks that look at different times may see different files. */
int create_choose_way(const struct backend_open *how, enum way *way, struct error *err)
{
	int rank, chosen = WAY_FAILED;

	*way = WAY_OPEN;
	if (how->access == ACCESS_READ)
		return 0;
	MPI_Comm_rank(how->comm, &rank);
	if (rank == 0)
		chosen = make_file(how, err);
	MPI_Bcast(&chosen, 1, MPI_INT, 0, how->comm);
	*way = (enum way)chosen;
	return agree_open(how, rank == 0 && chosen == WAY_FAILED ? -1 : 0, err);
}
