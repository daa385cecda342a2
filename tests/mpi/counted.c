/*
 * Counts the MPI calls of a whole run through the profiling interface: linked in front of the
 * library, the program otherwise unchanged. At the end task 0 writes one JSON line to $IORX_COUNTS:
 * collective calls of one task (the same on each, or "uneven"), messages of all tasks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static long collectives;
static long messages;

int MPI_Barrier(MPI_Comm comm)
{
	collectives++;
	return PMPI_Barrier(comm);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
	collectives++;
	return PMPI_Ibarrier(comm, request);
}

int MPI_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
	       MPI_Request *request)
{
	collectives++;
	return PMPI_Ibcast(buffer, count, type, root, comm, request);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made)
{
	collectives++;
	return PMPI_Comm_split(comm, color, key, made);
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
	      MPI_Request *request)
{
	messages++;
	return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
	messages++;
	return PMPI_Send(buffer, count, type, to, tag, comm);
}

int MPI_Finalize(void)
{
	long least, most, sum;
	int rank, size;
	const char *name = getenv("IORX_COUNTS");

	PMPI_Reduce(&collectives, &least, 1, MPI_LONG, MPI_MIN, 0, MPI_COMM_WORLD);
	PMPI_Reduce(&collectives, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
	PMPI_Reduce(&messages, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank == 0 && name) {
		FILE *out = fopen(name, "w");

		if (out) {
			fprintf(out, "{\"tasks\": %d, \"least\": %ld, \"most\": %ld, \"messages\": %ld}\n",
				size, least, most, sum);
			fclose(out);
		}
	}
	return PMPI_Finalize();
}
