/* What the line of a phase says, where more than one member tells it. */
#include "record/phase_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct phase_plan *phase_line_plan(const struct plan *plan, const json_t *line)
{
	return &plan->phases[line_count(line, "phase_index")];
}

enum phase_kind phase_line_kind(const struct plan *plan, const json_t *line)
{
	return phase_line_plan(plan, line)->kind;
}

bool phase_line_began(const json_t *line)
{
	return line_at(line, "rates") != NULL;
}

bool phase_line_is(const json_t *line, const char *status)
{
	return !strcmp(line_text(line, "status"), status);
}

/* The first of the paths that leads to a member. */
static const char *first_of(const json_t *line, const char *const *paths, size_t count)
{
	for (size_t i = 0; i + 1 < count; i++)
		if (line_has(line, paths[i]))
			return paths[i];
	return paths[count - 1];
}

#define FIRST_OF(line, paths) first_of(line, paths, sizeof(paths) / sizeof(*(paths)))

uint64_t phase_line_failed_operations(const json_t *line)
{
	static const char *const paths[] = {"metadata/failed_operations", "load/failed_operations"};

	return line_count(line, FIRST_OF(line, paths));
}

bool phase_line_has_numbers(const json_t *line)
{
	if (phase_line_is(line, "skipped") || !phase_line_began(line))
		return false;
	return !phase_line_is(line, "failed") ||
	       (phase_line_failed_operations(line) && !line_count(line, "tasks/failed"));
}

const json_t *phase_line_times(const json_t *line, enum operation operation)
{
	return json_object_get(line_at(line, "operations"), operation_name(operation));
}

double phase_line_percentile(const json_t *times, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "percentiles/%s/ns", name);
	const double ns = line_number(times, path);

	return ns > 0 ? ns : NAN;
}

uint64_t phase_line_operations(const json_t *line)
{
	static const char *const paths[] = {"data/transfers", "metadata/operations",
					    "load/operations"};

	return line_count(line, FIRST_OF(line, paths));
}

double phase_line_seconds(const json_t *line)
{
	static const char *const paths[] = {"load/window_s", "intervals/total_s"};

	return line_number(line, FIRST_OF(line, paths));
}

/* A member of an operation, or its form for rates where the two differ, per second. */
static double per_second(const json_t *line, enum operation operation, const char *rated,
			 const char *all)
{
	const json_t *times = phase_line_times(line, operation);
	const double seconds = phase_line_seconds(line);
	const uint64_t count = line_count(times, line_has(times, rated) ? rated : all);

	return seconds > 0 ? (double)count / seconds : 0;
}

double phase_line_part_rate(const json_t *line, enum operation operation)
{
	return per_second(line, operation, "rated", "count");
}

double phase_line_part_bytes(const json_t *line, enum operation operation)
{
	return per_second(line, operation, "rated_bytes", "bytes");
}

const json_t *phase_line_verification(const json_t *line)
{
	static const char *const paths[] = {"verification", "load/verification"};
	const char *path = FIRST_OF(line, paths);

	return line_has(line, path) ? line_at(line, path) : NULL;
}
