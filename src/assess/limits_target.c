/* Measures the limit of the target: each task writes a file without a name and reads it cold. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "assess/nameless.h"
#include "assess/rounds.h"
#include "base/units.h"
#include "content/content.h"
#include "measure/node_activity.h"

enum { ALIGNMENT = 4096 };

static const double round_seconds = 0.15; /* a round is long enough from here on */
static const double step_seconds = 0.9, turn_seconds = 0.5;

/* One task's file. */
struct target {
	const struct measuring *measuring;
	int fd;
	char *buffer;
	uint64_t length;  /* bytes of a transfer */
	uint64_t written; /* transfers that lie in the file */
	bool works;	  /* this task takes part in the step */
	bool failed;
};

static void open_target(struct target *target, struct measuring *measuring)
{
	char path[PLAN_PATH_SIZE];
	void *buffer = NULL;

	plan_base(measuring->plan, 0, path);
	target->fd = nameless_open(path, &measuring->left);
	target->failed = target->fd < 0 ||
			 (measuring->direct && fcntl(target->fd, F_SETFL, O_DIRECT)) ||
			 posix_memalign(&buffer, ALIGNMENT, target->length);
	target->buffer = buffer;
	if (!target->failed)
		content_make_random(buffer, target->length, (uint64_t)measuring->crew->comm.rank);
}

/* Time since `began` without that in which this task waited for a CPU, as others have it then. */
static double own_seconds(double began, uint64_t waited_ns)
{
	const double all = rounds_now() - began;
	const double own = all - (double)(node_own_wait() - waited_ns) / 1e9;

	return own > all / 10 ? own : all / 10;
}

/* Moves transfers from the begin of the file on, until all are moved or the time is up. */
static struct turn limits_target_move(struct target *target, enum access access, uint64_t transfers)
{
	const uint64_t waited_ns = node_own_wait();
	const double began = rounds_now();
	uint64_t done = 0;

	for (; done < transfers && (!done || rounds_now() < began + turn_seconds); done++) {
		const off_t at = (off_t)(done * target->length);
		const ssize_t moved =
			access == ACCESS_WRITE
				? pwrite(target->fd, target->buffer, target->length, at)
				: pread(target->fd, target->buffer, target->length, at);

		if (moved != (ssize_t)target->length)
			return (struct turn){.failed = true};
	}
	if (access == ACCESS_WRITE && !target->measuring->direct && fdatasync(target->fd))
		return (struct turn){.failed = true};
	if (access == ACCESS_WRITE && done > target->written)
		target->written = done;
	return (struct turn){.amount = (double)(done * target->length),
			     .seconds = own_seconds(began, waited_ns)};
}

static struct turn take_turn(struct target *target, enum access access, uint64_t transfers)
{
	const uint64_t size = target->written * target->length;

	if (access == ACCESS_READ && target->works && !target->measuring->direct)
		target->failed |= !nameless_drop(target->fd, size);
	/* All begin together, when the pages of all are dropped. */
	if (rounds_join(target->measuring, (struct turn){.failed = target->failed}).failed)
		return (struct turn){.failed = true};
	struct turn own = {0};

	if (target->works)
		own = limits_target_move(target, access,
					 access == ACCESS_READ ? target->written : transfers);
	target->failed |= own.failed;
	return rounds_join(target->measuring, own);
}

/* Rounds of writes grow until they are long enough; reads are of all that was written. */
static struct rounds run_step(struct target *target, enum access access)
{
	const uint64_t most = target->measuring->target_bytes / target->length;
	uint64_t transfers = target->length < MIB ? MIB / target->length : 1;
	struct rounds rounds = {0};
	double spent = 0;

	while (rounds.count < ROUNDS && (spent < step_seconds || !rounds.count) &&
	       !rounds_end(target->measuring)) {
		const struct turn all = take_turn(target, access, transfers);

		if (all.failed || all.seconds <= 0) {
			rounds.failed = true;
			break;
		}
		spent += all.seconds;
		if (access == ACCESS_WRITE && all.seconds < round_seconds &&
		    2 * transfers <= most && spent < step_seconds)
			transfers *= 2;
		else
			rounds.rates[rounds.count++] = all.amount / all.seconds;
	}
	return rounds;
}

static void add_step(const struct target *target, enum access access, bool all,
		     const struct rounds *rounds, struct measured *measured)
{
	const char *how = target->measuring->direct ? "direct"
			  : access == ACCESS_WRITE  ? "synced"
						    : "cold";

	if (rounds->failed || !rounds->count)
		return;
	struct measured_limit *limit =
		measured_add(measured, LIMIT_DEVICE, 1, rounds->rates, rounds->count);

	limit->access = access;
	limit->judges = measured->plain_calls;
	snprintf(limit->method, sizeof(limit->method), "%s, %s%s", how,
		 units_show_bytes(target->length).text,
		 all ? ", all tasks" : ", one task of each node");
}

void limits_measure_target(struct measuring *measuring, struct measured *measured)
{
	const struct crew *crew = measuring->crew;
	struct target target = {.measuring = measuring, .length = measured->transfer};

	open_target(&target, measuring);
	for (unsigned all = 0; all < 2; all++) {
		/* One task of each node are all tasks already. */
		if (all && crew->seats.map->tasks == crew->seats.map->nodes)
			break;
		target.works = all || crew_leads_node(crew);
		for (unsigned i = 0; i < ACCESS_COUNT; i++) {
			const enum access access = i ? ACCESS_READ : ACCESS_WRITE;
			const struct rounds rounds = run_step(&target, access);

			add_step(&target, access, all, &rounds, measured);
		}
	}
	free(target.buffer);
	if (target.fd >= 0)
		close(target.fd);
}
