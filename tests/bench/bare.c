/*
 * The least a program can do to time an operation: the call and one clock read, in a loop over an
 * existing file. Prints the wall and the processor time of the loop per operation, ns.
 * Usage: bare read|write|none FILE TRANSFER COUNT [PASSES]
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

static int move(int fd, char kind, char *buffer, size_t transfer, long count, volatile uint64_t *sink)
{
	for (long i = 0; i < count; i++) {
		off_t offset = (off_t)i * (off_t)transfer;
		ssize_t got = kind == 'w'   ? pwrite(fd, buffer, transfer, offset)
			      : kind == 'r' ? pread(fd, buffer, transfer, offset)
					    : (ssize_t)transfer;

		if (got != (ssize_t)transfer)
			return -1;
		*sink = read_clock();
	}
	return 0;
}

int main(int argc, char **argv)
{
	volatile uint64_t sink;
	char *buffer;

	if (argc < 5)
		return 2;
	size_t transfer = strtoul(argv[3], NULL, 10);
	long count = strtol(argv[4], NULL, 10);
	long passes = argc > 5 ? strtol(argv[5], NULL, 10) : 1;
	int fd = open(argv[2], O_RDWR);

	if (fd < 0 || posix_memalign((void **)&buffer, 4096, transfer))
		return 1;
	memset(buffer, 0x5a, transfer);
	double start = now_ns(), cpu = cpu_ns();

	for (long pass = 0; pass < passes; pass++)
		if (move(fd, argv[1][0], buffer, transfer, count, &sink))
			return 1;
	double moved = (double)(count * passes);

	printf("%.3f %.3f\n", (now_ns() - start) / moved, (cpu_ns() - cpu) / moved);
	return 0;
}
