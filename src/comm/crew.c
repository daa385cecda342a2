/* Tasks of the job that work together. */
#include "comm/crew.h"

struct crew crew_of_world(const struct world *world)
{
	return (struct crew){.comm = world->all, .seats = {.map = &world->map}};
}

void crew_start(struct crew *crew, const struct world *world, struct seats seats)
{
	*crew = (struct crew){.comm = world->all, .seats = seats};
	if (seats.map->tasks == world->map.tasks)
		return;
	crew->owns_comm = true;
	comm_group(&world->all, seats_task(&seats, world->node, world->slot) != SEATS_NONE,
		   &crew->comm);
}

void crew_stop(struct crew *crew)
{
	if (crew->owns_comm)
		comm_release(&crew->comm);
}
