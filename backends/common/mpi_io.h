/* Finds the MPI-IO implementation that serves a file, also below HDF5 and PnetCDF. */
#ifndef BACKENDS_COMMON_MPI_IO_H
#define BACKENDS_COMMON_MPI_IO_H

#include "backends/backend.h"

/*
 * Reports "mpi_io", the implementation or "not known", and "mpi_io.known_by", the source of that
 * knowledge. effective: hints of the open file, or MPI_INFO_NULL. path: the file's.
 */
void mpi_io_add_settings(MPI_Info effective, const char *path, settings_add *add,
			 struct settings_sink *sink);

#endif
