/* How fast nodes talk to one another through MPI. */
#include "comm/pairs.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/units.h"

enum { TAG_PAIR = 110, TRIPS = 100, WINDOW = 8, CHUNKS_MOST = 4096 };

static const double round_seconds = 0.05; /* a round is long enough from here on */

/* This task's part. */
struct pair {
	const struct comm *comm;
	int partner; /* negative: none */
	bool sends;
	char *buffer; /* WINDOW chunks of a MiB */
};

static struct pair pair_of(const struct comm *comm, const struct node_map *map)
{
	const uint32_t half = map->nodes / 2, task = (uint32_t)comm->rank;
	const uint32_t node = node_map_node(map, task);
	struct pair pair = {.comm = comm, .partner = -1, .sends = node < half};

	if (node_map_first(map, node) == task && node < 2 * half)
		pair.partner = (int)node_map_first(map, pair.sends ? node + half : node - half);
	return pair;
}

/* The shortest time for one byte there and back, in s; 0 without a partner. */
static double time_trips(const struct pair *pair)
{
	double least = INFINITY;
	char byte = 0;

	for (int i = 0; i < TRIPS && pair->partner >= 0; i++) {
		const double began = MPI_Wtime();

		if (pair->sends)
			MPI_Send(&byte, 1, MPI_CHAR, pair->partner, TAG_PAIR, pair->comm->handle);
		MPI_Recv(&byte, 1, MPI_CHAR, pair->partner, TAG_PAIR, pair->comm->handle,
			 MPI_STATUS_IGNORE);
		if (!pair->sends)
			MPI_Send(&byte, 1, MPI_CHAR, pair->partner, TAG_PAIR, pair->comm->handle);
		else
			least = fmin(least, MPI_Wtime() - began);
	}
	return isinf(least) ? 0 : least;
}

static void move_chunks(const struct pair *pair, unsigned chunks)
{
	MPI_Request requests[WINDOW];
	MPI_Status statuses[WINDOW];

	for (unsigned done = 0; done < chunks; done += WINDOW) {
		const unsigned count = chunks - done < WINDOW ? chunks - done : WINDOW;

		for (unsigned i = 0; i < count; i++) {
			char *chunk = pair->buffer + i * MIB;

			if (pair->sends)
				MPI_Isend(chunk, (int)MIB, MPI_CHAR, pair->partner, TAG_PAIR,
					  pair->comm->handle, &requests[i]);
			else
				MPI_Irecv(chunk, (int)MIB, MPI_CHAR, pair->partner, TAG_PAIR,
					  pair->comm->handle, &requests[i]);
		}
		MPI_Waitall((int)count, requests, statuses);
	}
}

/* The longest time of a pair, in s; the same on every task. */
static double time_round(const struct pair *pair, unsigned chunks)
{
	comm_any(pair->comm, false); /* starts all pairs together */
	const double began = MPI_Wtime();

	if (pair->partner >= 0)
		move_chunks(pair, chunks);
	uint64_t ns = pair->partner >= 0 ? (uint64_t)((MPI_Wtime() - began) * 1e9) : 0;

	comm_most(pair->comm, &ns, 1);
	return (double)ns / 1e9;
}

void pairs_measure(const struct comm *comm, const struct node_map *map, double seconds,
		   struct pairs *pairs)
{
	struct pair pair = pair_of(comm, map);
	unsigned chunks = 1;
	double spent = 0;

	*pairs = (struct pairs){0};
	if (map->nodes < 2)
		return;
	pair.buffer = pair.partner >= 0 ? memory_allocate(WINDOW, MIB) : NULL;
	comm_any(comm, false);
	uint64_t trip_ns = (uint64_t)(time_trips(&pair) * 1e9);

	comm_most(comm, &trip_ns, 1);
	pairs->round_trip = (double)trip_ns / 1e9;
	while (pairs->rounds < PAIRS_ROUNDS && (spent < seconds || !pairs->rounds)) {
		const double took = time_round(&pair, chunks);

		spent += took;
		if (took < round_seconds && chunks < CHUNKS_MOST && spent < seconds)
			chunks *= 2;
		else if (took > 0)
			pairs->bytes_per_s[pairs->rounds++] = chunks * (double)MIB / took;
	}
	free(pair.buffer);
}
