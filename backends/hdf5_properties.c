/* From options to HDF5's property lists. */
#include <inttypes.h>

#include "backends/hdf5_state.h"

#define CACHE_LEAST 1024 /* the library's minimum, in none of its headers */

/* The library's number for each bound; -1: the library is too old for it. */
static const int bounds[] = {
	[HDF5_EARLIEST] = H5F_LIBVER_EARLIEST, [HDF5_LATEST] = H5F_LIBVER_LATEST,
#if H5_VERSION_GE(1, 10, 2)
	[HDF5_V18] = H5F_LIBVER_V18,	       [HDF5_V110] = H5F_LIBVER_V110,
#else
	[HDF5_V18] = -1,
	[HDF5_V110] = -1,
#endif
#if H5_VERSION_GE(1, 12, 0)
	[HDF5_V112] = H5F_LIBVER_V112,
#else
	[HDF5_V112] = -1,
#endif
#if H5_VERSION_GE(1, 14, 0)
	[HDF5_V114] = H5F_LIBVER_V114,
#else
	[HDF5_V114] = -1,
#endif
};

int hdf5_bound(int libver)
{
	return bounds[libver];
}

hid_t hdf5_native_type(int element_type)
{
	switch ((enum hdf5_element)element_type) {
	case HDF5_BYTE:
		return H5T_NATIVE_UINT8;
	case HDF5_INT16:
		return H5T_NATIVE_INT16;
	case HDF5_INT32:
		return H5T_NATIVE_INT32;
	case HDF5_INT64:
		return H5T_NATIVE_INT64;
	case HDF5_FLOAT:
		return H5T_NATIVE_FLOAT;
	case HDF5_DOUBLE:
		return H5T_NATIVE_DOUBLE;
	}
	return H5I_INVALID_HID;
}

static bool deflates(const struct backend_options *options)
{
	return options->filter == HDF5_FILTER_DEFLATE ||
	       options->filter == HDF5_FILTER_SHUFFLE_DEFLATE;
}

uint64_t hdf5_chunk_bytes(const struct backend_options *options)
{
	return options->chunk_size ? options->chunk_size * HDF5_IOR_ELEMENT : options->chunk_bytes;
}

/* IOR's options and iorx's own options for the same thing exclude each other. */
static int check_said_once(const struct backend_options *options, struct error *err)
{
	if (options->chunk_size && options->chunk_bytes)
		return error_input(
			err,
			"hdf5.chunk_size: hdf5.chunk_bytes says it too; leave one of them out");
	if (options->set_alignment > 1 && (options->alignment > 1 || options->alignment_threshold))
		return error_input(err,
				   "hdf5.set_alignment: hdf5.alignment or hdf5.alignment_threshold "
				   "says it too; leave one of them out");
	return 0;
}

/* Options that have no effect without another option. */
static int check_companions(const struct backend_options *options, struct error *err)
{
	if (options->deflate_level != 1 && !deflates(options))
		return error_input(err, "hdf5.deflate_level: nothing is deflated; set "
					"hdf5.filter=deflate too, or leave it out");
	if (options->alignment_threshold && options->alignment == 1)
		return error_input(err, "hdf5.alignment_threshold: nothing is aligned; set "
					"hdf5.alignment too, or leave it out");
	if (options->metadata_cache_size && options->metadata_cache_size < CACHE_LEAST)
		return error_input(err,
				   "hdf5.metadata_cache_size: %" PRIu64
				   " is too small for HDF5; the least is %d",
				   options->metadata_cache_size, CACHE_LEAST);
	return 0;
}

static int check_filter(const struct backend_options *options, struct error *err)
{
	if (options->filter == HDF5_FILTER_NONE)
		return 0;
	if (!H5_VERSION_GE(1, 10, 2))
		return error_input(err, "hdf5.filter: parallel filters came with HDF5 1.10.2, and "
					"this is older; leave it out");
	if (!hdf5_chunk_bytes(options))
		return error_input(err, "hdf5.filter: %s works on chunks; set hdf5.chunk_bytes",
				   hdf5_filters[options->filter]);
	if (deflates(options) && H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0)
		return error_input(err, "hdf5.filter: this HDF5 was built without deflate");
	return 0;
}

int hdf5_check_options(const struct backend_options *options, struct error *err)
{
	size_t size = H5Tget_size(hdf5_native_type(options->element_type));

	if (hdf5_bound(options->libver) < 0)
		return error_input(err, "hdf5.libver: %s is newer than this HDF5 %d.%d; use latest",
				   hdf5_libvers[options->libver], H5_VERS_MAJOR, H5_VERS_MINOR);
	if (options->chunk_bytes % size)
		return error_input(
			err,
			"hdf5.chunk_bytes: no multiple of the %zu bytes of hdf5.element_type=%s",
			size, hdf5_elements[options->element_type]);
	if (check_said_once(options, err) < 0 || check_companions(options, err) < 0)
		return -1;
	return check_filter(options, err);
}

static int set_metadata_cache(const struct backend_options *options, hid_t access)
{
	H5AC_cache_config_t config = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
	size_t size = options->metadata_cache_size;

	if (H5Pget_mdc_config(access, &config) < 0)
		return -1;
	if (size) {
		config.set_initial_size = true;
		config.initial_size = size;
		config.min_size = size < config.min_size ? size : config.min_size;
		config.max_size = size > config.max_size ? size : config.max_size;
	}
	if (!options->metadata_evictions) {
		config.evictions_enabled = false;
		config.incr_mode = H5C_incr__off;
		config.flash_incr_mode = H5C_flash_incr__off;
		config.decr_mode = H5C_decr__off;
	}
	return H5Pset_mdc_config(access, &config);
}

/* As in IOR, set_alignment is the threshold too: smaller objects are not aligned. */
static int set_alignment(const struct backend_options *options, hid_t access)
{
	uint64_t both = options->set_alignment;

	return both > 1
		       ? H5Pset_alignment(access, both, both)
		       : H5Pset_alignment(access, options->alignment_threshold, options->alignment);
}

static int set_access(const struct backend_options *options, hid_t access)
{
	/* so that an object left open does not keep the file open */
	if (H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0 ||
	    set_alignment(options, access) < 0 ||
	    H5Pset_libver_bounds(access, (H5F_libver_t)hdf5_bound(options->libver),
				 H5F_LIBVER_LATEST) < 0)
		return -1;
	if (options->collective_metadata && (H5Pset_coll_metadata_write(access, true) < 0 ||
					     H5Pset_all_coll_metadata_ops(access, true) < 0))
		return -1;
	return set_metadata_cache(options, access);
}

int hdf5_access_properties(const struct backend_options *options, hid_t *access, struct error *err)
{
	*access = H5Pcreate(H5P_FILE_ACCESS);
	if (*access < 0 || set_access(options, *access) < 0)
		return hdf5_failed(err, "HDF5 file access properties");
	return 0;
}

static int set_filter(const struct backend_options *options, hid_t creation)
{
	if (options->filter == HDF5_FILTER_FLETCHER32)
		return H5Pset_fletcher32(creation);
	if (options->filter == HDF5_FILTER_SHUFFLE_DEFLATE && H5Pset_shuffle(creation) < 0)
		return -1;
	return deflates(options) ? H5Pset_deflate(creation, (unsigned)options->deflate_level) : 0;
}

static int set_layout(const struct backend_options *options, hid_t creation)
{
	size_t size = H5Tget_size(hdf5_native_type(options->element_type));
	hsize_t chunk = hdf5_chunk_bytes(options) / size;

	if (chunk == 0)
		return H5Pset_layout(creation, H5D_CONTIGUOUS);
	return H5Pset_chunk(creation, 1, &chunk);
}

int hdf5_dataset_properties(const struct backend_options *options, hid_t *creation,
			    struct error *err)
{
	*creation = H5Pcreate(H5P_DATASET_CREATE);
	if (*creation < 0 || set_layout(options, *creation) < 0 ||
	    set_filter(options, *creation) < 0 ||
	    (options->no_fill && H5Pset_fill_time(*creation, H5D_FILL_TIME_NEVER) < 0))
		return hdf5_failed(err, "HDF5 dataset properties");
	return 0;
}

int hdf5_transfer_properties(bool collective, hid_t *transfer, struct error *err)
{
	*transfer = H5Pcreate(H5P_DATASET_XFER);
	if (*transfer < 0 || H5Pset_dxpl_mpio(*transfer, collective ? H5FD_MPIO_COLLECTIVE
								    : H5FD_MPIO_INDEPENDENT) < 0)
		return hdf5_failed(err, "HDF5 transfer properties");
	return 0;
}
