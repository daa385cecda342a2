/*
 * The least a program can do to time HDF5: opening a file that is there, choosing a place in its one
 * dataset, H5Dwrite or H5Dread and one clock read in a loop, and closing it. The tasks share the file
 * and each has its block of it. Prints the wall and the processor time of all that per transfer, ns,
 * means over the tasks.
 * Usage: bare_hdf5 read|write FILE TRANSFER COUNT
 */
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

struct place {
	hid_t access, file, data, space, memory, transfer;
	hsize_t start, length;
};

static int enter(struct place *place, const char *name, char kind)
{
	place->access = H5Pcreate(H5P_FILE_ACCESS);
	H5Pset_fapl_mpio(place->access, MPI_COMM_WORLD, MPI_INFO_NULL);
	place->file = H5Fopen(name, kind == 'w' ? H5F_ACC_RDWR : H5F_ACC_RDONLY, place->access);
	place->data = H5Dopen2(place->file, "data", H5P_DEFAULT);
	place->space = H5Dget_space(place->data);
	place->memory = H5Screate_simple(1, &place->length, NULL);
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

static int move(const struct place *place, char kind, char *buffer, long count,
		volatile uint64_t *sink)
{
	hsize_t one = 1;

	for (long i = 0; i < count; i++) {
		hsize_t at = place->start + (hsize_t)i * place->length;

		if (H5Sselect_hyperslab(place->space, H5S_SELECT_SET, &at, NULL, &one,
					&place->length) < 0)
			return -1;
		if ((kind == 'w' ? H5Dwrite(place->data, H5T_NATIVE_UINT8, place->memory, place->space,
					    place->transfer, buffer) :
				   H5Dread(place->data, H5T_NATIVE_UINT8, place->memory, place->space,
					   place->transfer, buffer)) < 0)
			return -1;
		*sink = read_clock();
	}
	return 0;
}

/* Of this task per transfer; -1: something failed. */
static int run(struct place *place, char **argv, char *buffer, double spent[2])
{
	long count = strtol(argv[4], NULL, 10);
	char kind = argv[1][0];
	volatile uint64_t sink;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	place->start = (hsize_t)rank * (hsize_t)count * place->length;
	MPI_Barrier(MPI_COMM_WORLD);
	double start = now_ns(), cpu = cpu_ns();

	if (enter(place, argv[2], kind) || move(place, kind, buffer, count, &sink) || leave(place))
		return -1;
	spent[0] = (now_ns() - start) / (double)count;
	spent[1] = (cpu_ns() - cpu) / (double)count;
	return 0;
}

int main(int argc, char **argv)
{
	struct place place = { 0 };
	double spent[2], sums[2];
	int rank, tasks;
	char *buffer;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &tasks);
	if (argc < 5)
		return 2;
	place.length = strtoul(argv[3], NULL, 10);
	if (posix_memalign((void **)&buffer, 4096, place.length))
		return 1;
	memset(buffer, 0x5a, place.length);
	if (H5open() < 0 || run(&place, argv, buffer, spent))
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Reduce(spent, sums, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%.3f %.3f\n", sums[0] / tasks, sums[1] / tasks);
	free(buffer);
	MPI_Finalize();
	return 0;
}
