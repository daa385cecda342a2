/* Over repetitions. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "result/result.h"

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts. The mean of the two middle ones when there is an even number. */
static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), ascending);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double deviation(const double *values, size_t count, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return count > 1 ? sqrt(sum / (double)(count - 1)) : 0;
}

static void raise_to(uint64_t *most, uint64_t value)
{
	if (value > *most)
		*most = value;
}

static void fill_rates(struct rate_summary *summary, double *rates, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += rates[i];
	summary->mean = sum / (double)count;
	summary->deviation = deviation(rates, count, summary->mean);
	summary->median = median(rates, count);
	summary->least = rates[0];
	summary->most = rates[count - 1];
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
	summary->repetitions = n;
	if (n) {
		fill_rates(summary, rates, n);
		summary->pooled = time > 0 ? bytes / time : 0;
		summary->operations_rate = median(operations, n);
		summary->seconds = median(seconds, n);
	}
	free(values);
}
