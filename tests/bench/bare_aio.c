/*
 * The least a program can do to time queued reads by Linux AIO: fill, io_submit, io_getevents, one
 * clock read before and one after. Prints the wall and the processor time per operation, ns.
 * Usage: bare_aio FILE TRANSFER COUNT DEPTH [random] [direct]
 */
#include <fcntl.h>
#include <libaio.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "places.h"
#include "sleeper.h"

struct bare {
	io_context_t context;
	int fd;
	char *memory;
	size_t transfer;
	long count, next, done;
	unsigned depth, free_count, *free_slots;
	struct iocb *blocks, **batch;
	struct io_event *events;
	uint64_t *issued, *places;
};

static int prepare(struct bare *bare, const char *path, int direct)
{
	bare->fd = open(path, O_RDONLY | (direct ? O_DIRECT : 0));
	if (bare->fd < 0 ||
	    posix_memalign((void **)&bare->memory, 4096, bare->transfer * bare->depth))
		return -1;
	memset(bare->memory, 0x5a, bare->transfer * bare->depth);
	bare->free_slots = calloc(bare->depth, sizeof(unsigned));
	bare->issued = calloc(bare->depth, sizeof(uint64_t));
	bare->blocks = calloc(bare->depth, sizeof(struct iocb));
	bare->batch = calloc(bare->depth, sizeof(struct iocb *));
	bare->events = calloc(bare->depth, sizeof(struct io_event));
	while (bare->free_count < bare->depth) {
		bare->free_slots[bare->free_count] = bare->free_count;
		bare->free_count++;
	}
	return io_setup((int)bare->depth, &bare->context);
}

static int submit(struct bare *bare, uint64_t now)
{
	long count = 0;

	while (bare->free_count && bare->next < bare->count) {
		unsigned slot = bare->free_slots[--bare->free_count];
		struct iocb *block = &bare->blocks[slot];

		io_prep_pread(block, bare->fd, bare->memory + slot * bare->transfer, bare->transfer,
			      (long long)bare->places[bare->next++]);
		block->data = (void *)(uintptr_t)slot;
		bare->issued[slot] = now;
		bare->batch[count++] = block;
	}
	return count == 0 || io_submit(bare->context, count, bare->batch) == count ? 0 : -1;
}

static int take(struct bare *bare, volatile uint64_t *sink)
{
	int got = io_getevents(bare->context, 1, bare->depth, bare->events, NULL);
	uint64_t now = read_clock();

	for (int i = 0; i < got; i++) {
		unsigned slot = (unsigned)(uintptr_t)bare->events[i].data;

		if (bare->events[i].res != bare->transfer)
			return -1;
		*sink = now - bare->issued[slot];
		bare->free_slots[bare->free_count++] = slot;
	}
	bare->done += got > 0 ? got : 0;
	return got < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
	struct bare bare = {0};
	volatile uint64_t sink;

	if (argc < 5 || start_sleeper())
		return 2;
	bare.transfer = strtoul(argv[2], NULL, 10);
	bare.count = strtol(argv[3], NULL, 10);
	bare.depth = (unsigned)strtoul(argv[4], NULL, 10);
	bare.places = make_places(bare.count, bare.transfer, has_word(argv + 5, "random"));
	if (!bare.places || prepare(&bare, argv[1], has_word(argv + 5, "direct")))
		return 1;
	double start = now_ns(), cpu = cpu_ns();

	while (bare.done < bare.count)
		if (submit(&bare, read_clock()) || take(&bare, &sink))
			return 1;
	printf("%.3f %.3f\n", (now_ns() - start) / (double)bare.count,
	       (cpu_ns() - cpu) / (double)bare.count);
	return 0;
}
