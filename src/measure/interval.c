/* Counts of the operations of a load while it runs. */
#include "measure/interval.h"

uint64_t interval_operations(const struct interval *interval)
{
	uint64_t operations = 0;

	for (enum access access = 0; access < ACCESS_COUNT; access++)
		operations += interval->sides[access].operations;
	return operations;
}

uint64_t interval_bytes(const struct interval *interval)
{
	uint64_t bytes = 0;

	for (enum access access = 0; access < ACCESS_COUNT; access++)
		bytes += interval->sides[access].bytes;
	return bytes;
}
