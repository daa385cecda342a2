/* What the parts of the pnetcdf backend share. */
#ifndef BACKENDS_PNETCDF_STATE_H
#define BACKENDS_PNETCDF_STATE_H

#include <mpi.h>
#include <pnetcdf.h>

#include "backends/backend.h"
#include "backends/pnetcdf.h"

struct backend_session {
	const struct backend_options *options;
	MPI_Info hints; /* MPI_INFO_NULL until start has made it */
};

struct backend_file {
	const struct backend_session *session;
	int file; /* the library's number of it */
	int data; /* and of the variable */
	bool open; /* on all tasks that share it: they must close it together */
	bool collective;
	bool grows;   /* its length was not known at open: the dimension is the unlimited one */
	uint64_t end; /* bytes of the variable; of one that grows: that this task knows of */
	uint64_t define_ns;
};

int pnetcdf_check_how(struct backend_session *session, const struct backend_open *how,
		      struct error *err);
int pnetcdf_open(struct backend_session *session, struct backend_file *file,
		 const struct backend_open *how, struct error *err);
int pnetcdf_close(struct backend_file *file, struct error *err);

/* -1 and *err for what a call of the library returned. */
int pnetcdf_failed(struct error *err, int status, const char *call);

/* The same for any status: 0 when it is good. */
int pnetcdf_check(struct error *err, int status, const char *call);

#endif
