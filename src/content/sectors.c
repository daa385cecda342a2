/*
 * Compiles the loops of sectors_loops.h for processors with wider registers, and chooses at each
 * call.
 */
#include "content/sectors.h"

#define JOIN(name, suffix) name##_##suffix
#define TARGET
#define NAMED(name) JOIN(name, portable)
#include "content/sectors_loops.h"
#undef TARGET
#undef NAMED

#ifdef __x86_64__

#define TARGET __attribute__((target("avx2,bmi2")))
#define NAMED(name) JOIN(name, avx2)
#include "content/sectors_loops.h"
#undef TARGET
#undef NAMED

#define TARGET __attribute__((target("avx512f,avx512vl,bmi2")))
#define NAMED(name) JOIN(name, avx512)
#include "content/sectors_loops.h"
#undef TARGET
#undef NAMED

#define CALL(name, ...)                                                  \
	(__builtin_cpu_supports("avx512vl") ? name##_avx512(__VA_ARGS__) \
	 : __builtin_cpu_supports("avx2")   ? name##_avx2(__VA_ARGS__)   \
					    : name##_portable(__VA_ARGS__))
#else
#define CALL(name, ...) name##_portable(__VA_ARGS__)
#endif

void sectors_stamp(const struct stamper *stamper, uint64_t sector, void *bytes, uint64_t count)
{
	CALL(stamp, stamper, sector, bytes, count);
}

void sectors_random(const struct stamper *stamper, uint64_t sector, unsigned live, void *bytes,
		    uint64_t count)
{
	if (live == SECTOR)
		CALL(random_whole, stamper, sector, bytes, count);
	else
		CALL(random_part, stamper, sector, live, bytes, count);
}

void sectors_count(uint64_t task, uint64_t next, void *bytes, uint64_t lines)
{
	CALL(count, task, next, bytes, lines);
}
