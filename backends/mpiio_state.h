/* What the files of the mpiio backend share. */
#ifndef BACKENDS_MPIIO_STATE_H
#define BACKENDS_MPIIO_STATE_H

#include "backends/backend.h"
#include "backends/mpiio.h"

struct backend_session {
	const struct backend_options *options;
	MPI_Info asked;
};

typedef int mpiio_read_call(MPI_File handle, MPI_Offset offset, void *buffer, int count,
			    MPI_Datatype type, MPI_Status *status);
typedef int mpiio_write_call(MPI_File handle, MPI_Offset offset, const void *buffer, int count,
			     MPI_Datatype type, MPI_Status *status);

struct backend_file {
	const struct backend_session *session;
	char *path;
	MPI_File handle; /* MPI_FILE_NULL while it is not open */
	mpiio_read_call *read;
	mpiio_write_call *write;
	const char *names[ACCESS_COUNT]; /* of these two */
	bool own_handle; /* of a shared file: each task has opened it for itself */
	/*
	 * The view: `visible` bytes in every `stride` from `start` on. A transfer's offset in it is
	 * that in the file less start, less `gap` for each segment before; without a view all are 0.
	 */
	uint64_t start, visible, stride, gap;
	MPI_Datatype visible_type; /* MPI_DATATYPE_NULL: there is no view */
	bool strided;              /* the view is moved for each transfer */
};

/* Some bytes, also more than an int can count. To be freed; never fails. */
MPI_Datatype mpiio_bytes(uint64_t length);

/* Sets the view to begin at `start`; collective over the handle's tasks. */
int mpiio_set_view(struct backend_file *file, uint64_t start, struct error *err);

int mpiio_open(struct backend_session *session, struct backend_file *file,
	       const struct backend_open *how, struct error *err);
int mpiio_close(struct backend_file *file, struct error *err);
void mpiio_settings(struct backend_file *file, settings_tell *tell, struct settings_sink *sink);

/*
 * A call of MPI's failed: its name, what went wrong, and an errno value where one can be known. cause:
 * errno as the call left it, which counts when the library only says that something is wrong.
 */
int mpiio_failed(struct error *err, const char *call, int code, int cause);

/* No prefix of ROMIO stands before the path. */
int mpiio_check(struct backend_session *session, const struct backend_open *how, struct error *err);

/* Names: MPI has three operations for them, and no directories. */
int mpiio_create(struct backend_session *session, struct backend_directory *directory,
		 const char *name, mode_t mode, struct error *err);
int mpiio_open_close(struct backend_session *session, struct backend_directory *directory,
		     const char *name, enum access access, struct error *err);
int mpiio_remove(struct backend_session *session, struct backend_directory *directory,
		 const char *name, struct error *err);

#endif
