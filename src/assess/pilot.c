/* A cold pilot: what a read costs one task alone. */
#include "assess/pilot.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "assess/nameless.h"
#include "assess/verdict.h"
#include "base/units.h"
#include "content/content.h"

enum { ALIGNMENT = 4096, PARTS = 8, FLOOR_READS = 32, FLOOR_BYTES = 4096 };

static const double most_seconds = 0.4;
/* Where a cached read is not much shorter than a cold one, times cannot tell them apart. */
static const double least_gain = 10;

static double pilot_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Writes as much as there is time for; returns the bytes, 0 after a failure. */
static uint64_t write_file(int fd, char *piece)
{
	const double began = pilot_now();
	uint64_t size = 0;

	for (; size < PILOT_BYTES && pilot_now() - began < most_seconds; size += MIB) {
		content_make_random(piece, MIB, size);
		if (pwrite(fd, piece, MIB, (off_t)size) != (ssize_t)MIB)
			return 0;
	}
	return fsync(fd) ? 0 : size;
}

/* A pass over the file in the order of the test. */
struct pass {
	const struct plan *plan;
	int fd;
	char *buffer;
	uint64_t length, transfers;
};

/* The mean time of the transfers from `first` to `end`, in seconds; 0 after a failure. */
static double read_some(const struct pass *pass, uint64_t first, uint64_t end)
{
	const double began = pilot_now();
	struct order order;

	order_init(&order, pass->transfers, 1);
	for (uint64_t i = first; i < end; i++) {
		uint64_t at = pass->plan->order == ORDER_SEQUENTIAL ? i : order_at(&order, i);

		if (pread(pass->fd, pass->buffer, pass->length, (off_t)(at * pass->length)) !=
		    (ssize_t)pass->length)
			return 0;
	}
	return (pilot_now() - began) / (double)(end - first);
}

/*
 * The least mean time of some neighbouring transfers, as something else on the node only makes them
 * longer. Ends when there is no time left; 0 after a failure.
 */
static double read_file(const struct pass *pass)
{
	const uint64_t each = pass->transfers > PARTS ? pass->transfers / PARTS : 1;
	const double began = pilot_now();
	double least = 0;

	for (uint64_t i = 0; i + each <= pass->transfers && pilot_now() - began < most_seconds;
	     i += each) {
		const double mean = read_some(pass, i, i + each);

		if (mean <= 0)
			return 0;
		if (i == 0 || mean < least)
			least = mean;
	}
	return least;
}

/* The shortest of some 4 KiB reads in the order of the test, in s; 0 after a failure. */
static double read_shortest(const struct pass *pass)
{
	const double began = pilot_now();
	double least = 0;

	for (uint64_t i = 0; i < FLOOR_READS && pilot_now() - began < most_seconds; i++) {
		const double one = read_some(pass, i, i + 1);

		if (one <= 0)
			return 0;
		if (i == 0 || one < least)
			least = one;
	}
	return least;
}

void floor_read(int fd, uint64_t size, const struct test_result *test, struct trial *trial)
{
	const bool direct = assess_direct(test->spec);
	void *buffer;

	if (posix_memalign(&buffer, ALIGNMENT, FLOOR_BYTES))
		return;
	/* Read-ahead would make pages hot that were not read yet. */
	if (nameless_drop(fd, size) && (!direct || !fcntl(fd, F_SETFL, O_DIRECT)) &&
	    !posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM)) {
		const struct pass pass = {test->plan, fd, buffer, FLOOR_BYTES, size / FLOOR_BYTES};

		trial->floor_ns = 1e9 * read_shortest(&pass);
		trial->hot_ns = 1e9 * read_shortest(&pass);
	}
	posix_fadvise(fd, 0, 0, POSIX_FADV_NORMAL);
	if (direct)
		fcntl(fd, F_SETFL, 0);
	free(buffer);
}

double pilot_read(int fd, const struct test_result *test)
{
	const uint64_t transfer = test->plan->transfer_bytes;
	const bool direct = assess_direct(test->spec);
	double cold = 0, hot = 0;
	void *buffer;

	if (posix_memalign(&buffer, ALIGNMENT, PILOT_BYTES))
		return 0;
	const uint64_t size = write_file(fd, buffer);
	const uint64_t length = transfer < size ? transfer : size;

	if (length && nameless_drop(fd, size) && (!direct || !fcntl(fd, F_SETFL, O_DIRECT))) {
		const struct pass pass = {test->plan, fd, buffer, length, size / length};

		cold = read_file(&pass);
		hot = read_file(&pass);
	}
	free(buffer);
	if (cold < least_gain * hot)
		return 0;
	/* A longer transfer than the file takes in proportion longer. */
	return length ? cold * 1e9 * (double)transfer / (double)length : 0;
}
