/* IOR's words for what a test is, and its figures over repetitions. */
#include "report/ior_words.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/units.h"

struct ior_word ior_time(time_t at)
{
	struct ior_word word;
	struct tm parts;

	localtime_r(&at, &parts);
	strftime(word.text, sizeof(word.text), "%a %b %e %H:%M:%S %Y", &parts);
	return word;
}

struct ior_word ior_size(uint64_t bytes)
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
	double value = (double)bytes;
	struct ior_word word;
	unsigned unit = 0;

	for (; value >= 1024 && unit < 4; unit++)
		value /= 1024;
	snprintf(word.text, sizeof(word.text), "%.*f %s", value == floor(value) ? 0 : 2, value,
		 units[unit]);
	return word;
}

struct ior_word ior_api(const struct backend *backend)
{
	const char *name = backend->aliases ? backend->aliases : backend->name;
	struct ior_word word;

	snprintf(word.text, sizeof(word.text), "%.*s", (int)strcspn(name, " "), name);
	for (char *at = word.text; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	return word;
}

const char *ior_ordering(const struct test *test)
{
	if (test->reorder_tasks_random)
		return "random task offset";
	return test->reorder_tasks ? "constant task offset" : "no tasks offsets";
}

uint32_t ior_tasks_per_node(const struct plan *plan)
{
	return node_map_tasks_on(&plan->map, node_map_node(&plan->map, 0));
}

void ior_machine(struct text *out, const struct environment *environment)
{
	struct utsname system;

	text_add(out, "%s %s", uname(&system) ? "unknown" : system.sysname, environment->host);
}

double ior_access_seconds(const struct phase_result *phase)
{
	return phase->seconds.durable > 0 ? phase->seconds.durable : phase->seconds.transfer;
}

double ior_iops(const struct phase_result *phase)
{
	const double seconds = ior_access_seconds(phase);

	return seconds > 0 ? (double)phase->operations / seconds : 0;
}

double ior_latency(const struct phase_result *phase)
{
	const struct operation_record *transfers = phase_transfers(phase);

	if (!transfers || !transfers->histogram.count)
		return 0;
	return (double)transfers->histogram.sum_ns / 1e9 / (double)transfers->histogram.count;
}

struct ior_figures ior_figures_of(const struct test_result *test, enum phase_kind kind)
{
	struct ior_figures all = {.rates = {.count = 0}};

	for (size_t i = 0; i < test->phase_count; i++) {
		const struct phase_result *phase = &test->phases[i];
		double seconds = phase->seconds.total;

		if (phase->kind != kind || !foreign_has_row(phase))
			continue;
		figures_add(&all.rates, phase->total_rate / (double)MIB);
		figures_add(&all.operations, seconds > 0 ? (double)phase->operations / seconds : 0);
		figures_add(&all.times, seconds);
		if (!(phase->stonewall.seconds > 0))
			continue;
		figures_add(&all.walls, phase->stonewall.seconds);
		figures_add(&all.moved,
			    phase->stonewall.rate * phase->stonewall.seconds / (double)MIB);
	}
	return all;
}
