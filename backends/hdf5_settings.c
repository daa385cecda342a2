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

static void add_number(settings_add *add, struct settings_sink *sink, const char *name,
		       uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	add(sink, name, text);
}

static void add_size(settings_add *add, struct settings_sink *sink, const char *name,
		     uint64_t bytes)
{
	char text[32];

	add(sink, name, units_format_size(bytes, text, sizeof(text)));
}

static void add_bool(settings_add *add, struct settings_sink *sink, const char *name, bool value)
{
	add(sink, name, value ? "true" : "false");
}

static void add_versions(hid_t file, settings_add *add, struct settings_sink *sink)
{
	unsigned major, minor, release;
	H5F_info2_t info;
	char text[48];

	H5get_libversion(&major, &minor, &release);
	snprintf(text, sizeof(text), "HDF5 %u.%u.%u", major, minor, release);
	add(sink, "library", text);
	if (H5Fget_info2(file, &info) >= 0)
		add_number(add, sink, "superblock", info.super.version);
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
static void add_metadata(hid_t access, settings_add *add, struct settings_sink *sink)
{
	H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
	hsize_t threshold, alignment;
	hbool_t writes = false, reads = false;

	add(sink, "libver", oldest_name(access));
	if (H5Pget_alignment(access, &threshold, &alignment) >= 0) {
		add_size(add, sink, "alignment", alignment);
		add_size(add, sink, "alignment_threshold", threshold);
	}
	if (H5Pget_coll_metadata_write(access, &writes) >= 0 &&
	    H5Pget_all_coll_metadata_ops(access, &reads) >= 0)
		add_bool(add, sink, "collective_metadata", writes && reads);
	if (H5Pget_mdc_config(access, &cache) < 0)
		return;
	add_bool(add, sink, "metadata_evictions", cache.evictions_enabled);
	add_size(add, sink, "metadata_cache", cache.initial_size);
}

static void add_access(hid_t file, settings_add *add, struct settings_sink *sink)
{
	hid_t access = H5Fget_access_plist(file);

	if (access < 0)
		return;
	add(sink, "driver", H5Pget_driver(access) == H5FD_MPIO ? "MPI-IO" : "other");
	add_metadata(access, add, sink);
	H5Pclose(access);
}

/* Prints a filter, with its level if it has one: "deflate 1". */
static int put_filter(hid_t creation, unsigned number, char *text, size_t room)
{
	char name[32] = "";
	unsigned flags, what, level = 0;
	size_t values = 1;
	H5Z_filter_t filter = H5Pget_filter2(creation, number, &flags, &values, &level,
					     sizeof(name), name, &what);

	if (filter == H5Z_FILTER_DEFLATE)
		return snprintf(text, room, "%s%.31s %u", number ? "+" : "", name, level);
	return snprintf(text, room, "%s%.31s", number ? "+" : "", name);
}

static void add_filters(hid_t creation, settings_add *add, struct settings_sink *sink)
{
	char text[256] = "none";
	int used = 0, count = H5Pget_nfilters(creation);

	for (int i = 0; i < count && used < (int)sizeof(text) - 64; i++)
		used += put_filter(creation, (unsigned)i, text + used, sizeof(text) - (size_t)used);
	add(sink, "filters", text);
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

static void add_layout(hid_t dataset, unsigned shift, settings_add *add, struct settings_sink *sink)
{
	hid_t creation = H5Dget_create_plist(dataset);
	H5D_fill_time_t fill;
	hsize_t chunk;

	if (creation < 0)
		return;
	if (H5Pget_layout(creation) == H5D_CHUNKED) {
		add(sink, "layout", "chunked");
		if (H5Pget_chunk(creation, 1, &chunk) == 1)
			add_size(add, sink, "chunk_bytes", chunk << shift);
	} else {
		add(sink, "layout", "contiguous");
	}
	if (H5Pget_fill_time(creation, &fill) >= 0)
		add(sink, "fill", fill_name(fill));
	add_filters(creation, add, sink);
	H5Pclose(creation);
}

static void add_datasets(const struct backend_file *file, settings_add *add,
			 struct settings_sink *sink)
{
	add_number(add, sink, "datasets", file->count);
	if (file->count == 0)
		return;
	for (int element = HDF5_BYTE; element <= HDF5_DOUBLE; element++)
		if (file->type == hdf5_native_type(element))
			add(sink, "element_type", hdf5_elements[element]);
	add_layout(file->datasets[0], file->shift, add, sink);
}

static void add_transfers(hid_t transfer, settings_add *add, struct settings_sink *sink)
{
	H5FD_mpio_xfer_t mode;

	if (H5Pget_dxpl_mpio(transfer, &mode) >= 0)
		add(sink, "transfers", mode == H5FD_MPIO_COLLECTIVE ? "collective" : "independent");
}

static void add_mpi_io(const struct backend_file *file, settings_add *add,
		       struct settings_sink *sink)
{
	MPI_Info effective = MPI_INFO_NULL;
	char path[PATH_MAX] = "";
	void *handle;

	if (H5Fget_vfd_handle(file->file, H5P_DEFAULT, &handle) >= 0)
		MPI_File_get_info(*(MPI_File *)handle, &effective);
	H5Fget_name(file->file, path, sizeof(path));
	mpi_io_add_settings(effective, path, add, sink);
	hints_add_settings(file->session->hints, effective, add, sink);
	if (effective != MPI_INFO_NULL)
		MPI_Info_free(&effective);
}

void hdf5_settings(struct backend_file *file, settings_add *add, struct settings_sink *sink)
{
	add_versions(file->file, add, sink);
	add_access(file->file, add, sink);
	add_datasets(file, add, sink);
	add_transfers(file->transfer, add, sink);
	add_mpi_io(file, add, sink);
}
