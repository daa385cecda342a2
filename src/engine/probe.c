/* api=auto: which backend is fastest where the test's file will lie. */
#include "engine/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/registry.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "content/content.h"
#include "engine/lane.h"
#include "measure/kernel.h"

enum {
	FILE_BYTES = 16 << 20,
	FLIGHT_BYTES = 16 << 20, /* in flight at most */
	TRANSFER_MOST = 4 << 20, /* larger ones cost the same a byte */
	FILL_PIECE = 1 << 20,
	PAGE = 4096,
};

#define ROUND_NS 3000000 /* about a time slice: some rounds have the processor for themselves */
#define FILL_NS 100000000
#define ALL_ROUNDS_NS UINT64_C(300000000) /* no round is begun after it, but each has one */

/* One probe as it runs. */
struct prober {
	const struct plan *plan;
	struct lane_setup setup;
	struct lane lanes[CANDIDATES];
	char path[PLAN_PATH_SIZE];
	int fd;      /* of the file of its own; -1: the test's own file is read */
	void *memory;
	uint64_t places;
};

static void find_candidates(struct prober *prober, const struct test_spec *spec)
{
	for (int i = 0; i < CANDIDATES; i++) {
		struct lane *lane = &prober->lanes[i];
		struct error err = {0};

		lane->backend = registry_backend(candidate_name(i), &err);
		if (lane->backend)
			lane->options = test_spec_set(spec, lane->backend->options)->values;
		else
			lane_give_up(lane, &err);
	}
}

/* The candidates' options say the same about direct transfers (job_complete()). */
static bool is_direct(const struct test_spec *spec, const struct lane *posix)
{
	const struct option_set *set = test_spec_set(spec, posix->backend->options);
	const struct option *row = option_find(set->table, "direct");

	return row && *(const bool *)((const char *)set->values + row->offset);
}

/*
 * A file that lost its name at once is there as long as it is open, and can be opened again through
 * /proc: whatever becomes of this process, nothing stays behind.
 */
static int make_file(struct prober *prober, int *code)
{
	char base[PLAN_PATH_SIZE], directory[PLAN_PATH_SIZE - 64], host[64] = "";

	plan_base(prober->plan, 0, base);
	text_directory(base, directory, sizeof(directory));
	gethostname(host, sizeof(host) - 1);
	snprintf(prober->path, sizeof(prober->path), "%s/iorx-probe-%.40s-%d", directory, host,
		 (int)getpid());
	prober->fd = open(prober->path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	*code = errno;
	if (prober->fd < 0)
		return -1;
	unlink(prober->path);
	snprintf(prober->path, sizeof(prober->path), "/proc/self/fd/%d", prober->fd);
	return 0;
}

/* Reading it directly leaves the page cache, and so what will be measured, as it is. */
static bool take_test_file(struct prober *prober, const struct test_spec *spec)
{
	struct stat status;

	if (prober->plan->test->write_file || !is_direct(spec, &prober->lanes[CANDIDATE_POSIX]))
		return false;
	plan_path(prober->plan, 0, 0, prober->path);
	if (stat(prober->path, &status) || (uint64_t)status.st_size < prober->setup.length)
		return false;
	prober->setup.file_bytes =
		status.st_size < FILE_BYTES ? (uint64_t)status.st_size : FILE_BYTES;
	prober->places = prober->setup.file_bytes / prober->setup.length;
	prober->setup.access = ACCESS_READ;
	return true;
}

static void make_buffers(struct prober *prober)
{
	struct lane_setup *setup = &prober->setup;
	uint64_t stride = (setup->length + PAGE - 1) / PAGE * PAGE;
	uint64_t bytes = stride * setup->depth > FILL_PIECE ? stride * setup->depth : FILL_PIECE;

	prober->memory = aligned_alloc(PAGE, bytes);
	setup->buffers = memory_allocate(setup->depth, sizeof(*setup->buffers));
	for (uint64_t i = 0; prober->memory && i < setup->depth; i++)
		setup->buffers[i] = (char *)prober->memory + i * stride;
	if (prober->memory)
		content_make_random(prober->memory, bytes, 1);
}

/* What the test would move, as far as a short probe can. */
static void size_up(struct prober *prober, const struct test *test)
{
	struct lane_setup *setup = &prober->setup;
	uint64_t stride;

	setup->length = test->transfer_size < TRANSFER_MOST ? test->transfer_size : TRANSFER_MOST;
	stride = (setup->length + PAGE - 1) / PAGE * PAGE;
	setup->depth = FLIGHT_BYTES / stride < test->queue_depth ? FLIGHT_BYTES / stride
								 : test->queue_depth;
	setup->batch = test->queue_batch;
	setup->file_bytes = FILE_BYTES;
	prober->places = setup->file_bytes / setup->length;
}

/* As the test will find its file: new, or out of the cache. */
static void before_round(struct prober *prober, const struct lane_round *round)
{
	const struct test *test = prober->plan->test;

	if (round->access == ACCESS_WRITE && !test->use_existing_test_file &&
	    ftruncate(prober->fd, 0))
		return; /* writing over it will do */
	if (round->access == ACCESS_READ && test->cold != COLD_NONE)
		kernel_cache_drop(prober->path);
}

/*
 * Candidates take turns, so that what else the machine does meets all alike, and in every order: one
 * that runs after another has waited for the kernel's threads would find the processor in its debt.
 */
static void run_rounds(struct prober *prober, const struct lane_round *round, uint64_t until_ns)
{
	static const enum candidate orders[][CANDIDATES] = {
		{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {0, 2, 1}, {2, 0, 1}, {1, 0, 2},
	};
	enum { ORDERS = sizeof(orders) / sizeof(orders[0]) };

	for (unsigned number = 0; number < LANE_ROUNDS; number++) {
		for (unsigned i = 0; i < CANDIDATES; i++) {
			struct lane *lane = &prober->lanes[orders[number % ORDERS][i]];

			if (!lane_runs(lane))
				continue;
			before_round(prober, round);
			lane_run(lane, &prober->setup, round);
		}
		if (clock_now(prober->setup.clock) >= until_ns)
			break;
	}
}

static void probe_writing(struct prober *prober, uint64_t until_ns)
{
	struct lane_round round = {
		.access = ACCESS_WRITE,
		.places = prober->places,
		.once = !prober->plan->test->use_existing_test_file,
		.time_ns = ROUND_NS,
	};

	run_rounds(prober, &round, until_ns);
}

static void probe_reading(struct prober *prober, uint64_t until_ns)
{
	struct lane *posix = &prober->lanes[CANDIDATE_POSIX];
	bool cold = prober->plan->test->cold != COLD_NONE;

	if (prober->fd >= 0 && lane_runs(posix)) {
		uint64_t filled = lane_fill(posix, &prober->setup, FILL_PIECE, FILL_NS);

		prober->places = filled / prober->setup.length;
	}
	if (cold && prober->fd >= 0 && lane_runs(posix))
		lane_sync(posix);
	if (!prober->places || !lane_runs(posix))
		return;
	struct lane_round round = {
		.access = ACCESS_READ,
		.places = prober->places,
		.once = cold,
		.time_ns = ROUND_NS,
	};

	run_rounds(prober, &round, until_ns);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The better rounds: in the worse ones other processes had the processor. */
static double lower_quartile(double *seconds, unsigned count)
{
	qsort(seconds, count, sizeof(*seconds), ascending);
	return seconds[count / 4];
}

static void keep(struct prober *prober, struct probe *probe)
{
	for (int i = 0; i < CANDIDATES; i++) {
		struct candidate_probe *figures = &probe->candidates[i];
		struct lane *lane = &prober->lanes[i];

		memcpy(figures->why_not, lane->why_not, sizeof(figures->why_not));
		figures->nodes = lane_runs(lane);
		for (int access = 0; figures->nodes && access < ACCESS_COUNT; access++)
			figures->transfer_s[access] =
				lower_quartile(lane->rounds[access], lane->round_count[access]);
	}
}

static void probe_file(struct prober *prober, struct probe *probe)
{
	const struct test *test = prober->plan->test;
	uint64_t start_ns = clock_now(prober->setup.clock);

	make_buffers(prober);
	for (int i = 0; prober->memory && i < CANDIDATES; i++)
		lane_start(&prober->lanes[i], &prober->setup);
	if (prober->memory && test->write_file)
		probe_writing(prober, start_ns + ALL_ROUNDS_NS / (test->read_file ? 2 : 1));
	if (prober->memory && test->read_file)
		probe_reading(prober, start_ns + ALL_ROUNDS_NS);
	for (int i = 0; i < CANDIDATES; i++)
		lane_stop(&prober->lanes[i]);
	keep(prober, probe);
	free(prober->setup.buffers);
	free(prober->memory);
}

void probe_run(const struct plan *plan, const struct test_spec *spec, const struct clock *clock,
	       struct probe *probe)
{
	uint64_t start_ns = clock_now(clock);
	struct prober *prober = memory_allocate(1, sizeof(*prober));
	int code;

	*probe = (struct probe){.nodes = 1, .depth = plan->test->queue_depth};
	*prober = (struct prober){
		.plan = plan, .setup = {.clock = clock, .path = prober->path, .access = ACCESS_WRITE},
		.fd = -1};
	find_candidates(prober, spec);
	size_up(prober, plan->test);
	probe->length = prober->setup.length;
	probe->depth = prober->setup.depth;
	if (make_file(prober, &code) && !take_test_file(prober, spec))
		snprintf(probe->why_not, sizeof(probe->why_not),
			 "nothing was tried, as no file can be made beside the test file: %s",
			 strerror(code));
	else
		probe_file(prober, probe);
	if (prober->fd >= 0)
		close(prober->fd);
	free(prober);
	probe->seconds = (double)(clock_now(clock) - start_ns) / 1e9;
}
