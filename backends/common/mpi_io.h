/* Finds the MPI-IO implementation that serves a file, also below HDF5 and PnetCDF. */
#ifndef BACKENDS_COMMON_MPI_IO_H
#define BACKENDS_COMMON_MPI_IO_H

#include "backends/backend.h"
#include "backends/common/descriptor.h"

/* Members of struct backend that all libraries above MPI-IO have in common. */
#define MPI_IO_PROPERTIES                                                                        \
	.path_is = "a path of a file", .files = true, .collective = true, .sync_together = true, \
	.may_hide_errors = true, .size = descriptor_size,                                        \
	.session_size = sizeof(struct backend_session), .file_size = sizeof(struct backend_file)

enum { MPI_IO_SHORT = 4 }; /* room for "./q" */

/*
 * The name by which MPI-IO opens a path. OMPIO cannot open a name of one letter, so "./q" is made
 * of "q" in `room`. All others stay as they are.
 */
const char *mpi_io_path(const char *path, char room[MPI_IO_SHORT]);

/*
 * Reports "mpi_io", the implementation or "not known", and "mpi_io.known_by", the source of that
 * knowledge. effective: hints of the open file, or MPI_INFO_NULL. path: the file's.
 */
void mpi_io_add_settings(MPI_Info effective, const char *path, settings_add *add,
			 struct settings_sink *sink);

#endif
