/* Shared by the mpiio backend's files. */
#ifndef BACKENDS_MPIIO_STATE_H
#define BACKENDS_MPIIO_STATE_H

#include "backends/backend.h"
#include "backends/common/cause.h"
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
	const char *names[ACCESS_COUNT]; /* names of these two calls */
	bool own_handle;		 /* each task has opened the shared file for itself */
	/*
	 * The view: `visible` bytes in every `stride` from `start` on. A transfer's offset in the
	 * view is its offset in the file minus start, minus `gap` for each earlier segment. Without
	 * a view all four are 0.
	 */
	uint64_t start, visible, stride, gap;
	MPI_Datatype visible_type; /* MPI_DATATYPE_NULL: there is no view */
	bool strided;		   /* the view is moved for each transfer */
};

/*
 * A datatype of `length` bytes, also more than an int can count. The caller frees it. Never fails.
 */
MPI_Datatype mpiio_bytes(uint64_t length);

/* Sets the view to begin at `start`; collective over the handle's tasks. */
int mpiio_set_view(struct backend_file *file, uint64_t start, struct error *err);

int mpiio_open(struct backend_session *session, struct backend_file *file,
	       const struct backend_open *how, struct error *err);
int mpiio_close(struct backend_file *file, struct error *err);
void mpiio_settings(struct backend_file *file, settings_add *add, struct settings_sink *sink);

/*
 * Reports a failed MPI call: its name, the reason, and an errno value if it can be known. cause:
 * errno after the call, which is used if the library gives no exact reason. place: how to find the
 * cause if that says nothing either.
 */
int mpiio_failed(struct error *err, const char *call, int code, int cause,
		 const struct cause_call *place);

/* Refuses a path with one of ROMIO's prefixes. */
int mpiio_check(struct backend_session *session, const struct backend_open *how, struct error *err);

/* Metadata operations: MPI has these three, and none on directories. */
int mpiio_create(struct backend_session *session, struct backend_directory *directory,
		 const char *name, mode_t mode, struct error *err);
int mpiio_open_close(struct backend_session *session, struct backend_directory *directory,
		     const char *name, enum access access, struct error *err);
int mpiio_remove(struct backend_session *session, struct backend_directory *directory,
		 const char *name, struct error *err);

#endif
