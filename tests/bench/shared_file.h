/*
 * The frame of the bare loops over a file that tasks share, each with its block of it: passes, and
 * in each a barrier, open, the loop, close. What is written is made as iorx makes it: the loop
 * stamps it where it lies, as that is a part of the test and not of measuring it. Task 0 prints the
 * wall and the processor time of each pass per transfer, ns, means over the tasks. Usage: PROGRAM
 * read|write FILE TRANSFER COUNT PASSES
 *
 * The program that includes this completes struct place and defines enter, move and leave.
 */
#ifndef TESTS_BENCH_SHARED_FILE_H
#define TESTS_BENCH_SHARED_FILE_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "content/content.h"
#include "sleeper.h"

struct place;

struct job {
	const char *name;
	bool writes;
	uint64_t start, length; /* of this task's block, and of a transfer */
	long count;
	struct content content;
	struct content_buffer buffer;
};

/* 0, or -1: something failed. */
static int enter(struct place *place, const struct job *job);
static int move(struct place *place, const struct job *job, uint64_t at, void *buffer);
static int leave(struct place *place);

static inline int prepare(struct job *job, char **argv)
{
	int rank;
	struct error err;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	job->writes = argv[1][0] == 'w';
	job->name = argv[2];
	job->length = strtoul(argv[3], NULL, 10);
	job->count = strtol(argv[4], NULL, 10);
	job->start = (uint64_t)rank * (uint64_t)job->count * job->length;
	job->buffer.in_place = job->writes;
	job->buffer.room = (content_room(job->length, job->writes) + 4095) / 4096 * 4096;
	job->buffer.bytes = aligned_alloc(4096, job->buffer.room);
	if (!job->buffer.bytes ||
	    content_start(&job->content, &(struct content_setup){.kind = CONTENT_STAMPED}, &err))
		return -1;
	content_buffer_prepare(&job->content, &job->buffer);
	return 0;
}

static inline int loop(struct place *place, const struct job *job)
{
	const struct content content = job->content;
	const struct content_buffer made = job->buffer;
	volatile uint64_t sink;

	for (long i = 0; i < job->count; i++) {
		uint64_t at = job->start + (uint64_t)i * job->length;
		void *buffer =
			job->writes ? content_put(&content, &made, at, job->length) : made.bytes;

		if (move(place, job, at, buffer))
			return -1;
		sink = read_clock();
	}
	(void)sink;
	return 0;
}

static inline int pass(struct place *place, const struct job *job)
{
	double spent[2], sums[2];
	int rank, tasks;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &tasks);
	MPI_Barrier(MPI_COMM_WORLD);
	double start = now_ns(), cpu = cpu_ns();

	if (enter(place, job) || loop(place, job) || leave(place))
		return -1;
	spent[0] = (now_ns() - start) / (double)job->count;
	spent[1] = (cpu_ns() - cpu) / (double)job->count;
	MPI_Reduce(spent, sums, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%.3f %.3f\n", sums[0] / tasks, sums[1] / tasks);
	return 0;
}

static inline int shared_file_main(int argc, char **argv, struct place *place)
{
	struct job job = {0};

	MPI_Init(&argc, &argv);
	if (argc != 6 || start_sleeper())
		return 2;
	if (prepare(&job, argv))
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (long left = strtol(argv[5], NULL, 10); left > 0; left--)
		if (pass(place, &job))
			MPI_Abort(MPI_COMM_WORLD, 1);
	content_release(&job.content);
	free(job.buffer.bytes);
	MPI_Finalize();
	return 0;
}

#endif
