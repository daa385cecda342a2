/* Files of the hdf5 backend: opened and closed by all that share them. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>

#include "backends/common/agree.h"
#include "backends/common/create.h"
#include "backends/common/mpi_io.h"
#include "backends/hdf5_state.h"
#include "base/clock.h"
#include "base/text.h"

static int open_with(struct backend_file *file, const struct backend_open *how, enum way way,
		     hid_t access, struct error *err)
{
	bool writes = how->access == ACCESS_WRITE;
	char room[MPI_IO_SHORT];
	const char *path = mpi_io_path(how->path, room);

	if (H5Pset_fapl_mpio(access, how->comm, file->session->hints) < 0)
		return hdf5_failed(err, "H5Pset_fapl_mpio");
	errno = 0;
	if (way == WAY_CREATE)
		file->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
	else
		file->file = H5Fopen(path, writes ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access);
	if (file->file < 0)
		return hdf5_failed_path(err, way == WAY_CREATE ? "H5Fcreate" : "H5Fopen", how->path,
					(writes ? O_RDWR : O_RDONLY) |
						(way == WAY_CREATE ? O_CREAT : 0));
	return 0;
}

static int hdf5_file_open_file(struct backend_file *file, const struct backend_open *how,
			       enum way way, struct error *err)
{
	hid_t access = H5Pcopy(file->session->access);
	int ret = access < 0 ? hdf5_failed(err, "H5Pcopy") : open_with(file, how, way, access, err);

	if (access > 0)
		H5Pclose(access);
	if (agree_open(how, ret, err) == 0)
		return 0;
	file->lost = true;
	return -1;
}

static int check_multiple(const char *name, uint64_t bytes, int element, struct error *err)
{
	size_t size = H5Tget_size(hdf5_native_type(element));

	if (bytes % size == 0)
		return 0;
	return error_input(err,
			   "%s: %" PRIu64
			   " is no multiple of the %zu bytes of hdf5.element_type=%s",
			   name, bytes, size, hdf5_elements[element]);
}

/* Datasets must be few enough and large enough. */
static int check_datasets(const struct backend_options *options, const struct backend_open *how,
			  struct error *err)
{
	uint64_t count = hdf5_dataset_count(options, how);

	if (how->file_size == 0 || how->access == ACCESS_READ || count == 0)
		return 0;
	if (count > options->max_datasets)
		return error_input(
			err,
			"hdf5.individual_datasets: %" PRIu64
			" segments would be as many datasets in one file; use at most %" PRIu64
			" segments, or raise hdf5.max_datasets",
			count, options->max_datasets);
	if (hdf5_chunk_bytes(options) > how->file_size / count)
		return error_input(err,
				   "hdf5.%s: a chunk of %" PRIu64 " bytes is more than the %" PRIu64
				   " bytes of a dataset; lower it",
				   options->chunk_size ? "chunk_size" : "chunk_bytes",
				   hdf5_chunk_bytes(options), how->file_size / count);
	return 0;
}

static int check_calls(const struct backend_options *options, const struct backend_open *how,
		       struct error *err)
{
	int tasks;

	MPI_Comm_size(how->comm, &tasks);
	if (options->filter && how->access == ACCESS_WRITE && tasks > 1 && !how->collective)
		return error_input(
			err, "hdf5.filter: a shared file is written through filters by collective "
			     "transfers only; use -c, or a file for each task (-F)");
	if (!options->individual_datasets)
		return 0;
	if (how->strided)
		return error_input(err, "hdf5.individual_datasets: one call cannot move data of "
					"several datasets; leave it out, or the strided transfers");
	if (how->collective && tasks > 1 && how->source == UINT64_MAX)
		return error_input(err,
				   "hdf5.individual_datasets: collective transfers in random order "
				   "would meet in different datasets; leave one of them out");
	return 0;
}

int hdf5_check(struct backend_session *session, const struct backend_open *how, struct error *err)
{
	const struct backend_options *options = session->options;

	if (check_multiple("transfer_size", how->transfer_size, options->element_type, err) < 0 ||
	    check_multiple("block_size", how->block, options->element_type, err) < 0 ||
	    check_calls(options, how, err) < 0)
		return -1;
	return check_datasets(options, how, err);
}

static int open_datasets(struct backend_file *file, const struct backend_open *how, enum way way,
			 struct error *err)
{
	uint64_t start_ns = clock_monotonic_ns();
	int ret = way == WAY_CREATE ? hdf5_make_datasets(file, how, err)
				    : hdf5_find_datasets(file, how, err);

	file->define_ns = clock_monotonic_ns() - start_ns;
	return agree_open(how, ret, err);
}

int hdf5_open(struct backend_session *session, struct backend_file *file,
	      const struct backend_open *how, struct error *err)
{
	enum way way;
	int tasks;

	file->session = session;
	file->path = text_copy(how->path);
	file->collective = how->collective;
	if (hdf5_check(session, how, err) < 0 || create_choose_way(how, &way, err) < 0 ||
	    hdf5_file_open_file(file, how, way, err) < 0 || open_datasets(file, how, way, err) < 0)
		return -1;
	MPI_Comm_size(how->comm, &tasks);
	/* filters want collective calls; one task alone waits for nobody in them */
	return hdf5_transfer_properties(how->collective || (tasks == 1 && session->options->filter),
					&file->transfer, err);
}

static void close_objects(struct backend_file *file)
{
	if (file->space > 0)
		H5Sclose(file->space);
	if (file->memory > 0)
		H5Sclose(file->memory);
	if (file->transfer > 0)
		H5Pclose(file->transfer);
}

static int hdf5_file_close_file(struct backend_file *file, struct error *err)
{
	int ret;

	close_objects(file);
	if (file->file <= 0)
		return 0;
	file->session->left_open |= file->lost;
	if (file->lost)
		return 0;
	ret = hdf5_close_datasets(file, err);
	errno = 0;
	/* also after a failure: the others wait in it */
	if (H5Fclose(file->file) < 0) {
		if (!ret)
			ret = hdf5_failed_at(err, "H5Fclose",
					     &(struct cause_call){.path = file->path,
								  .access = ACCESS_WRITE,
								  .syncs = true});
		file->session->left_open = true;
	}
	file->file = 0;
	return ret;
}

int hdf5_close(struct backend_file *file, struct error *err)
{
	const int ret = hdf5_file_close_file(file, err);

	free(file->path);
	file->path = NULL;
	return ret;
}

uint64_t hdf5_define_ns(struct backend_file *file)
{
	return file->define_ns;
}
