/* The hdf5 backend: datasets through parallel HDF5. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "backends/common/hints.h"
#include "backends/common/metadata.h"
#include "backends/common/mpi_io.h"
#include "backends/hdf5_state.h"

static int hdf5_start(struct backend_session *session, const struct backend_start *start,
		      struct error *err)
{
	session->options = start->options;
	session->hints = MPI_INFO_NULL;
	if (H5open() < 0)
		return error_set(err, 0, "H5open: the library cannot be used");
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* HDF5 would print errors that iorx reports */
	if (descriptor_spare(err) < 0 || hdf5_check_options(start->options, err) < 0 ||
	    hints_make(start->options->hint, start->options->hints_file, start->spares_private,
		       &session->hints, err) < 0)
		return -1;
	return hdf5_access_properties(start->options, &session->access, err);
}

static int hdf5_stop(struct backend_session *session, struct error *err)
{
	if (session->access > 0)
		H5Pclose(session->access);
	if (session->options && session->hints != MPI_INFO_NULL)
		MPI_Info_free(&session->hints);
	return 0;
}

static bool hdf5_left_open(struct backend_session *session)
{
	return session->left_open;
}

static int hdf5_sync(struct backend_file *file, struct error *err)
{
	errno = 0;
	if (H5Fflush(file->file, H5F_SCOPE_LOCAL) >= 0)
		return 0;
	return hdf5_failed_at(
		err, "H5Fflush",
		&(struct cause_call){.path = file->path, .access = ACCESS_WRITE, .syncs = true});
}

static int hdf5_alignment(struct backend_session *session, const char *path,
			  struct backend_alignment *alignment, struct error *err)
{
	alignment->memory = 1;
	alignment->offset = H5Tget_size(hdf5_native_type(session->options->element_type));
	return 0;
}

/* --- transfers ------------------------------------------------------------------------------ */

static const char *call_name(const struct transfer *transfer)
{
	return transfer->access == ACCESS_WRITE ? "H5Dwrite" : "H5Dread";
}

/* Selects the transfer's position in its dataset and as many elements of the buffer. */
static int hdf5_choose(struct backend_file *file, const struct transfer *transfer, uint64_t start,
		       uint64_t length)
{
	hsize_t elements = length >> file->shift, at = start >> file->shift;
	hsize_t count = transfer->count > 1 ? transfer->count : 1, block = elements / count;
	hsize_t stride = count > 1 ? transfer->stride >> file->shift : block;

	if (elements == 0) {
		file->elements = 0;
		return H5Sselect_none(file->space) < 0 || H5Sselect_none(file->memory) < 0 ? -1 : 0;
	}
	if (elements != file->elements) {
		if (H5Sset_extent_simple(file->memory, 1, &elements, NULL) < 0 ||
		    H5Sselect_all(file->memory) < 0)
			return -1;
		file->elements = elements;
	}
	return H5Sselect_hyperslab(file->space, H5S_SELECT_SET, &at, &stride, &count, &block);
}

/* Returns 1 if the library must be called, 0 if there is nothing to move, or -1 with *err. */
static int check_position(const struct backend_file *file, const struct transfer *transfer,
			  uint64_t length, struct error *err)
{
	if ((transfer->offset | transfer->length) & (((uint64_t)1 << file->shift) - 1))
		return error_set(
			err, EINVAL,
			"%s: offset and length must be multiples of the %u bytes of an element",
			call_name(transfer), 1u << file->shift);
	if (transfer->length && !length && transfer->access == ACCESS_WRITE)
		return error_set(err, EFBIG,
				 "%s: offset %" PRIu64 " lies behind the end of the dataset",
				 call_name(transfer), transfer->offset);
	return length || file->collective;
}

static int64_t hdf5_transfer(struct backend_file *file, const struct transfer *transfer,
			     struct error *err)
{
	uint64_t each = file->dataset_bytes;
	uint64_t number = file->per_segment && each ? transfer->offset / each : 0;
	uint64_t start = transfer->offset - number * each, length = transfer->length;
	uint64_t room = number < file->count && start < each ? each - start : 0;
	herr_t ret;
	int go_on;

	if (transfer->count <= 1 && length > room)
		length = room;
	go_on = check_position(file, transfer, length, err);
	if (go_on <= 0 && !(file->collective && file->count))
		return go_on;
	if (go_on < 0)
		length = 0; /* the others wait in the collective call */
	if (file->count == 0)
		return 0;
	number = number < file->count ? number : file->count - 1;
	if (hdf5_choose(file, transfer, start, length) < 0)
		return hdf5_failed(err, "H5Sselect_hyperslab");
	errno = 0;
	ret = transfer->access == ACCESS_WRITE
		      ? H5Dwrite(file->datasets[number], file->type, file->memory, file->space,
				 file->transfer, transfer->buffer)
		      : H5Dread(file->datasets[number], file->type, file->memory, file->space,
				file->transfer, transfer->buffer);
	if (ret < 0)
		return hdf5_failed_at(err, call_name(transfer),
				      &(struct cause_call){.path = file->path,
							   .access = transfer->access,
							   .offset = transfer->offset,
							   .length = transfer->length});
	return go_on < 0 ? -1 : (int64_t)length;
}

/* --- names ---------------------------------------------------------------------------------- */

/* The library takes whole paths only. */
static const char *path_of(const struct backend_directory *directory, const char *name,
			   char path[PATH_MAX])
{
	if (!directory)
		return name;
	snprintf(path, PATH_MAX, "/proc/self/fd/%d/%s", directory->fd, name);
	return path;
}

/* HDF5 takes no mode, so files get 0666 under the umask. */
static int hdf5_create(struct backend_session *session, struct backend_directory *directory,
		       const char *name, mode_t mode, struct error *err)
{
	char path[PATH_MAX];
	hid_t file =
		H5Fcreate(path_of(directory, name, path), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);

	if (file < 0)
		return hdf5_failed(err, "H5Fcreate");
	return H5Fclose(file) < 0 ? hdf5_failed(err, "H5Fclose") : 0;
}

static int hdf5_open_close(struct backend_session *session, struct backend_directory *directory,
			   const char *name, enum access access, struct error *err)
{
	char path[PATH_MAX];
	hid_t file = H5Fopen(path_of(directory, name, path),
			     access == ACCESS_WRITE ? H5F_ACC_RDWR : H5F_ACC_RDONLY, H5P_DEFAULT);

	if (file < 0)
		return hdf5_failed(err, "H5Fopen");
	return H5Fclose(file) < 0 ? hdf5_failed(err, "H5Fclose") : 0;
}

const struct backend hdf5_backend = {
	.name = "hdf5",
	.aliases = "HDF5",
	.options = &hdf5_options,
	MPI_IO_PROPERTIES,
	.directory_size = sizeof(struct backend_directory),
	.layer = LAYER_HDF5,
	.strided = true,
	.own_format = true,
	.start = hdf5_start,
	.stop = hdf5_stop,
	.check = hdf5_check,
	.open = hdf5_open,
	.close = hdf5_close,
	.left_open = hdf5_left_open,
	.sync = hdf5_sync,
	.truncate = descriptor_empty,
	.alignment = hdf5_alignment,
	.settings = hdf5_settings,
	.define_ns = hdf5_define_ns,
	.transfer = hdf5_transfer,
	.open_directory = metadata_open_directory,
	.close_directory = metadata_close_directory,
	.create = hdf5_create,
	.open_close = hdf5_open_close,
	.remove = metadata_remove,
	METADATA_NAMES,
};
