/* The options of the mpiio backend, which exist also if it is not built in. */
#ifndef BACKENDS_MPIIO_H
#define BACKENDS_MPIIO_H

#include "options/option.h"

struct backend_options {
	bool use_file_view;
	bool preallocate;
	const char *hints_file;
	const char *hint; /* lines "name=value", or NULL */
};

extern const struct option_table mpiio_options;

#endif
