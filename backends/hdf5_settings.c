/*
 * Reports the settings in effect for an open file of the hdf5 backend, as the library shows them.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "backends/common/hints.h"
#include "backends/common/mpi_io.h"
#include "backends/hdf5_state.h"
#include "base/units.h"

static void tell_number(settings_tell *tell, struct settings_sink *sink, const char *name,
			uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	tell(sink, name, text);
}

static void tell_size(settings_tell *tell, struct settings_sink *sink, const char *name,
		      uint64_t bytes)
{
	char text[32];

	tell(sink, name, units_format_size(bytes, text, sizeof(text)));
}

static void tell_bool(settings_tell *tell, struct settings_sink *sink, const char *name, bool value)
{
	tell(sink, name, value ? "true" : "false");
}

static void tell_versions(hid_t file, settings_tell *tell, struct settings_sink *sink)
{
	unsigned major, minor, release;
	H5F_info2_t info;
	char text[48];

	H5get_libversion(&major, &minor, &release);
	snprintf(text, sizeof(text), "HDF5 %u.%u.%u", major, minor, release);
	tell(sink, "library", text);
	if (H5Fget_info2(file, &info) >= 0)
		tell_number(tell, sink, "superblock", info.super.version);
}

/* The upper bound is always the library's latest version. */
static const char *oldest_name(hid_t access)
{
	H5F_libver_t oldest, newest;

	if (H5Pget_libver_bounds(access, &oldest, &newest) < 0)
		return "unknown";
	for (int bound = HDF5_EARLIEST; hdf5_libvers[bound]; bound++)
		if (hdf5_bound(bound) == (int)oldest)
			return hdf5_libvers[bound];
	return "unknown";
}

/* Uses an option's name if the value means the same as the option's, else another name. */
static void tell_metadata(hid_t access, settings_tell *tell, struct settings_sink *sink)
{
	H5AC_cache_config_t cache = { .version = H5AC__CURR_CACHE_CONFIG_VERSION };
	hsize_t threshold, alignment;
	hbool_t writes = false, reads = false;

	tell(sink, "libver", oldest_name(access));
	if (H5Pget_alignment(access, &threshold, &alignment) >= 0) {
		tell_size(tell, sink, "alignment", alignment);
		tell_size(tell, sink, "alignment_threshold", threshold);
	}
	if (H5Pget_coll_metadata_write(access, &writes) >= 0 &&
	    H5Pget_all_coll_metadata_ops(access, &reads) >= 0)
		tell_bool(tell, sink, "collective_metadata", writes && reads);
	if (H5Pget_mdc_config(access, &cache) < 0)
		return;
	tell_bool(tell, sink, "metadata_evictions", cache.evictions_enabled);
	tell_size(tell, sink, "metadata_cache", cache.initial_size);
}

static void tell_access(hid_t file, settings_tell *tell, struct settings_sink *sink)
{
	hid_t access = H5Fget_access_plist(file);

	if (access < 0)
		return;
	tell(sink, "driver", H5Pget_driver(access) == H5FD_MPIO ? "MPI-IO" : "other");
	tell_metadata(access, tell, sink);
	H5Pclose(access);
}

/* Prints a filter, with its level if it has one: "deflate 1". */
static int put_filter(hid_t creation, unsigned number, char *text, size_t room)
{
	char name[32] = "";
	unsigned flags, what, level = 0;
	size_t values = 1;
	H5Z_filter_t filter =
		H5Pget_filter2(creation, number, &flags, &values, &level, sizeof(name), name, &what);

	if (filter == H5Z_FILTER_DEFLATE)
		return snprintf(text, room, "%s%.31s %u", number ? "+" : "", name, level);
	return snprintf(text, room, "%s%.31s", number ? "+" : "", name);
}

static void tell_filters(hid_t creation, settings_tell *tell, struct settings_sink *sink)
{
	char text[256] = "none";
	int used = 0, count = H5Pget_nfilters(creation);

	for (int i = 0; i < count && used < (int)sizeof(text) - 64; i++)
		used += put_filter(creation, (unsigned)i, text + used, sizeof(text) - (size_t)used);
	tell(sink, "filters", text);
}

static const char *fill_name(H5D_fill_time_t fill)
{
	switch (fill) {
	case H5D_FILL_TIME_NEVER:
		return "never";
	case H5D_FILL_TIME_ALLOC:
		return "at allocation";
	default:
		return "when a value is set";
	}
}

static void tell_layout(hid_t dataset, unsigned shift, settings_tell *tell,
			struct settings_sink *sink)
{
	hid_t creation = H5Dget_create_plist(dataset);
	H5D_fill_time_t fill;
	hsize_t chunk;

	if (creation < 0)
		return;
	if (H5Pget_layout(creation) == H5D_CHUNKED) {
		tell(sink, "layout", "chunked");
		if (H5Pget_chunk(creation, 1, &chunk) == 1)
			tell_size(tell, sink, "chunk_bytes", chunk << shift);
	} else {
		tell(sink, "layout", "contiguous");
	}
	if (H5Pget_fill_time(creation, &fill) >= 0)
		tell(sink, "fill", fill_name(fill));
	tell_filters(creation, tell, sink);
	H5Pclose(creation);
}

static void tell_datasets(const struct backend_file *file, settings_tell *tell,
			  struct settings_sink *sink)
{
	tell_number(tell, sink, "datasets", file->count);
	if (file->count == 0)
		return;
	for (int element = HDF5_BYTE; element <= HDF5_DOUBLE; element++)
		if (file->type == hdf5_native_type(element))
			tell(sink, "element_type", hdf5_elements[element]);
	tell_layout(file->datasets[0], file->shift, tell, sink);
}

static void tell_transfers(hid_t transfer, settings_tell *tell, struct settings_sink *sink)
{
	H5FD_mpio_xfer_t mode;

	if (H5Pget_dxpl_mpio(transfer, &mode) >= 0)
		tell(sink, "transfers", mode == H5FD_MPIO_COLLECTIVE ? "collective" : "independent");
}

static void tell_mpi_io(const struct backend_file *file, settings_tell *tell,
			struct settings_sink *sink)
{
	MPI_Info effective = MPI_INFO_NULL;
	char path[PATH_MAX] = "";
	void *handle;

	if (H5Fget_vfd_handle(file->file, H5P_DEFAULT, &handle) >= 0)
		MPI_File_get_info(*(MPI_File *)handle, &effective);
	H5Fget_name(file->file, path, sizeof(path));
	mpi_io_tell(effective, path, tell, sink);
	hints_tell(file->session->hints, effective, tell, sink);
	if (effective != MPI_INFO_NULL)
		MPI_Info_free(&effective);
}

void hdf5_settings(struct backend_file *file, settings_tell *tell, struct settings_sink *sink)
{
	tell_versions(file->file, tell, sink);
	tell_access(file->file, tell, sink);
	tell_datasets(file, tell, sink);
	tell_transfers(file->transfer, tell, sink);
	tell_mpi_io(file, tell, sink);
}
