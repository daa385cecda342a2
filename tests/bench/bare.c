/*
 * The least a program can do to time an operation: the call and one clock read, in a loop over an
 * existing file. Prints the wall and the processor time of the loop per operation, ns.
 * Usage: bare read|write|none FILE TRANSFER COUNT [random] [direct]
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "places.h"

static int move(int fd, char kind, char *buffer, size_t transfer, const uint64_t *places, long count,
		volatile uint64_t *sink)
{
	for (long i = 0; i < count; i++) {
		ssize_t got = kind == 'w'   ? pwrite(fd, buffer, transfer, (off_t)places[i])
			      : kind == 'r' ? pread(fd, buffer, transfer, (off_t)places[i])
					    : (ssize_t)transfer;

		if (got != (ssize_t)transfer)
			return -1;
		*sink = read_clock();
	}
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t *places = NULL;
	volatile uint64_t sink;
	char *buffer;

	if (argc < 5)
		return 2;
	size_t transfer = strtoul(argv[3], NULL, 10);
	long count = strtol(argv[4], NULL, 10);
	int fd = open(argv[2], O_RDWR | (has_word(argv + 5, "direct") ? O_DIRECT : 0));

	if (argv[1][0] != 'n') {
		places = make_places(count, transfer, has_word(argv + 5, "random"));
		if (!places)
			return 1;
	}
	if (fd < 0 || posix_memalign((void **)&buffer, 4096, transfer))
		return 1;
	memset(buffer, 0x5a, transfer);
	double start = now_ns(), cpu = cpu_ns();

	if (move(fd, argv[1][0], buffer, transfer, places, count, &sink))
		return 1;
	printf("%.3f %.3f\n", (now_ns() - start) / (double)count, (cpu_ns() - cpu) / (double)count);
	return 0;
}
