/* The options of the mpiio backend. */
#include "backends/common/hints.h"
#include "backends/mpiio.h"

#define O struct backend_options
#define GROUP .group = "mpiio"

static const struct option mpiio_rows[] = {
	BOOL(O, use_file_view, GROUP, .ior_key = "useFileView", .letter = 'V',
	     .help = "Set a file view of each task's blocks.",
	     .more = "Offsets then count the task's own bytes. Without it they count the file's."),
	BOOL(O, preallocate, GROUP, .ior_key = "preallocate", .letter = 'p',
	     .help = "Allocate the file's space with MPI_File_preallocate after opening to write.",
	     .more = "It is part of the open, and some libraries do it by writing the file."),
	HINTS_FILE("mpiio"),
	PAIRS(O, hint, GROUP, .help = "Give MPI-IO a hint.",
	      .more = "The results show the hints in effect beside those that were asked for."),
};

const struct option_table mpiio_options = {
	.prefix = "mpiio",
	.summary = "Files through MPI-IO",
	OPTION_ROWS(mpiio_rows, struct backend_options),
};
