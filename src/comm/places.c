/* How many tasks of a node can run at the same time. */
#include "comm/places.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { NOBODY = UINT32_MAX };

/* Which task has which CPU so far. */
struct seating {
	const unsigned char *masks;
	size_t size;
	uint32_t *owner; /* of each CPU */
	bool *tried;     /* in the present search */
};

static bool may_use(const struct seating *seating, uint32_t task, size_t cpu)
{
	return seating->masks[task * seating->size + cpu / 8] >> (cpu % 8) & 1;
}

/* A CPU for the task, for which others may have to move on to other ones of theirs. */
static bool seat(struct seating *seating, uint32_t task)
{
	size_t cpus = 8 * seating->size;

	for (size_t cpu = 0; cpu < cpus; cpu++)
		if (seating->owner[cpu] == NOBODY && may_use(seating, task, cpu)) {
			seating->owner[cpu] = task;
			return true;
		}
	for (size_t cpu = 0; cpu < cpus; cpu++) {
		if (seating->tried[cpu] || !may_use(seating, task, cpu))
			continue;
		seating->tried[cpu] = true;
		if (seat(seating, seating->owner[cpu])) {
			seating->owner[cpu] = task;
			return true;
		}
	}
	return false;
}

uint32_t places_for(const unsigned char *masks, size_t size, uint32_t tasks)
{
	struct seating seating = {
		.masks = masks,
		.size = size,
		.owner = memory_allocate(8 * size, sizeof(*seating.owner)),
		.tried = memory_allocate(8 * size, sizeof(*seating.tried)),
	};
	uint32_t task = 0;

	memset(seating.owner, 0xff, 8 * size * sizeof(*seating.owner));
	while (task < tasks && seat(&seating, task)) {
		memset(seating.tried, 0, 8 * size * sizeof(*seating.tried));
		task++;
	}
	free(seating.owner);
	free(seating.tried);
	return task;
}
