/* Counters of I/O calls as Darshan defines them. */
#include "measure/counters.h"

#include <stddef.h>

#include "base/units.h"

unsigned counters_size(uint64_t bytes)
{
	static const uint64_t most[COUNTER_SIZES - 1] = {
		100, KIB, 10 * KIB, 100 * KIB, MIB, 4 * MIB, 10 * MIB, 100 * MIB, GIB,
	};
	unsigned number = 0;

	while (number < COUNTER_SIZES - 1 && bytes > most[number])
		number++;
	return number;
}

/*
 * Sizes are ordered by count, then by size, so that the result does not depend on the order of
 * merging.
 */
static int comes_before(const struct common_size *one, const struct common_size *other)
{
	if (one->count != other->count)
		return one->count > other->count;
	return one->bytes > other->bytes;
}

/* Moves a size up to its position in the order after its count has grown. */
static void lift(struct common_size *common, size_t index)
{
	while (index && comes_before(&common[index], &common[index - 1])) {
		struct common_size lower = common[index - 1];

		common[index - 1] = common[index];
		common[index--] = lower;
	}
}

static void add_common(struct common_size *common, const struct common_size *size)
{
	size_t index = 0;

	while (index < COUNTER_COMMON && common[index].count && common[index].bytes != size->bytes)
		index++;
	if (index < COUNTER_COMMON) {
		common[index].bytes = size->bytes;
		common[index].count += size->count;
	} else if (comes_before(size, &common[--index])) {
		common[index] = *size;
	}
	lift(common, index);
}

void counters_add_calls(struct counters *counters, struct access_counters *of, uint64_t bytes,
			uint64_t count)
{
	if (!count)
		return;
	of->calls += count;
	of->bytes += count * bytes;
	of->sizes[counters_size(bytes)] += count;
	add_common(counters->common, &(struct common_size){bytes, count});
}

static void merge_accesses(struct access_counters *into, const struct access_counters *from)
{
	into->calls += from->calls;
	into->bytes += from->bytes;
	into->alone += from->alone;
	into->most = from->most > into->most ? from->most : into->most;
	into->consecutive += from->consecutive;
	into->sequential += from->sequential;
	for (unsigned i = 0; i < COUNTER_SIZES; i++)
		into->sizes[i] += from->sizes[i];
}

void counters_merge(struct counters *into, const struct counters *from)
{
	into->opens += from->opens;
	into->stats += from->stats;
	into->syncs += from->syncs;
	into->switches += from->switches;
	into->misaligned += from->misaligned;
	into->alignment = from->alignment > into->alignment ? from->alignment : into->alignment;
	merge_accesses(&into->reads, &from->reads);
	merge_accesses(&into->writes, &from->writes);
	for (unsigned i = 0; i < COUNTER_COMMON && from->common[i].count; i++)
		add_common(into->common, &from->common[i]);
}
