/*
 * A crew: tasks of the job that work together. The tasks of a test are a crew. The tasks of all
 * tests that run at the same time are a crew too, the set. A set has one start, one clock and one
 * end.
 */
#ifndef COMM_CREW_H
#define COMM_CREW_H

#include "comm/comm.h"
#include "comm/world.h"
#include "plan/seats.h"

struct crew {
	struct comm comm; /* handle MPI_COMM_NULL for tasks outside */
	struct seats seats;
	bool owns_comm; /* comm was made for this crew */
};

/* All tasks of the job. The world must outlive the crew. */
struct crew crew_of_world(const struct world *world);

/*
 * Makes the crew of these seats, whose node_of, slot_of and map must outlive it. Collective over
 * all tasks of the job, unless the crew has them all.
 */
void crew_start(struct crew *crew, const struct world *world, struct seats seats);
void crew_stop(struct crew *crew);

/* True if this task, which must be in the crew, is the crew's first on its node. */
static inline bool crew_leads_node(const struct crew *crew)
{
	return node_map_slot(crew->seats.map, (uint32_t)crew->comm.rank) == 0;
}

/* True if the crew has all tasks of the job. */
static inline bool crew_is_all(const struct crew *crew)
{
	return !crew->owns_comm;
}

#endif
