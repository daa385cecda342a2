/* The options of the pnetcdf backend. */
#include "backends/common/hints.h"
#include "backends/pnetcdf.h"

#define O struct backend_options
#define GROUP .group = "pnetcdf"

const char *const pnetcdf_format_names[] = {
	[PNETCDF_CDF1] = "cdf1",
	[PNETCDF_CDF2] = "cdf2",
	[PNETCDF_CDF5] = "cdf5",
	[PNETCDF_CDF5 + 1] = NULL,
};

static const struct option pnetcdf_rows[] = {
	CHOICE(O, format, pnetcdf_format_names, .initial = "cdf5", GROUP,
	       .help = "Format of new files.",
	       .more = "A file's data may have 2 GiB in cdf1, 4 GiB in cdf2 (64-bit offset), and "
		       "any size in cdf5 (64-bit data)."),
	SIZE(O, align, .initial = "0", .max = 1 << 30, GROUP,
	     .help = "Alignment of the data in new files.",
	     .more = "It is the hint nc_var_align_size; 0 leaves it to the library, which puts "
		     "them right behind the header's 512 bytes."),
	HINTS_FILE("pnetcdf"),
	PAIRS(O, hint, GROUP, .help = "Give PnetCDF or the MPI-IO beneath it a hint.",
	      .more = "The results show the hints in effect beside those that were asked for."),
};

const struct option_table pnetcdf_options = {
	.prefix = "pnetcdf",
	.prefix_aliases = "ncmpi",
	.summary = "A variable in a netCDF file, through PnetCDF",
	OPTION_ROWS(pnetcdf_rows, struct backend_options),
};
