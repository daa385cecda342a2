/* Lists the operations of a phase that have a series of their own. */
#include "plan/series.h"

#include "plan/load.h"

static struct series part_of(const struct series *whole, enum operation operation, const char *name)
{
	return (struct series){
		.phase = whole->phase, .nth = whole->nth, .operation = operation, .part = name};
}

/* Adds the operations of the mix, and the response times if it has a rate. */
static unsigned add_mix(const struct mix *mix, const struct series *whole, struct series *series)
{
	unsigned count = 0;

	for (enum mix_kind kind = 0; kind < MIX_KINDS; kind++)
		if (mix->shares[kind] > 0)
			series[count++] = part_of(whole, mix_operation(kind), mix_kind_name(kind));
	if (mix->task_rate > 0)
		series[count++] =
			part_of(whole, OPERATION_RESPONSE, operation_name(OPERATION_RESPONSE));
	return count;
}

/* Adds what a trace knows of how long its reads and writes took. */
static unsigned add_recorded(const struct plan *plan, const struct series *whole,
			     struct series *series)
{
	static const char *const parts[] = {[LOAD_READ] = "read_then", [LOAD_WRITE] = "write_then"};
	unsigned count = 0;

	for (enum load_kind kind = 0; kind < LOAD_DATA_KINDS; kind++)
		if (plan->trace && plan->trace->known && plan_load_has(&plan->pattern, kind))
			series[count++] = part_of(whole, load_recorded(kind), parts[kind]);
	return count;
}

/*
 * Adds the kinds of operation of the load, how long those of a trace took then, and the response
 * times if it has a rate.
 */
static unsigned add_load(const struct plan *plan, const struct series *whole, struct series *series)
{
	const struct load_pattern *pattern = &plan->pattern;
	unsigned count = 0;

	for (enum load_kind kind = 0; kind < LOAD_KINDS; kind++)
		if (plan_load_has(pattern, kind))
			series[count++] =
				part_of(whole, load_operation(kind), load_kind_names[kind]);
	if (plan->trace && plan->trace->operations[TRACE_SYNC])
		series[count++] = part_of(whole, OPERATION_SYNC, "fsync");
	count += add_recorded(plan, whole, series + count);
	if (plan_load_is_paced(pattern))
		series[count++] =
			part_of(whole, OPERATION_RESPONSE, operation_name(OPERATION_RESPONSE));
	return count;
}

unsigned plan_series(const struct plan *plan, unsigned phase, struct series series[SERIES_MOST])
{
	const enum phase_kind kind = plan->phases[phase].kind;

	series[0] = (struct series){.phase = phase, .operation = phase_operation(kind)};
	for (unsigned before = 0; before < phase; before++)
		series[0].nth += plan->phases[before].kind == kind;
	if (kind == PHASE_MIX)
		return 1 + add_mix(&plan->mix, series, series + 1);
	if (kind == PHASE_LOAD)
		return 1 + add_load(plan, series, series + 1);
	return 1;
}
