/* Summaries over the repetitions of a test. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/pack.h"
#include "result/goals.h"

static double median_of(double *values, size_t count)
{
	values_sort(values, count);
	return sorted_median(values, count);
}

bool past_phase_counts(const struct past_phase *past, unsigned phase)
{
	return past->index == phase && !past->warmup && past->status == PHASE_COMPLETE;
}

static struct past_phase past_of(const struct phase_result *phase, const struct test_result *test)
{
	struct past_phase past = {
		.session = test->session,
		.index = phase->index,
		.status = phase->status,
		.warmup = phase->warmup,
		.failed_tasks = phase->failed_tasks,
		.files_foreign = phase->files_foreign,
		.files_used_empty = phase->files_used_empty,
		.total_rate = phase->total_rate,
		.operations_rate = phase->operations_rate,
		.total_seconds = phase->seconds.total,
		.headline_seconds = phase_headline_seconds(phase),
		.due = phase->due,
		.issued = phase->issued,
		.response_mean_ns = phase->response_mean_ns,
		.response_p99_ns = phase->response_p99_ns,
	};
	struct series series[SERIES_MOST];

	for (unsigned i = 1, count = plan_series(test->plan, phase->index, series); i < count; i++)
		past.part_rates[i - 1] = phase_part_rate(phase, series[i].operation);
	return past;
}

/* Histograms are mostly zeros, which packing leaves out. */
static void unpack(const struct text *packed, struct histogram *times)
{
	if (!packed->length)
		histogram_init(times);
	else if (!unpack_words(times, sizeof(*times), packed->bytes, packed->length))
		BUG("a packed histogram of %zu bytes cannot be unpacked", packed->length);
}

static void add_times(struct text *packed, const struct histogram *own)
{
	struct histogram times;

	unpack(packed, &times);
	histogram_merge(&times, own);
	text_clear(packed);
	pack_words(packed, &times, sizeof(times));
}

static struct repeated *repeated_of(struct test_result *test, unsigned phase)
{
	if (!test->repeated[phase])
		test->repeated[phase] = memory_allocate(1, sizeof(**test->repeated));
	return test->repeated[phase];
}

static void repeat(struct test_result *test, const struct phase_result *phase)
{
	struct repeated *repeated = repeated_of(test, phase->index);
	struct series series[SERIES_MOST];
	unsigned count = phase->measure ? plan_series(test->plan, phase->index, series) : 0;

	for (unsigned i = 0; i < count; i++) {
		const struct operation_record *record =
			measure_record(phase->measure, series[i].operation);

		if (record)
			add_times(&repeated->times[series[i].operation], &record->histogram);
	}
	if (phase->slow)
		slow_remember(&repeated->slow, phase->slow);
}

static void keep(struct test_result *test, const struct past_phase *past)
{
	test->phases = memory_grow(test->phases, (test->phase_count + 1) * sizeof(*past));
	test->phases[test->phase_count++] = *past;
}

void test_result_restore(struct test_result *test, const struct past_phase *past)
{
	test->resumed = true;
	keep(test, past);
}

void test_result_restore_times(struct test_result *test, unsigned phase, enum operation operation,
			       const struct histogram *times)
{
	add_times(&repeated_of(test, phase)->times[operation], times);
}

void test_result_add(struct test_result *test, const struct phase_result *phase)
{
	const struct past_phase past = past_of(phase, test);
	enum limit least;

	keep(test, &past);
	if (past_phase_counts(&past, past.index))
		repeat(test, phase);
	if (past.status == PHASE_COMPLETE && possible_least(&phase->possible, &least) &&
	    phase->possible.rate > test_result_repeated(test, past.index)->nearest.rate)
		repeated_of(test, past.index)->nearest = phase->possible;
}

void test_result_release(struct test_result *test)
{
	for (unsigned phase = 0; phase < PLAN_PHASES; phase++) {
		struct repeated *repeated = test->repeated[phase];

		for (unsigned i = 0; repeated && i < OPERATIONS; i++)
			text_release(&repeated->times[i]);
		free(repeated);
		test->repeated[phase] = NULL;
	}
	free(test->phases);
	test->phases = NULL;
	test->phase_count = 0;
}

const struct repeated *test_result_repeated(const struct test_result *test, unsigned phase)
{
	static const struct repeated none;

	return test->repeated[phase] ? test->repeated[phase] : &none;
}

void test_result_times(const struct test_result *test, const struct series *series,
		       struct histogram *times)
{
	unpack(&test_result_repeated(test, series->phase)->times[series->operation], times);
}

static struct service_times times_of(const struct histogram *all)
{
	if (!all->count)
		return (struct service_times){0};
	return (struct service_times){
		.p50_ns = histogram_known_percentile(all, 0.5),
		.p99_ns = histogram_known_percentile(all, 0.99),
		.p999_ns = histogram_known_percentile(all, 0.999),
		.max_ns = all->max_ns,
	};
}

/* rates: scratch memory for one value of each repetition. */
static void fill_part(struct series_summary *own, const struct test_result *test, unsigned part,
		      double *rates)
{
	const struct series *series = &own->series;
	struct histogram times;
	size_t n = 0;

	for (size_t i = 0; i < test->phase_count; i++)
		if (past_phase_counts(&test->phases[i], series->phase))
			rates[n++] = test->phases[i].part_rates[part];
	test_result_times(test, series, &times);
	own->operations = times.count;
	own->rate = spread_of(rates, n);
	own->times = times_of(&times);
}

static void fill_response(struct response_summary *response, const struct test_result *test,
			  unsigned phase_number)
{
	double *means = memory_allocate(2 * test->phase_count + 1, sizeof(*means));
	double *p99s = means + test->phase_count;
	size_t n = 0, known = 0;

	for (size_t i = 0; i < test->phase_count; i++) {
		const struct past_phase *phase = &test->phases[i];

		if (!past_phase_counts(phase, phase_number))
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

/* As many equal repetitions on both sides lie apart by chance in less than 3 % of all cases. */
enum { SESSIONS_LEAST = 4 };

/*
 * Compares the repetitions of the latest session with those before. rates: of the repetitions that
 * count, in their order, which is that of the sessions.
 */
static void fill_sessions(struct sessions_summary *sessions, const struct test_result *test,
			  unsigned phase, const double *rates, size_t count)
{
	unsigned last = 0;
	size_t n = 0, before = 0;

	for (size_t i = 0; i < test->phase_count; i++) {
		const struct past_phase *past = &test->phases[i];

		if (!past_phase_counts(past, phase))
			continue;
		if (past->session != last) {
			before = n;
			sessions->count++;
		}
		last = past->session;
		n++;
	}
	if (sessions->count < 2)
		return;
	const struct spread early = spread_of(rates, before);
	const struct spread late = spread_of(rates + before, count - before);

	sessions->latest = count - before;
	sessions->ratio = early.median > 0 ? late.median / early.median : 0;
	sessions->apart = before >= SESSIONS_LEAST && sessions->latest >= SESSIONS_LEAST &&
			  (late.least > early.most || late.most < early.least);
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
	struct histogram all;
	size_t n = 0;

	*summary = (struct rate_summary){.test = test->number,
					 .kind = test->plan->phases[phase_number].kind};
	name_series(summary, test->plan, phase_number);
	for (size_t i = 0; i < count; i++) {
		const struct past_phase *phase = &test->phases[i];

		if (!past_phase_counts(phase, phase_number))
			continue;
		rates[n] = phase->total_rate;
		operations[n] = phase->operations_rate;
		seconds[n++] = phase->total_seconds;
		bytes += phase->total_rate * phase->headline_seconds;
		time += phase->headline_seconds;
	}
	if (n) {
		summary->rate = spread_of(rates, n);
		summary->precision = precision_of(rates, n);
		summary->needed = precision_needs(rates, n, test->plan->test->precision);
		summary->first = first_differs(rates, n);
		summary->drift = drift_of(rates, n);
		summary->modes = two_modes_of(rates, n);
		fill_sessions(&summary->sessions, test, phase_number, rates, n);
		summary->pooled = time > 0 ? bytes / time : 0;
		summary->operations_rate = median_of(operations, n);
		summary->seconds = median_of(seconds, n);
		test_result_times(test, &summary->series, &all);
		summary->times = times_of(&all);
		for (unsigned i = 0; i < summary->part_count; i++)
			fill_part(&summary->parts[i], test, i, values);
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
		if (past_phase_counts(&test->phases[i], phase))
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
