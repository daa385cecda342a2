/* Stop requests, to all tasks within a second. */
#include "comm/stop.h"

enum { TAG_STOP = 102 };

static void listen_to(struct stop *stop, uint32_t task)
{
	int i = stop->count++;

	stop->neighbours[i] = (int)task;
	MPI_Irecv(&stop->incoming[i], 1, MPI_INT, (int)task, TAG_STOP, stop->comm->handle,
		  &stop->requests[i]);
}

void stop_start(struct stop *stop, struct node *node, const struct crew *crew)
{
	const struct node_map *map = crew->seats.map;

	*stop = (struct stop){.node = node, .comm = &crew->comm};
	if (map->nodes == 1 || !crew_leads_node(crew))
		return;
	uint32_t own = node_map_node(map, (uint32_t)crew->comm.rank);

	if (own > 0)
		listen_to(stop, node_map_first(map, (own - 1) / STOP_BRANCHES));
	for (uint64_t i = 1; i <= STOP_BRANCHES; i++)
		if ((uint64_t)own * STOP_BRANCHES + i < map->nodes)
			listen_to(stop, node_map_first(map, own * STOP_BRANCHES + (uint32_t)i));
}

void stop_request(struct node *node, enum stop_reason reason)
{
	uint32_t none = STOP_NONE;

	/* the first reason wins */
	atomic_compare_exchange_strong(&node->shared->stop, &none, reason);
}

static void pass_on(struct stop *stop, enum stop_reason reason)
{
	int word = (int)reason;

	if (stop->forwarded)
		return;
	stop->forwarded = true;
	for (int i = 0; i < stop->count; i++)
		MPI_Send(&word, 1, MPI_INT, stop->neighbours[i], TAG_STOP, stop->comm->handle);
}

enum stop_reason stop_poll(struct stop *stop)
{
	int index = MPI_UNDEFINED;
	int found = 0;

	if (stop->count && !stop->forwarded) {
		MPI_Testany(stop->count, stop->requests, &index, &found, MPI_STATUS_IGNORE);
		if (found && index != MPI_UNDEFINED)
			stop_request(stop->node, (enum stop_reason)stop->incoming[index]);
	}
	enum stop_reason reason =
		atomic_load_explicit(&stop->node->shared->stop, memory_order_relaxed);

	if (reason != STOP_NONE)
		pass_on(stop, reason);
	return reason;
}

void stop_settle(struct stop *stop, enum stop_reason raised)
{
	/* Each leader sends one message to each neighbour and receives one, or none sends any. */
	if (raised != STOP_NONE)
		pass_on(stop, raised);
	for (int i = 0; i < stop->count; i++) {
		/* A request that came after the agreement has already been received. */
		if (raised == STOP_NONE && stop->requests[i] != MPI_REQUEST_NULL)
			MPI_Cancel(&stop->requests[i]);
		MPI_Wait(&stop->requests[i], MPI_STATUS_IGNORE);
	}
	stop->count = 0;
}
