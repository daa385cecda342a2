/* The difference between the clocks of nodes. */
#include "comm/offsets.h"

enum { TAG_ASK = 103, TAG_ANSWER = 104, TRIPS = 10 };

struct answer {
	uint64_t now_ns;
	int64_t offset_ns; /* the answering node's own, to node 0 */
	uint64_t residual_ns;
};

static void offsets_ask(const struct comm *comm, int above, const struct clock *clock,
			struct node_time *own)
{
	struct offset_bounds bounds = offset_unknown;
	struct answer answer;
	uint64_t after_ns;

	for (int i = 0; i < TRIPS; i++) {
		uint64_t before_ns = clock_now(clock);

		MPI_Send(NULL, 0, MPI_BYTE, above, TAG_ASK, comm->handle);
		MPI_Recv(&answer, sizeof(answer), MPI_BYTE, above, TAG_ANSWER, comm->handle,
			 MPI_STATUS_IGNORE);
		after_ns = clock_now(clock);
		offset_narrow(&bounds, before_ns, answer.now_ns, after_ns);
	}
	own->offset_ns = answer.offset_ns + offset_middle(&bounds);
	own->residual_ns = answer.residual_ns + offset_uncertainty(&bounds);
	own->at_ns = after_ns;
}

static void offsets_answer(const struct comm *comm, int below, const struct clock *clock,
			   const struct node_time *own)
{
	for (int i = 0; i < TRIPS; i++) {
		MPI_Recv(NULL, 0, MPI_BYTE, below, TAG_ASK, comm->handle, MPI_STATUS_IGNORE);
		struct answer mine = {
			.now_ns = clock_now(clock),
			.offset_ns = own->offset_ns,
			.residual_ns = own->residual_ns,
		};

		MPI_Send(&mine, sizeof(mine), MPI_BYTE, below, TAG_ANSWER, comm->handle);
	}
}

void offsets_estimate(const struct crew *crew, struct node *node, const struct clock *clock,
		      enum node_time_when when)
{
	const struct comm *comm = &crew->comm;
	const struct node_map *map = crew->seats.map;
	struct node_time *times = node->shared->times;

	if (map->nodes == 1 || !crew_leads_node(crew))
		return;
	uint32_t own = node_map_node(map, (uint32_t)comm->rank);
	uint32_t lowest = own ? own & -own : 1u << 31;

	/* The estimate before the phase counts alone until there is one after it. */
	if (when == NODE_TIME_BEFORE)
		atomic_store(&times[NODE_TIME_AFTER].at_ns, 0);
	if (own)
		offsets_ask(comm, (int)node_map_first(map, own & (own - 1)), clock, &times[when]);
	/* The largest subtree is answered first, as it has the most levels below it. */
	for (uint32_t step = lowest >> 1; step; step >>= 1)
		if ((uint64_t)own + step < map->nodes)
			offsets_answer(comm, (int)node_map_first(map, own + step), clock,
				       &times[when]);
}
