/*
 * The least a program can do to time queued reads by io_uring: fill, submit and wait, one clock
 * read before and one after, registered file and buffers. Prints the wall and the processor time
 * per operation, ns. Usage: bare_uring FILE TRANSFER COUNT DEPTH [random] [direct]
 */
#include <fcntl.h>
#include <liburing.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "places.h"
#include "sleeper.h"

struct bare {
	struct io_uring ring;
	char *memory;
	size_t transfer;
	long count, next, done;
	unsigned depth, free_count, *free_slots;
	uint64_t *issued, *places;
};

static int prepare(struct bare *bare, const char *path, int direct)
{
	int flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
	struct iovec *vectors = calloc(bare->depth, sizeof(*vectors));
	int fd = open(path, O_RDONLY | (direct ? O_DIRECT : 0));

	if (fd < 0 || posix_memalign((void **)&bare->memory, 4096, bare->transfer * bare->depth))
		return -1;
	memset(bare->memory, 0x5a, bare->transfer * bare->depth);
	bare->free_slots = calloc(bare->depth, sizeof(unsigned));
	bare->issued = calloc(bare->depth, sizeof(uint64_t));
	for (unsigned i = 0; i < bare->depth; i++) {
		vectors[i].iov_base = bare->memory + i * bare->transfer;
		vectors[i].iov_len = bare->transfer;
		bare->free_slots[bare->free_count++] = i;
	}
	if (io_uring_queue_init(bare->depth, &bare->ring, (unsigned)flags) &&
	    io_uring_queue_init(bare->depth, &bare->ring, 0))
		return -1;
	io_uring_register_ring_fd(&bare->ring);
	return io_uring_register_files(&bare->ring, &fd, 1) ||
	       io_uring_register_buffers(&bare->ring, vectors, bare->depth);
}

static void fill(struct bare *bare, uint64_t now)
{
	while (bare->free_count && bare->next < bare->count) {
		unsigned slot = bare->free_slots[--bare->free_count];
		struct io_uring_sqe *entry = io_uring_get_sqe(&bare->ring);

		io_uring_prep_read_fixed(entry, 0, bare->memory + slot * bare->transfer,
					 (unsigned)bare->transfer, bare->places[bare->next++],
					 (int)slot);
		entry->flags |= IOSQE_FIXED_FILE;
		io_uring_sqe_set_data64(entry, slot);
		bare->issued[slot] = now;
	}
}

static int take(struct bare *bare, uint64_t now, volatile uint64_t *sink)
{
	struct io_uring_cqe *entry;
	unsigned head, count = 0;

	io_uring_for_each_cqe(&bare->ring, head, entry)
	{
		if (entry->res != (int)bare->transfer)
			return -1;
		*sink = now - bare->issued[entry->user_data];
		bare->free_slots[bare->free_count++] = (unsigned)entry->user_data;
		count++;
	}
	io_uring_cq_advance(&bare->ring, count);
	bare->done += count;
	return 0;
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

	while (bare.done < bare.count) {
		fill(&bare, read_clock());
		if (io_uring_submit_and_wait(&bare.ring, 1) < 0 || take(&bare, read_clock(), &sink))
			return 1;
	}
	printf("%.3f %.3f\n", (now_ns() - start) / (double)bare.count,
	       (cpu_ns() - cpu) / (double)bare.count);
	return 0;
}
