/*
 * The least an MPI program can do to time independent transfers of a shared file: the call and one clock
 * read, in a loop over this task's block of an existing file. Task 0 prints the wall and the processor time
 * of the loop per operation, ns, means over the tasks.
 * Usage: bare_mpiio read|write FILE TRANSFER COUNT [PASSES]
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

static int move(MPI_File file, char kind, char *buffer, int transfer, MPI_Offset start, long count,
		volatile uint64_t *sink)
{
	for (long i = 0; i < count; i++) {
		MPI_Offset offset = start + (MPI_Offset)i * transfer;
		MPI_Status status;
		int moved, code = kind == 'w' ? MPI_File_write_at(file, offset, buffer, transfer,
								  MPI_BYTE, &status) :
						MPI_File_read_at(file, offset, buffer, transfer,
								 MPI_BYTE, &status);

		MPI_Get_count(&status, MPI_BYTE, &moved);
		if (code != MPI_SUCCESS || moved != transfer)
			return -1;
		*sink = read_clock();
	}
	return 0;
}

int main(int argc, char **argv)
{
	double times[2], sums[2];
	volatile uint64_t sink;
	int task, tasks;
	MPI_File file;
	char *buffer;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &task);
	MPI_Comm_size(MPI_COMM_WORLD, &tasks);
	if (argc < 5)
		return 2;
	int transfer = atoi(argv[3]);
	long count = strtol(argv[4], NULL, 10), passes = argc > 5 ? strtol(argv[5], NULL, 10) : 1;
	MPI_Offset start = (MPI_Offset)task * transfer * count;

	if (posix_memalign((void **)&buffer, 4096, (size_t)transfer) ||
	    MPI_File_open(MPI_COMM_WORLD, argv[2], MPI_MODE_RDWR, MPI_INFO_NULL, &file))
		return 1;
	memset(buffer, 0x5a, (size_t)transfer);
	MPI_Barrier(MPI_COMM_WORLD);
	times[0] = -now_ns();
	times[1] = -cpu_ns();
	for (long pass = 0; pass < passes; pass++)
		if (move(file, argv[1][0], buffer, transfer, start, count, &sink))
			return 1;
	times[0] = (times[0] + now_ns()) / (double)(count * passes);
	times[1] = (times[1] + cpu_ns()) / (double)(count * passes);
	MPI_Reduce(times, sums, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (task == 0)
		printf("%.3f %.3f\n", sums[0] / tasks, sums[1] / tasks);
	MPI_File_close(&file);
	MPI_Finalize();
	return 0;
}
