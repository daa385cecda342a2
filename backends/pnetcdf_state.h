/* Shared by the pnetcdf backend's files. */
#ifndef BACKENDS_PNETCDF_STATE_H
#define BACKENDS_PNETCDF_STATE_H

#include <mpi.h>
#include <pnetcdf.h>

#include "backends/backend.h"
#include "backends/common/cause.h"
#include "backends/pnetcdf.h"

struct backend_session {
	const struct backend_options *options;
	MPI_Info hints; /* MPI_INFO_NULL until start has made it */
};

struct backend_file {
	const struct backend_session *session;
	char *path;
	int file;  /* the library's number of the file */
	int data;  /* the library's number of the variable */
	bool open; /* open on all tasks that share it, so close is collective */
	bool collective;
	bool grows;   /* length unknown at open: the dimension is unlimited */
	uint64_t end; /* bytes of the variable; if it grows: as far as this task knows */
	uint64_t define_ns;
};

int pnetcdf_check_how(struct backend_session *session, const struct backend_open *how,
		      struct error *err);
int pnetcdf_open(struct backend_session *session, struct backend_file *file,
		 const struct backend_open *how, struct error *err);
int pnetcdf_close(struct backend_file *file, struct error *err);

/* Returns 0 for a good status of a library call, else -1 with *err. */
int pnetcdf_check(struct error *err, int status, const char *call);
/* The same for a call on storage. Set errno to 0 before it: it helps to find the cause. */
int pnetcdf_check_storage(struct error *err, int status, const char *name,
			  const struct cause_call *call);

#endif
