/*
 * The least a program can do to time an operation: the call and one clock read, in a loop over an
 * existing file. Prints the wall and the processor time of the loop per operation, ns. All is moved
 * from or to the same buffer; with `walk` each transfer has the next piece of 1 MiB, as one that
 * has data of its own: so much does not fit into the first cache. Usage: bare read|write|none FILE
 * TRANSFER COUNT [random] [direct] [walk]
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "places.h"
#include "sleeper.h"

enum { WALK = 1 << 20 };

/* room: of the buffer, beside a transfer. */
static int move(int fd, char kind, char *buffer, size_t room, size_t transfer,
		const uint64_t *places, long count, volatile uint64_t *sink)
{
	size_t from = 0;

	for (long i = 0; i < count; i++) {
		char *at = buffer + from;
		ssize_t got = kind == 'w'   ? pwrite(fd, at, transfer, (off_t)places[i])
			      : kind == 'r' ? pread(fd, at, transfer, (off_t)places[i])
					    : (ssize_t)transfer;

		if (got != (ssize_t)transfer)
			return -1;
		*sink = read_clock();
		from += transfer;
		if (from >= room)
			from = 0;
	}
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t *places = NULL;
	volatile uint64_t sink;
	char *buffer;

	if (argc < 5 || start_sleeper())
		return 2;
	size_t transfer = strtoul(argv[3], NULL, 10);
	size_t room = has_word(argv + 5, "walk") ? WALK : 0;
	long count = strtol(argv[4], NULL, 10);
	int fd = open(argv[2], O_RDWR | (has_word(argv + 5, "direct") ? O_DIRECT : 0));

	if (argv[1][0] != 'n') {
		places = make_places(count, transfer, has_word(argv + 5, "random"));
		if (!places)
			return 1;
	}
	if (fd < 0 || posix_memalign((void **)&buffer, 4096, room + transfer))
		return 1;
	memset(buffer, 0x5a, room + transfer);
	double start = now_ns(), cpu = cpu_ns();

	if (move(fd, argv[1][0], buffer, room, transfer, places, count, &sink))
		return 1;
	printf("%.3f %.3f\n", (now_ns() - start) / (double)count, (cpu_ns() - cpu) / (double)count);
	return 0;
}
