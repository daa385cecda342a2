/* The names that exist while a load makes and removes them. */
#include "plan/load/ring.h"

void ring_start(struct name_ring *ring, const struct ring_limits *limits)
{
	*ring = (struct name_ring){
		.limits = *limits,
		.count = limits->start,
		.least_count = limits->start,
	};
}

/* The number of a name `steps` behind the oldest one. */
static uint64_t ring_number_of(const struct name_ring *ring, uint64_t steps)
{
	const uint64_t number = ring->first + steps;

	return ring->limits.names ? number % ring->limits.names : number;
}

uint64_t ring_next(const struct name_ring *ring)
{
	return ring_number_of(ring, ring->count);
}

uint64_t ring_missing(const struct name_ring *ring)
{
	return ring->limits.start > ring->count ? ring->limits.start - ring->count : 0;
}

uint64_t ring_any(const struct name_ring *ring, double drawn)
{
	return ring_number_of(ring, (uint64_t)(drawn * (double)ring->count));
}

void ring_removed(struct name_ring *ring)
{
	ring->first = ring_number_of(ring, 1);
	if (--ring->count < ring->least_count)
		ring->least_count = ring->count;
}

void ring_made(struct name_ring *ring)
{
	ring->count++;
}
