/* The options of the hdf5 backend; known also where it is not built in. */
#include "backends/common/hints.h"
#include "backends/hdf5.h"

const char *const hdf5_filters[] = {
	[HDF5_FILTER_NONE] = "none",
	[HDF5_FILTER_DEFLATE] = "deflate",
	[HDF5_FILTER_SHUFFLE_DEFLATE] = "shuffle+deflate",
	[HDF5_FILTER_FLETCHER32] = "fletcher32",
	NULL,
};

const char *const hdf5_elements[] = {
	[HDF5_BYTE] = "byte",
	[HDF5_INT16] = "int16",
	[HDF5_INT32] = "int32",
	[HDF5_INT64] = "int64",
	[HDF5_FLOAT] = "float",
	[HDF5_DOUBLE] = "double",
	NULL,
};

const char *const hdf5_libvers[] = {
	[HDF5_EARLIEST] = "earliest",
	[HDF5_V18] = "v18",
	[HDF5_V110] = "v110",
	[HDF5_V112] = "v112",
	[HDF5_V114] = "v114",
	[HDF5_LATEST] = "latest",
	NULL,
};

static const struct option rows[] = {
	BOOL(struct backend_options, individual_datasets, .ior_key = "individualDataSets",
	     .letter = 'I', .group = "hdf5",
	     .help = "One dataset for each segment, instead of one for the file.",
	     .more = "All datasets are made in the open; the results also give that time on its "
		     "own."),
	COUNT(struct backend_options, max_datasets, .initial = "10000", .min = 1, .group = "hdf5",
	      .help = "Refuse to make more datasets than this in one file."),
	CHOICE(struct backend_options, element_type, hdf5_elements, .initial = "byte",
	       .group = "hdf5", .help = "Type of a dataset's elements.",
	       .more = "block_size and transfer_size must be multiples of its size. Values are "
		       "moved as they are, never converted."),
	SIZE(struct backend_options, chunk_bytes, .initial = "0", .max = 0xffffffff,
	     .group = "hdf5",
	     .help = "Bytes of a chunk; 0: datasets lie in one piece (contiguous)."),
	COUNT(struct backend_options, chunk_size, .initial = "0",
	      .max = 0xffffffff / HDF5_IOR_ELEMENT, .group = "hdf5",
	      .help = "Elements of 8 bytes in a chunk, as IOR counts them."),
	CHOICE(struct backend_options, filter, hdf5_filters, .initial = "none", .group = "hdf5",
	       .help = "Filter for chunks on their way to the file.",
	       .more = "It needs hdf5.chunk_bytes, HDF5 1.10.2 and, to write a shared file, "
		       "collective transfers."),
	COUNT(struct backend_options, deflate_level, .initial = "1", .max = 9, .group = "hdf5",
	      .help = "Compression level of deflate, 0 to 9."),
	BOOL(struct backend_options, no_fill, .ior_key = "noFill", .letter = 'n', .group = "hdf5",
	     .help = "Never write fill values into new datasets."),
	SIZE(struct backend_options, alignment, .initial = "1", .min = 1, .group = "hdf5",
	     .help = "Objects in the file begin at multiples of this.",
	     .more = "It applies to objects of at least hdf5.alignment_threshold bytes."),
	SIZE(struct backend_options, alignment_threshold, .initial = "0", .group = "hdf5",
	     .help = "Smaller objects are not aligned."),
	SIZE(struct backend_options, set_alignment, .ior_key = "setAlignment", .letter = 'J',
	     .initial = "1", .min = 1, .group = "hdf5",
	     .help = "IOR's setAlignment: both alignment and alignment_threshold."),
	BOOL(struct backend_options, collective_metadata, .aliases = "collectiveMetadata",
	     .group = "hdf5", .help = "Read and write metadata collectively."),
	BOOL(struct backend_options, metadata_evictions, .initial = "true", .group = "hdf5",
	     .help = "Let the metadata cache evict and resize; false keeps all until the file "
		     "closes."),
	SIZE(struct backend_options, metadata_cache_size, .initial = "0", .max = 128 << 20,
	     .group = "hdf5",
	     .help = "Bytes of the metadata cache at first; 0: the library's own."),
	CHOICE(struct backend_options, libver, hdf5_libvers, .initial = "earliest", .group = "hdf5",
	       .help = "The oldest HDF5 that must be able to read the file.",
	       .more = "The library may use the formats of this version and newer ones; latest "
		       "allows its newest."),
	PAIRS(struct backend_options, hint, .group = "hdf5",
	      .help = "Give the MPI-IO library beneath HDF5 a hint."),
	HINTS_FILE("hdf5"),
};

const struct option_table hdf5_options = {
	.prefix = "hdf5",
	.summary = "Datasets through parallel HDF5",
	OPTION_ROWS(rows, struct backend_options),
};
