/* Measures what clients, network and target can do. */
#include "assess/limits_measure.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "assess/rounds.h"
#include "base/units.h"
#include "comm/pairs.h"
#include "environment/network.h"

static const double network_seconds = 0.8, most_seconds = 6;

double rounds_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void merge_turns(void *context, struct text *mine, const void *theirs, size_t length)
{
	struct turn own, other;

	memcpy(&own, mine->bytes, sizeof(own));
	memcpy(&other, theirs, length);
	own.amount += other.amount;
	own.failed |= other.failed;
	if (other.seconds > own.seconds)
		own.seconds = other.seconds;
	memcpy(mine->bytes, &own, sizeof(own));
}

struct turn rounds_join(const struct measuring *measuring, struct turn own)
{
	const struct comm *comm = &measuring->crew->comm;

	comm_fold_fixed(comm, &own, sizeof(own), merge_turns, NULL, measuring->idle);
	comm_share_fixed(comm, &own, sizeof(own), measuring->idle);
	return own;
}

bool rounds_end(const struct measuring *measuring)
{
	return comm_any(&measuring->crew->comm, rounds_now() > measuring->began + most_seconds);
}

static void measure_network(const struct measuring *measuring, struct measured *measured)
{
	const struct crew *crew = measuring->crew;
	const uint32_t nodes = crew->seats.map->nodes;
	struct measured_limit *limit;
	struct pairs pairs;
	double card = network_speed();

	pairs_measure(&crew->comm, crew->seats.map, network_seconds, &pairs);
	measured->round_trip = pairs.round_trip;
	limit = measured_add(measured, LIMIT_NETWORK, nodes, pairs.bytes_per_s, pairs.rounds);
	snprintf(limit->method, sizeof(limit->method), "MPI, pairs of nodes at once");
	limit->any_access = true;
	limit->judges = measuring->has_network;
	if (card <= 0)
		return;
	limit = measured_add(measured, LIMIT_NETWORK, nodes, &card, 1);
	snprintf(limit->method, sizeof(limit->method), "network cards of the first node");
	limit->any_access = true;
	limit->judges = measuring->has_network;
}

void limits_measure(struct measuring *measuring, struct measured *measured)
{
	const uint64_t most = 64 * MIB, transfer = measuring->plan->transfer_bytes;

	measuring->began = rounds_now();
	measured->transfer = transfer < most ? transfer : most;
	limits_measure_client(measuring, measured);
	measure_network(measuring, measured);
	if (measuring->has_target && measuring->target_bytes >= measured->transfer)
		limits_measure_target(measuring, measured);
	measured->seconds = rounds_now() - measuring->began;
}
