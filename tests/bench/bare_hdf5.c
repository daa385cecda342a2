/*
 * The least a program can do to time HDF5: opening a file that is there, choosing a place in its
 * one dataset, H5Dwrite or H5Dread and one clock read in a loop, and closing it.
 */
#include <hdf5.h>

#include "shared_file.h"

struct place {
	hid_t access, file, data, space, memory, transfer;
};

static int enter(struct place *place, const struct job *job)
{
	hsize_t length = job->length;

	place->access = H5Pcreate(H5P_FILE_ACCESS);
	H5Pset_fapl_mpio(place->access, MPI_COMM_WORLD, MPI_INFO_NULL);
	place->file =
		H5Fopen(job->name, job->writes ? H5F_ACC_RDWR : H5F_ACC_RDONLY, place->access);
	place->data = H5Dopen2(place->file, "data", H5P_DEFAULT);
	place->space = H5Dget_space(place->data);
	place->memory = H5Screate_simple(1, &length, NULL);
	place->transfer = H5Pcreate(H5P_DATASET_XFER);
	H5Pset_dxpl_mpio(place->transfer, H5FD_MPIO_INDEPENDENT);
	return place->space < 0 || place->memory < 0 ? -1 : 0;
}

static int leave(struct place *place)
{
	H5Sclose(place->space);
	H5Sclose(place->memory);
	H5Pclose(place->transfer);
	H5Pclose(place->access);
	return H5Dclose(place->data) < 0 || H5Fclose(place->file) < 0 ? -1 : 0;
}

static int move(struct place *place, const struct job *job, uint64_t at, void *buffer)
{
	hsize_t start = at, one = 1, length = job->length;

	if (H5Sselect_hyperslab(place->space, H5S_SELECT_SET, &start, NULL, &one, &length) < 0)
		return -1;
	return (job->writes ? H5Dwrite(place->data, H5T_NATIVE_UINT8, place->memory, place->space,
				       place->transfer, buffer)
			    : H5Dread(place->data, H5T_NATIVE_UINT8, place->memory, place->space,
				      place->transfer, buffer)) < 0
		       ? -1
		       : 0;
}

int main(int argc, char **argv)
{
	struct place place;

	return shared_file_main(argc, argv, &place);
}
