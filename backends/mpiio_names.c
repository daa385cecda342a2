/* Names through MPI-IO: it creates, opens and deletes files; the rest is the operating system's. */
#include "backends/mpiio_state.h"

#include <errno.h>
#include <string.h>

#include "backends/common/descriptor.h"
#include "backends/common/names.h"

/* ROMIO's names of file systems, which may stand before a path and a colon. */
static const char *const prefixes[] = { "ufs:",   "nfs:",    "xfs:",  "lustre:", "gpfs:",
					"panfs:", "pvfs2:",  "daos:", "ime:",    "testfs:" };

const char *mpiio_bare(const char *path)
{
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t length = strlen(prefixes[i]);

		if (strncmp(path, prefixes[i], length) == 0)
			return path + length;
	}
	return path;
}

int mpiio_size(struct backend_session *session, const char *path, uint64_t *bytes,
	       uint64_t *allocated, struct error *err)
{
	return descriptor_size(session, mpiio_bare(path), bytes, allocated, err);
}

int mpiio_truncate(struct backend_session *session, const char *path, uint64_t bytes,
		   struct error *err)
{
	return descriptor_truncate(session, mpiio_bare(path), bytes, err);
}

static int open_and_close(struct backend_session *session, const char *name, int mode,
			  struct error *err)
{
	MPI_File handle;
	int code;

	errno = 0;
	code = MPI_File_open(MPI_COMM_SELF, name, mode, session->asked, &handle);
	if (code != MPI_SUCCESS)
		return mpiio_failed(err, "MPI_File_open", code, errno);
	code = MPI_File_close(&handle);
	return code == MPI_SUCCESS ? 0 : mpiio_failed(err, "MPI_File_close", code, errno);
}

int mpiio_create(struct backend_session *session, struct backend_directory *directory,
		 const char *name, mode_t mode, struct error *err)
{
	(void)directory;
	(void)mode; /* MPI has no word for it: the library's own, under the umask */
	return open_and_close(session, name, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY,
			      err);
}

int mpiio_open_close(struct backend_session *session, struct backend_directory *directory,
		     const char *name, enum access access, struct error *err)
{
	(void)directory;
	return open_and_close(session, name,
			      access == ACCESS_WRITE ? MPI_MODE_WRONLY : MPI_MODE_RDONLY, err);
}

int mpiio_remove(struct backend_session *session, struct backend_directory *directory,
		 const char *name, struct error *err)
{
	int code;

	(void)directory;
	errno = 0;
	code = MPI_File_delete(name, session->asked);
	return code == MPI_SUCCESS ? 0 : mpiio_failed(err, "MPI_File_delete", code, errno);
}

int mpiio_stat(struct backend_session *session, struct backend_directory *directory,
	       const char *name, struct stat *status, struct error *err)
{
	return names_stat(session, directory, mpiio_bare(name), status, err);
}
