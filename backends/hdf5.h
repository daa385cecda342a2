/* Shared by the hdf5 backend's files, without its library: options and names. */
#ifndef BACKENDS_HDF5_H
#define BACKENDS_HDF5_H

#include "backends/backend.h"

enum { HDF5_IOR_ELEMENT = 8 }; /* unit of IOR's chunkSize, bytes */
enum hdf5_filter {
	HDF5_FILTER_NONE,
	HDF5_FILTER_DEFLATE,
	HDF5_FILTER_SHUFFLE_DEFLATE,
	HDF5_FILTER_FLETCHER32
};
enum hdf5_element { HDF5_BYTE, HDF5_INT16, HDF5_INT32, HDF5_INT64, HDF5_FLOAT, HDF5_DOUBLE };
enum hdf5_libver { HDF5_EARLIEST, HDF5_V18, HDF5_V110, HDF5_V112, HDF5_V114, HDF5_LATEST };

struct backend_options {
	bool individual_datasets;
	uint64_t max_datasets;
	int element_type;		  /* enum hdf5_element */
	uint64_t chunk_bytes, chunk_size; /* bytes; IOR's, in elements of 8 bytes */
	int filter;			  /* enum hdf5_filter */
	uint64_t deflate_level;
	bool no_fill;
	uint64_t alignment, alignment_threshold, set_alignment; /* IOR's set_alignment sets both */
	bool collective_metadata;
	bool metadata_evictions;
	uint64_t metadata_cache_size; /* 0: the library's default */
	int libver;		      /* enum hdf5_libver */
	const char *hint, *hints_file;
};

/* The names of the choices, by number. */
extern const char *const hdf5_filters[], *const hdf5_elements[], *const hdf5_libvers[];
extern const struct option_table hdf5_options;

#endif
