/* The options of the pnetcdf backend, which exist also if it is not built in. */
#ifndef BACKENDS_PNETCDF_H
#define BACKENDS_PNETCDF_H

#include "options/option.h"

enum pnetcdf_format { PNETCDF_CDF1, PNETCDF_CDF2, PNETCDF_CDF5 };

struct backend_options {
	int format; /* enum pnetcdf_format */
	uint64_t align;
	const char *hints_file;
	const char *hint; /* lines "name=value", or NULL */
};

extern const char *const pnetcdf_format_names[];
extern const struct option_table pnetcdf_options;

#endif
