/* The offset of a node's clock to node 0's, as arithmetic. */
#include "comm/node_time.h"

#include <stdbool.h>
#include <stdlib.h>

const struct offset_bounds offset_unknown = {INT64_MIN, INT64_MAX};

void offset_narrow(struct offset_bounds *bounds, uint64_t before_ns, uint64_t theirs_ns,
		   uint64_t after_ns)
{
	int64_t least = (int64_t)(theirs_ns - after_ns);
	int64_t most = (int64_t)(theirs_ns - before_ns);

	if (least > bounds->least)
		bounds->least = least;
	if (most < bounds->most)
		bounds->most = most;
}

int64_t offset_middle(const struct offset_bounds *bounds)
{
	return bounds->least + (bounds->most - bounds->least) / 2;
}

uint64_t offset_uncertainty(const struct offset_bounds *bounds)
{
	/*
	 * Drifting clocks can make the bounds cross by some ns. That distance is then the
	 * uncertainty.
	 */
	return (uint64_t)llabs(bounds->most - bounds->least) / 2;
}

static uint64_t moment(const struct node_time *time)
{
	return atomic_load_explicit(&time->at_ns, memory_order_relaxed);
}

static int64_t offset(const struct node_time *time)
{
	return atomic_load_explicit(&time->offset_ns, memory_order_relaxed);
}

static bool has_both(const struct node_time times[NODE_TIMES])
{
	return moment(&times[NODE_TIME_AFTER]) > moment(&times[NODE_TIME_BEFORE]);
}

int64_t node_time_offset(const struct node_time times[NODE_TIMES], uint64_t at_ns)
{
	uint64_t first_ns = moment(&times[NODE_TIME_BEFORE]);
	uint64_t second_ns = moment(&times[NODE_TIME_AFTER]);
	int64_t offset_ns = offset(&times[NODE_TIME_BEFORE]);

	if (!has_both(times))
		return offset_ns;
	double way = (double)(int64_t)(at_ns - first_ns) / (double)(second_ns - first_ns);
	double change = (double)(offset(&times[NODE_TIME_AFTER]) - offset_ns);

	return offset_ns + (int64_t)(way * change);
}

uint64_t node_time_residual(const struct node_time times[NODE_TIMES])
{
	uint64_t before = atomic_load(&times[NODE_TIME_BEFORE].residual_ns);
	uint64_t after = atomic_load(&times[NODE_TIME_AFTER].residual_ns);

	return has_both(times) && after > before ? after : before;
}

uint64_t node_time_drift(const struct node_time times[NODE_TIMES])
{
	if (!has_both(times))
		return 0;
	return (uint64_t)llabs(offset(&times[NODE_TIME_AFTER]) - offset(&times[NODE_TIME_BEFORE]));
}
