/* The datasets of a file: created by the layout, or found in an existing file. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/hdf5_state.h"
#include "base/memory.h"

enum { NAME = 32 };

/* "data", or one name for each segment. */
static const char *name_of(bool per_segment, uint64_t number, char *name)
{
	if (per_segment)
		snprintf(name, NAME, "segment_%08" PRIu64, number);
	else
		snprintf(name, NAME, "data");
	return name;
}

/* The dataspaces that transfers select in; all datasets are alike. */
static int make_spaces(struct backend_file *file, struct error *err)
{
	hsize_t whole = file->dataset_bytes >> file->shift;

	file->elements = 1;
	file->space = H5Screate_simple(1, &whole, NULL);
	file->memory = H5Screate_simple(1, &file->elements, NULL);
	return file->space < 0 || file->memory < 0 ? hdf5_failed(err, "H5Screate_simple") : 0;
}

static void take_type(struct backend_file *file, hid_t type)
{
	file->type = type;
	for (file->shift = 0; (size_t)1 << file->shift < H5Tget_size(type);)
		file->shift++;
}

/* --- making them ---------------------------------------------------------------------------- */

uint64_t hdf5_dataset_count(const struct backend_options *options, const struct backend_open *how)
{
	return options->individual_datasets ? how->segments : 1;
}

static int make_all(struct backend_file *file, hid_t creation, struct error *err)
{
	char name[NAME];

	for (uint64_t i = 0; i < file->count; i++) {
		name_of(file->per_segment, i, name);
		errno = 0;
		file->datasets[i] = H5Dcreate2(file->file, name, file->type, file->space,
					       H5P_DEFAULT, creation, H5P_DEFAULT);
		if (file->datasets[i] < 0)
			return hdf5_failed_at(err, "H5Dcreate",
					      &(struct cause_call){.path = file->path,
								   .access = ACCESS_WRITE});
	}
	return 0;
}

static int make_with_properties(struct backend_file *file, struct error *err)
{
	hid_t creation;
	int ret = hdf5_dataset_properties(file->session->options, &creation, err);

	if (ret == 0)
		ret = make_all(file, creation, err);
	if (creation > 0)
		H5Pclose(creation);
	return ret;
}

int hdf5_make_datasets(struct backend_file *file, const struct backend_open *how, struct error *err)
{
	const struct backend_options *options = file->session->options;
	uint64_t count = hdf5_dataset_count(options, how);

	take_type(file, hdf5_native_type(options->element_type));
	if (how->file_size == 0 || count == 0)
		return 0;
	file->per_segment = options->individual_datasets;
	file->dataset_bytes = how->file_size / count;
	file->datasets = memory_allocate(count, sizeof(*file->datasets));
	file->count = count;
	return make_spaces(file, err) < 0 ? -1 : make_with_properties(file, err);
}

/* --- finding them --------------------------------------------------------------------------- */

static bool is_there(const struct backend_file *file, bool per_segment, uint64_t number)
{
	char name[NAME];

	return H5Lexists(file->file, name_of(per_segment, number, name), H5P_DEFAULT) > 0;
}

static int open_one(struct backend_file *file, uint64_t number, struct error *err)
{
	char name[NAME];

	file->datasets = memory_grow(file->datasets, (number + 1) * sizeof(*file->datasets));
	file->datasets[number] =
		H5Dopen2(file->file, name_of(file->per_segment, number, name), H5P_DEFAULT);
	if (file->datasets[number] < 0)
		return hdf5_failed(err, "H5Dopen");
	file->count = number + 1;
	return 0;
}

static uint64_t hdf5_datasets_bytes_of(const struct backend_file *file, uint64_t number)
{
	hid_t space = H5Dget_space(file->datasets[number]);
	hssize_t elements =
		H5Sget_simple_extent_ndims(space) == 1 ? H5Sget_simple_extent_npoints(space) : -1;

	H5Sclose(space);
	return elements < 0 ? 0 : (uint64_t)elements << file->shift;
}

static bool is_of_type(const struct backend_file *file, uint64_t number)
{
	hid_t type = H5Dget_type(file->datasets[number]);
	bool equal = H5Tequal(type, file->type) > 0;

	H5Tclose(type);
	return equal;
}

/* A file opened without its plan's length may have any element type, which is then adopted. */
static int adopt_type(struct backend_file *file, const struct backend_open *how, struct error *err)
{
	int wanted = file->session->options->element_type;

	take_type(file, hdf5_native_type(wanted));
	if (is_of_type(file, 0))
		return 0;
	for (int other = HDF5_BYTE; other <= HDF5_DOUBLE && how->file_size == 0; other++) {
		take_type(file, hdf5_native_type(other));
		if (is_of_type(file, 0))
			return 0;
	}
	return error_input(err,
			   "H5Dopen: its elements are not of hdf5.element_type=%s; set the type "
			   "the file was written with",
			   hdf5_elements[wanted]);
}

static int check_like_the_first(const struct backend_file *file, struct error *err)
{
	for (uint64_t i = 0; i < file->count; i++)
		if (!is_of_type(file, i) || hdf5_datasets_bytes_of(file, i) != file->dataset_bytes)
			return error_input(err,
					   "H5Dopen: dataset %" PRIu64
					   " differs from the first; this file is not from iorx",
					   i);
	return 0;
}

static int check_layout(const struct backend_file *file, const struct backend_open *how,
			struct error *err)
{
	bool wanted = file->session->options->individual_datasets;

	if (how->file_size == 0)
		return 0;
	if (file->per_segment != wanted)
		return error_input(err, "H5Dopen: the file has %s; %s hdf5.individual_datasets",
				   wanted ? "one dataset" : "a dataset for each segment",
				   wanted ? "leave out" : "set");
	if (wanted && file->dataset_bytes != how->file_size / how->segments)
		return error_input(err,
				   "H5Dopen: a dataset has %" PRIu64
				   " bytes and a segment %" PRIu64,
				   file->dataset_bytes, how->file_size / how->segments);
	if (file->count * file->dataset_bytes < how->file_size)
		return error_input(err,
				   "H5Dopen: the datasets hold %" PRIu64
				   " bytes and the test needs %" PRIu64,
				   file->count * file->dataset_bytes, how->file_size);
	return 0;
}

int hdf5_find_datasets(struct backend_file *file, const struct backend_open *how, struct error *err)
{
	file->per_segment = !is_there(file, false, 0);
	if (file->per_segment && !is_there(file, true, 0)) {
		if (how->create || how->file_size == 0)
			return hdf5_make_datasets(file, how, err);
		return error_input(err, "H5Dopen: there is no dataset \"data\" or "
					"\"segment_00000000\" in it; this file is not from iorx");
	}
	do {
		if (open_one(file, file->count, err) < 0)
			return -1;
	} while (file->per_segment && is_there(file, true, file->count));
	if (adopt_type(file, how, err) < 0)
		return -1;
	file->dataset_bytes = hdf5_datasets_bytes_of(file, 0);
	if (check_like_the_first(file, err) < 0 || check_layout(file, how, err) < 0)
		return -1;
	return make_spaces(file, err);
}

int hdf5_close_datasets(struct backend_file *file, struct error *err)
{
	int ret = 0;

	for (uint64_t i = 0; i < file->count; i++)
		if (file->datasets[i] > 0 && H5Dclose(file->datasets[i]) < 0 && ret == 0)
			ret = hdf5_failed(err, "H5Dclose");
	free(file->datasets);
	file->datasets = NULL;
	file->count = 0;
	return ret;
}
