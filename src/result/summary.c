/* Over repetitions. */
#include <stdlib.h>

#include "base/memory.h"
#include "result/result.h"

static void raise_to(uint64_t *most, uint64_t value)
{
	if (value > *most)
		*most = value;
}

static double median_of(double *values, size_t count)
{
	values_sort(values, count);
	return sorted_median(values, count);
}

void rate_summary_fill(struct rate_summary *summary, unsigned test, enum phase_kind kind,
		       const struct phase_result *phases, size_t count)
{
	double *values = memory_allocate(3 * count, sizeof(*values));
	double *rates = values, *operations = values + count, *seconds = values + 2 * count;
	double bytes = 0, time = 0;
	size_t n = 0;

	*summary = (struct rate_summary){.test = test, .kind = kind};
	for (size_t i = 0; i < count; i++) {
		const struct phase_result *phase = &phases[i];

		if (phase->test != test || phase->kind != kind || phase->status != PHASE_COMPLETE)
			continue;
		rates[n] = phase->total_rate;
		operations[n] = phase->operations_rate;
		seconds[n++] = phase->seconds.total;
		bytes += phase->total_rate * phase->seconds.total;
		time += phase->seconds.total;
		raise_to(&summary->p50_ns, phase->p50_ns);
		raise_to(&summary->p99_ns, phase->p99_ns);
		raise_to(&summary->max_ns, phase->max_ns);
	}
	if (n) {
		summary->rate = spread_of(rates, n);
		summary->precision = precision_of(rates, n);
		summary->first = first_differs(rates, n);
		summary->drift = drift_of(rates, n);
		summary->modes = two_modes_of(rates, n);
		summary->pooled = time > 0 ? bytes / time : 0;
		summary->operations_rate = median_of(operations, n);
		summary->seconds = median_of(seconds, n);
	}
	free(values);
}
