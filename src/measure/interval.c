/* Counts of the operations of a load while it runs. */
#include "measure/interval.h"

uint64_t interval_operations(const struct interval *interval)
{
	uint64_t operations = 0;

	for (enum interval_kind kind = 0; kind < INTERVAL_KINDS; kind++)
		operations += interval->sides[kind].operations;
	return operations;
}

uint64_t interval_bytes(const struct interval *interval)
{
	uint64_t bytes = 0;

	for (enum interval_kind kind = 0; kind < INTERVAL_KINDS; kind++)
		bytes += interval->sides[kind].bytes;
	return bytes;
}
