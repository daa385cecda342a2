/* Measures the limit of a client: all its tasks make the calls of the test on a file in memory. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "assess/rounds.h"
#include "base/units.h"

enum { ALIGNMENT = 4096, CALLS_LEAST = 4 };

static const double round_seconds = 0.04;

struct client {
	int fd;
	void *buffer;
	bool failed;
};

/*
 * A CPU is counted by the time that it worked for this task, as others may want it too. Where tasks
 * share CPUs, all together have no more than these.
 */
static double cpu_share(const struct node *node)
{
	return node->cpus && node->cpus < node->tasks ? (double)node->cpus / node->tasks : 1;
}

static double cpu_seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Calls per second of this task. */
static struct turn make_calls(const struct client *client, enum access access, uint64_t length,
			      double share)
{
	const double began = cpu_seconds(), until = rounds_now() + round_seconds;
	uint64_t calls = 0;

	while (!client->failed && (calls < CALLS_LEAST || rounds_now() < until)) {
		const ssize_t moved = access == ACCESS_WRITE
					      ? pwrite(client->fd, client->buffer, length, 0)
					      : pread(client->fd, client->buffer, length, 0);

		if (moved != (ssize_t)length)
			return (struct turn){.failed = true};
		calls++;
	}
	const double spent = cpu_seconds() - began;

	return (struct turn){.amount = spent > 0 ? share * (double)calls / spent : 0,
			     .failed = client->failed || spent <= 0};
}

static void measure_calls(const struct measuring *measuring, const struct client *client,
			  enum access access, uint64_t length, struct measured *measured)
{
	const uint32_t nodes = measuring->plan->map.nodes;
	const bool small = length == 1;
	double rates[ROUNDS];

	for (unsigned i = 0; i < ROUNDS; i++) {
		const struct turn all = rounds_join(
			measuring, make_calls(client, access, length, cpu_share(measuring->node)));

		if (all.failed)
			return;
		/* Limits are bytes/s of a node: operations x size. */
		rates[i] = all.amount * (double)measured->transfer / nodes;
	}
	struct measured_limit *limit = measured_add(measured, LIMIT_CLIENT, nodes, rates, ROUNDS);

	limit->access = access;
	/* Direct transfers copy nothing, but each is a call. */
	limit->judges = small == measuring->direct && measured->plain_calls;
	const bool counted = small && measured->transfer > 1;

	snprintf(limit->method, sizeof(limit->method), "calls of %s%s%s on a file in memory",
		 counted ? "1 byte, counted as " : "", units_show_bytes(measured->transfer).text,
		 counted ? "," : "");
}

void limits_measure_client(const struct measuring *measuring, struct measured *measured)
{
	const uint64_t length = measured->transfer;
	struct client client = {.fd = memfd_create("iorx-limits", MFD_CLOEXEC)};

	client.failed = client.fd < 0 || posix_memalign(&client.buffer, ALIGNMENT, length) ||
			ftruncate(client.fd, (off_t)length);
	for (enum access access = 0; access < ACCESS_COUNT; access++) {
		measure_calls(measuring, &client, access, 1, measured);
		if (length > 1)
			measure_calls(measuring, &client, access, length, measured);
	}
	free(client.buffer);
	if (client.fd >= 0)
		close(client.fd);
}
