/*
 * Metadata operations through MPI-IO, which can create, open and delete files. All others use the
 * operating system.
 */
#include "backends/mpiio_state.h"

#include <errno.h>
#include <string.h>

#include "backends/common/mpi_io.h"

/* ROMIO's file system prefixes ("ufs:PATH"), which no other MPI-IO knows. */
static const char *const prefixes[] = {
	"ufs:", "nfs:", "xfs:", "lustre:", "gpfs:", "panfs:", "pvfs2:", "daos:", "ime:", "testfs:"};

int mpiio_check(struct backend_session *session, const struct backend_open *how, struct error *err)
{
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (strncmp(how->path, prefixes[i], strlen(prefixes[i])) == 0)
			return error_input(err,
					   "test_file: %s begins with ROMIO's name of a file "
					   "system; leave out \"%s\", ROMIO finds it by itself",
					   how->path, prefixes[i]);
	if (!session->options->use_file_view || how->strided || how->source != UINT64_MAX)
		return 0;
	return error_input(err, "mpiio.use_file_view: a view shows a task's blocks in the order of "
				"the file, which a random order is not; leave one of the two out");
}

static int open_and_close(struct backend_session *session, const char *name, int mode,
			  struct error *err)
{
	const struct cause_call call = {.path = name,
					.access =
						mode & MPI_MODE_RDONLY ? ACCESS_READ : ACCESS_WRITE,
					.creates = mode & MPI_MODE_CREATE};
	char room[MPI_IO_SHORT];
	MPI_File handle;
	int code;

	errno = 0;
	code = MPI_File_open(MPI_COMM_SELF, mpi_io_path(name, room), mode, session->asked, &handle);
	if (code != MPI_SUCCESS)
		return mpiio_failed(err, "MPI_File_open", code, errno, &call);
	code = MPI_File_close(&handle);
	return code == MPI_SUCCESS ? 0 : mpiio_failed(err, "MPI_File_close", code, errno, &call);
}

int mpiio_create(struct backend_session *session, struct backend_directory *directory,
		 const char *name, mode_t mode, struct error *err)
{
	return open_and_close(session, name, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY,
			      err);
}

int mpiio_open_close(struct backend_session *session, struct backend_directory *directory,
		     const char *name, enum access access, struct error *err)
{
	return open_and_close(session, name,
			      access == ACCESS_WRITE ? MPI_MODE_WRONLY : MPI_MODE_RDONLY, err);
}

int mpiio_remove(struct backend_session *session, struct backend_directory *directory,
		 const char *name, struct error *err)
{
	char room[MPI_IO_SHORT];
	int code;

	errno = 0;
	code = MPI_File_delete(mpi_io_path(name, room), session->asked);
	return code == MPI_SUCCESS
		       ? 0
		       : mpiio_failed(err, "MPI_File_delete", code, errno,
				      &(struct cause_call){.path = name, .access = ACCESS_READ});
}
