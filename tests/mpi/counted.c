/*
 * Counts the MPI calls of a whole run through the profiling interface: linked in front of the
 * library, the program otherwise unchanged. At the end task 0 writes one JSON line to $IORX_COUNTS:
 * collective calls of the tasks with the fewest and with the most, messages of all tasks, and
 * seconds from the return of MPI_Init to the call of MPI_Finalize: the longest of a task
 * ("task_s"), and from the last return to the last call ("job_s", on one machine). Memory is the
 * most that was resident at once, of task 0 and of the largest other.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static long collectives;
static long messages;
static double init_s;

static double now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	int ret = PMPI_Init_thread(argc, argv, required, provided);

	init_s = now();
	return ret;
}

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

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
	collectives++;
	return PMPI_Comm_dup(comm, made);
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

static long resident_kib(void)
{
	struct rusage own;

	getrusage(RUSAGE_SELF, &own);
	return own.ru_maxrss;
}

/* What task 0 gathers of all. */
struct line {
	long least, most, messages, first_kib, others_kib;
	double times[3];
};

static void write_line(const char *name, int tasks, const struct line *line)
{
	FILE *out = fopen(name, "w");

	if (!out)
		return;
	fprintf(out,
		"{\"tasks\": %d, \"least\": %ld, \"most\": %ld, \"messages\": %ld, \"task_s\": "
		"%.6f, \"job_s\": %.6f, \"first_kib\": %ld, \"others_kib\": %ld}\n",
		tasks, line->least, line->most, line->messages, line->times[0],
		line->times[2] - line->times[1], line->first_kib, line->others_kib);
	fclose(out);
}

int MPI_Finalize(void)
{
	double finalize_s = now();
	double own[3] = {finalize_s - init_s, init_s, finalize_s};
	struct line line = {.first_kib = resident_kib()};
	const char *name = getenv("IORX_COUNTS");
	int rank, size;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &size);
	long others_kib = rank ? line.first_kib : 0;

	PMPI_Reduce(&collectives, &line.least, 1, MPI_LONG, MPI_MIN, 0, MPI_COMM_WORLD);
	PMPI_Reduce(&collectives, &line.most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
	PMPI_Reduce(&messages, &line.messages, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	PMPI_Reduce(&others_kib, &line.others_kib, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
	PMPI_Reduce(own, line.times, 3, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (rank == 0 && name)
		write_line(name, size, &line);
	return PMPI_Finalize();
}
