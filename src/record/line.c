/* Reads the lines of a result. */
#include "record/line.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

json_t *line_at(const json_t *line, const char *path)
{
	json_t *found = (json_t *)(uintptr_t)line;

	while (found && *path) {
		size_t length = strcspn(path, "/");
		char key[64];

		snprintf(key, sizeof(key), "%.*s", (int)length, path);
		found = json_object_get(found, key);
		path += length + (path[length] == '/');
	}
	return found;
}

bool line_has(const json_t *line, const char *path)
{
	const json_t *member = line_at(line, path);

	return member && !json_is_null(member);
}

double line_number(const json_t *line, const char *path)
{
	const json_t *member = line_at(line, path);

	return json_is_number(member) ? json_number_value(member) : NAN;
}

uint64_t line_count(const json_t *line, const char *path)
{
	const json_t *member = line_at(line, path);

	/* Counts above INT64_MAX are written as real numbers. */
	return json_is_real(member) ? (uint64_t)json_real_value(member)
				    : (uint64_t)json_integer_value(member);
}

bool line_true(const json_t *line, const char *path)
{
	return json_is_true(line_at(line, path));
}

const char *line_text(const json_t *line, const char *path)
{
	const char *text = json_string_value(line_at(line, path));

	return text ? text : "";
}

const char *line_unit(enum phase_kind kind)
{
	return phase_moves_data(kind) ? "bytes_per_s" : "operations_per_s";
}

static double number_in(const json_t *owner, const char *what, const char *unit)
{
	char path[96];

	snprintf(path, sizeof(path), "%s_%s", what, unit);
	return line_number(owner, path);
}

struct line_median line_median(const json_t *owner, const char *unit)
{
	return (struct line_median){
		.value = number_in(owner, "median", unit),
		.lower = number_in(owner, "median_interval/lower", unit),
		.upper = number_in(owner, "median_interval/upper", unit),
	};
}

void line_add_times(struct histogram *into, const json_t *times)
{
	struct histogram *own = memory_allocate(1, sizeof(*own));
	const json_t *bucket;
	size_t i;

	*own = (struct histogram){
		.count = line_count(times, "count"),
		.sum_ns = line_count(times, "sum_ns"),
		.min_ns = line_count(times, "min_ns"),
		.max_ns = line_count(times, "max_ns"),
		.saturated = line_count(times, "saturated"),
	};
	json_array_foreach(line_at(times, "histogram"), i, bucket)
	{
		const json_int_t edge = json_integer_value(json_array_get(bucket, 0));

		own->buckets[histogram_index((uint64_t)edge)] =
			(uint64_t)json_integer_value(json_array_get(bucket, 1));
	}
	histogram_merge(into, own);
	free(own);
}

const json_t *line_summary(const json_t *line, unsigned phase)
{
	return json_array_get(line_at(line, "summaries"), phase);
}

const json_t *line_numbers(const json_t *summary, unsigned series)
{
	return series ? json_array_get(line_at(summary, "parts"), series - 1) : summary;
}
