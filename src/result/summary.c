/* Summaries over the repetitions of a test. */
#include <stdlib.h>

#include "base/memory.h"
#include "result/goals.h"

static double median_of(double *values, size_t count)
{
	values_sort(values, count);
	return sorted_median(values, count);
}

bool phase_counts(const struct phase_result *result, unsigned phase)
{
	return result->index == phase && !result->warmup && result->status == PHASE_COMPLETE;
}

static void pool(struct histogram **all, const struct operation_record *record)
{
	if (!record)
		return;
	if (!*all) {
		*all = memory_allocate(1, sizeof(**all));
		histogram_init(*all);
	}
	histogram_merge(*all, &record->histogram);
}

void test_result_pool(struct test_result *test, const struct phase_result *phase)
{
	struct series series[SERIES_MOST];

	if (!phase->measure || !phase_counts(phase, phase->index))
		return;
	for (unsigned i = 0, count = plan_series(test->plan, phase->index, series); i < count; i++)
		pool(&test->pooled[phase->index][series[i].operation],
		     measure_record(phase->measure, series[i].operation));
}

void test_result_add(struct test_result *test, const struct phase_result *phase)
{
	struct phase_result *added;

	test_result_pool(test, phase);
	test->phases = memory_grow(test->phases, (test->phase_count + 1) * sizeof(*test->phases));
	added = &test->phases[test->phase_count++];
	*added = *phase;
	added->settings = NULL;
	added->measure = NULL;
	added->outliers = NULL;
	added->slow = NULL;
	if (phase->slow && phase_counts(phase, phase->index))
		slow_remember(&test->slow[phase->index], phase->slow);
}

void test_result_release(struct test_result *test)
{
	for (unsigned phase = 0; phase < PLAN_PHASES; phase++)
		for (unsigned operation = 0; operation < OPERATIONS; operation++) {
			free(test->pooled[phase][operation]);
			test->pooled[phase][operation] = NULL;
		}
	free(test->phases);
	test->phases = NULL;
	test->phase_count = 0;
}

static struct service_times times_of(const struct test_result *test, const struct series *series)
{
	const struct histogram *all = test->pooled[series->phase][series->operation];

	if (!all || !all->count)
		return (struct service_times){0};
	return (struct service_times){
		.p50_ns = histogram_known_percentile(all, 0.5),
		.p99_ns = histogram_known_percentile(all, 0.99),
		.p999_ns = histogram_known_percentile(all, 0.999),
		.max_ns = all->max_ns,
	};
}

/* rates: scratch memory for one value of each repetition. */
static void fill_part(struct series_summary *own, const struct test_result *test, double *rates)
{
	const struct series *series = &own->series;
	const struct histogram *pooled = test->pooled[series->phase][series->operation];
	size_t n = 0;

	for (size_t i = 0; i < test->phase_count; i++) {
		const struct phase_result *phase = &test->phases[i];

		if (!phase_counts(phase, series->phase))
			continue;
		rates[n++] = phase_part_rate(phase, series->operation);
	}
	own->operations = pooled ? pooled->count : 0;
	own->rate = spread_of(rates, n);
	own->times = times_of(test, series);
}

static void fill_response(struct response_summary *response, const struct test_result *test,
			  unsigned phase_number)
{
	double *means = memory_allocate(2 * test->phase_count + 1, sizeof(*means));
	double *p99s = means + test->phase_count;
	size_t n = 0, known = 0;

	for (size_t i = 0; i < test->phase_count; i++) {
		const struct phase_result *phase = &test->phases[i];

		if (!phase_counts(phase, phase_number))
			continue;
		const struct kept kept = {.due = phase->due, .issued = phase->issued};

		response->missed += kept_missed(&kept);
		if (phase->response_mean_ns > 0)
			means[n++] = phase->response_mean_ns;
		if (phase->response_p99_ns)
			p99s[known++] = (double)phase->response_p99_ns;
	}
	if (n)
		response->mean_ns = spread_of(means, n);
	if (known)
		response->p99_ns = spread_of(p99s, known);
	free(means);
}

static void name_series(struct rate_summary *summary, const struct plan *plan, unsigned phase)
{
	struct series series[SERIES_MOST];

	summary->part_count = plan_series(plan, phase, series) - 1;
	summary->series = series[0];
	for (unsigned i = 0; i < summary->part_count; i++)
		summary->parts[i].series = series[i + 1];
}

void rate_summary_fill(struct rate_summary *summary, const struct test_result *test,
		       unsigned phase_number)
{
	size_t count = test->phase_count;
	double *values = memory_allocate(3 * count, sizeof(*values));
	double *rates = values, *operations = values + count, *seconds = values + 2 * count;
	double bytes = 0, time = 0;
	size_t n = 0;

	*summary = (struct rate_summary){.test = test->number,
					 .kind = test->plan->phases[phase_number].kind};
	name_series(summary, test->plan, phase_number);
	for (size_t i = 0; i < count; i++) {
		const struct phase_result *phase = &test->phases[i];

		if (!phase_counts(phase, phase_number))
			continue;
		rates[n] = phase->total_rate;
		operations[n] = phase->operations_rate;
		seconds[n++] = phase->seconds.total;
		bytes += phase->total_rate * phase_headline_seconds(phase);
		time += phase_headline_seconds(phase);
	}
	if (n) {
		summary->rate = spread_of(rates, n);
		summary->precision = precision_of(rates, n);
		summary->needed = precision_needs(rates, n, test->plan->test->precision);
		summary->first = first_differs(rates, n);
		summary->drift = drift_of(rates, n);
		summary->modes = two_modes_of(rates, n);
		summary->pooled = time > 0 ? bytes / time : 0;
		summary->operations_rate = median_of(operations, n);
		summary->seconds = median_of(seconds, n);
		summary->times = times_of(test, &summary->series);
		for (unsigned i = 0; i < summary->part_count; i++)
			fill_part(&summary->parts[i], test, values);
	}
	free(values);
	fill_response(&summary->response, test, phase_number);
}

/*
 * Computes only the precision, as a full summary would delay the tasks that wait for the next
 * repetition.
 */
static bool is_precise(const struct test_result *test, unsigned phase, double wanted,
		       unsigned series)
{
	double *rates = memory_allocate(test->phase_count + 1, sizeof(*rates));
	size_t n = 0;

	for (size_t i = 0; i < test->phase_count; i++)
		if (phase_counts(&test->phases[i], phase))
			rates[n++] = test->phases[i].total_rate;
	const bool precise = n && precision_suffices(rates, n, wanted, series);

	free(rates);
	return precise;
}

bool test_is_precise(const struct test_result *test, double wanted)
{
	const struct plan *plan = test->plan;
	unsigned series = plan->phase_count;

	for (unsigned i = 0; i < plan->phase_count; i++)
		series -= plan_is_layout(plan, &plan->phases[i]);
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (!plan_is_layout(plan, &plan->phases[i]) && !is_precise(test, i, wanted, series))
			return false;
	return true;
}

const char *repetitions_end_name(enum repetitions_end end)
{
	static const char *const names[] = {
		[REPETITIONS_ASKED] = "asked",		[REPETITIONS_PRECISE] = "precise",
		[REPETITIONS_MOST] = "max_repetitions", [REPETITIONS_BUDGET] = "budget",
		[REPETITIONS_ENDED] = "ended",
	};

	return names[end];
}
