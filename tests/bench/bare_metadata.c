/*
 * The least an MPI program can do to time metadata operations: the calls and one clock read, in a
 * loop over names as iorx makes them, of which mostly the last digit changes. A pass makes new
 * directories, and in them creates and closes, looks at, opens and closes, and removes COUNT files
 * of each task. Task 0 prints, for each pass, the wall time of these four and then their processor
 * time, ns per operation, means over the tasks. Usage: bare_metadata FOLDER COUNT PASSES
 * full|relative own|shared
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "sleeper.h"

enum { OPERATIONS = 4, PATH_SIZE = 4096 };

struct names {
	char path[PATH_SIZE];
	char *given; /* to the call: all of it, or from where the name begins */
	char *number;
	char *last; /* the last digit */
	int at;	    /* first argument of the calls */
};

static void first(struct names *names)
{
	names->last = names->number;
	strcpy(names->number, "0");
}

static inline __attribute__((always_inline)) void next(struct names *names, long at)
{
	char *digit = names->last;

	while (*digit == '9')
		*digit-- = '0';
	if (__builtin_expect(*digit == '.', 0))
		names->last = names->number + sprintf(names->number, "%ld", at) - 1;
	else
		++*digit;
}

static inline int open_and_close(const struct names *names, int flags)
{
	int fd = openat(names->at, names->given, flags | O_CLOEXEC, 0664);

	return fd < 0 ? -1 : close(fd);
}

static inline __attribute__((always_inline)) int operate(const struct names *names, int operation)
{
	struct stat status;

	switch (operation) {
	case 0:
		return open_and_close(names, O_CREAT | O_EXCL | O_WRONLY);
	case 1:
		return fstatat(names->at, names->given, &status, 0);
	case 2:
		return open_and_close(names, O_RDONLY);
	default:
		return unlinkat(names->at, names->given, 0);
	}
}

static inline __attribute__((always_inline)) int loop(struct names *names, long count,
						      int operation)
{
	volatile uint64_t sink;

	first(names);
	for (long i = 0; i < count;) {
		if (operate(names, operation))
			return -1;
		sink = read_clock();
		next(names, ++i);
	}
	(void)sink;
	return 0;
}

static int create_all(struct names *names, long count)
{
	return loop(names, count, 0);
}

static int stat_all(struct names *names, long count)
{
	return loop(names, count, 1);
}

static int open_all(struct names *names, long count)
{
	return loop(names, count, 2);
}

static int remove_all(struct names *names, long count)
{
	return loop(names, count, 3);
}

static int (*const loops[OPERATIONS])(struct names *, long) = {create_all, stat_all, open_all,
							       remove_all};

/* Directories as deep as those of iorx, with names as long. */
static int enter(struct names *names, const char *folder, int rank, bool own, bool relative)
{
	int length = snprintf(names->path, PATH_SIZE, "%s/test-dir.0-0", folder);

	if (rank == 0 && mkdir(names->path, 0755))
		return -1;
	MPI_Barrier(MPI_COMM_WORLD);
	length += own ? sprintf(names->path + length, "/mdtest_tree.%d.0", rank)
		      : sprintf(names->path + length, "/mdtest_tree.0");
	if ((own || rank == 0) && mkdir(names->path, 0755))
		return -1;
	MPI_Barrier(MPI_COMM_WORLD);
	names->at = relative ? open(names->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : AT_FDCWD;
	names->given = relative ? names->path + length + 1 : names->path;
	length += sprintf(names->path + length, "/file.mdtest.%d.", rank);
	names->number = names->path + length;
	return relative && names->at < 0 ? -1 : 0;
}

static int leave(struct names *names, int rank, bool own)
{
	if (names->at != AT_FDCWD)
		close(names->at);
	MPI_Barrier(MPI_COMM_WORLD);
	*strrchr(names->path, '/') = '\0';
	if ((own || rank == 0) && rmdir(names->path))
		return -1;
	MPI_Barrier(MPI_COMM_WORLD);
	*strrchr(names->path, '/') = '\0';
	return rank == 0 ? rmdir(names->path) : 0;
}

static int run(struct names *names, long count, double *spent)
{
	for (int operation = 0; operation < OPERATIONS; operation++) {
		MPI_Barrier(MPI_COMM_WORLD);
		double start = now_ns(), cpu = cpu_ns();

		if (loops[operation](names, count))
			return -1;
		spent[operation] = (now_ns() - start) / (double)count;
		spent[OPERATIONS + operation] = (cpu_ns() - cpu) / (double)count;
	}
	return 0;
}

int main(int argc, char **argv)
{
	double spent[2 * OPERATIONS], sums[2 * OPERATIONS];
	struct names names;
	int rank, tasks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &tasks);
	if (argc != 6 || start_sleeper())
		MPI_Abort(MPI_COMM_WORLD, 2);
	bool relative = argv[4][0] == 'r', own = argv[5][0] == 'o';

	for (long left = strtol(argv[3], NULL, 10); left > 0; left--) {
		if (enter(&names, argv[1], rank, own, relative) ||
		    run(&names, strtol(argv[2], NULL, 10), spent) || leave(&names, rank, own)) {
			perror(names.path);
			MPI_Abort(MPI_COMM_WORLD, 1);
		}
		MPI_Reduce(spent, sums, 2 * OPERATIONS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
		for (int i = 0; rank == 0 && i < 2 * OPERATIONS; i++)
			printf("%.3f%c", sums[i] / tasks, i + 1 < 2 * OPERATIONS ? ' ' : '\n');
	}
	MPI_Finalize();
	return 0;
}
