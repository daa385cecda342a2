/*
 * Which MPI-IO serves a file, also underneath HDF5 and PnetCDF.
 */
#ifndef BACKENDS_COMMON_MPI_IO_H
#define BACKENDS_COMMON_MPI_IO_H

#include "backends/backend.h"

/*
 * Tells "mpi_io", the implementation or "not known", and "mpi_io.known_by", what says so. effective: the
 * hints that the open file shows, or MPI_INFO_NULL; path: the file's.
 */
void mpi_io_tell(MPI_Info effective, const char *path, settings_tell *tell,
		 struct settings_sink *sink);

#endif
