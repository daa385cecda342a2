/*
 * How often the intervals of src/statistics hold what they promise, by simulation. `make check` has
 * small versions of this. Usage: intervals [RUNS]
 */
#include <stdio.h>
#include <stdlib.h>

#include "statistics/repetitions.h"
#include "statistics/run_mean.h"
#include "tests/unit/random_values.h"

enum { VALUES_MOST = 600 };

static const double correlations[] = {0, 0.3, 0.5, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95};

/* Prints one row of shares: intervals that hold the mean, runs with an interval, with changes. */
static void within_one_run(size_t count, double correlation, unsigned runs)
{
	unsigned given = 0, covered = 0, changes = 0;
	uint64_t random = count + (uint64_t)(1000 * correlation);
	double values[VALUES_MOST];

	for (unsigned run = 0; run < runs; run++) {
		draw_followers(&random, correlation, 100, 5, values, count);
		struct run_mean mean = run_mean_of(values, count);

		given += mean.kind == RUN_MEAN_INTERVAL;
		covered +=
			mean.kind == RUN_MEAN_INTERVAL && fabs(mean.mean - 100) <= mean.half_width;
		changes += mean.kind == RUN_MEAN_CHANGES || mean.kind == RUN_MEAN_TREND;
	}
	printf("within one run: %3zu slices, correlation %.2f: covers %.3f, given in %.3f, "
	       "changes in %.4f\n",
	       count, correlation, (double)covered / given, (double)given / runs,
	       (double)changes / runs);
}

/* Prints the share of runs of two levels, 50 slices each, that are said to change their level. */
static void two_levels(size_t count, unsigned runs)
{
	unsigned changes = 0;
	uint64_t random = count;
	double values[VALUES_MOST];

	for (unsigned run = 0; run < runs; run++) {
		for (size_t i = 0; i < count; i++)
			values[i] = (i / 50 % 2 ? 100 : 60) + 5 * draw_normal(&random);
		changes += run_mean_of(values, count).kind == RUN_MEAN_CHANGES;
	}
	printf("within one run: %3zu slices, two levels of 50 slices: changes in %.4f\n", count,
	       (double)changes / runs);
}

/* Prints how often the interval of the median of repetitions that follow one another holds it. */
static void over_repetitions(size_t count, double correlation, unsigned runs)
{
	unsigned given = 0, covered = 0, found = 0;
	uint64_t random = count + (uint64_t)(1000 * correlation);
	double values[VALUES_MOST];

	for (unsigned run = 0; run < runs; run++) {
		draw_followers(&random, correlation, 100, 5, values, count);
		struct spread spread = spread_of(values, count);

		found += spread.dependence.found;
		given += spread.interval.possible;
		covered += spread.interval.possible && spread.interval.lower <= 100 &&
			   100 <= spread.interval.upper;
	}
	printf("over repetitions: %3zu, correlation %.2f: covers %.3f, given in %.3f, "
	       "dependence found in %.3f\n",
	       count, correlation, (double)covered / given, (double)given / runs,
	       (double)found / runs);
}

/* Prints how many repetitions repetitions=auto makes, and how often the interval holds. */
static void until_precise(double deviation, double correlation, unsigned runs)
{
	enum { MOST = 30 };
	unsigned given = 0, covered = 0;
	uint64_t random = (uint64_t)(100 * deviation + 1000 * correlation);
	double values[MOST];
	size_t all = 0;

	for (unsigned run = 0; run < runs; run++) {
		size_t n = 8;

		draw_followers(&random, correlation, 100, deviation, values, MOST);
		while (n < MOST && !precision_suffices(values, n, 0.05, 1))
			n++;
		all += n;
		struct median_interval interval = spread_of(values, n).interval;

		given += interval.possible;
		covered += interval.possible && interval.lower <= 100 && 100 <= interval.upper;
	}
	printf("repetitions=auto: sd %.0f %%, correlation %.2f: %.1f repetitions, covers %.3f, "
	       "given in %.3f\n",
	       deviation, correlation, (double)all / runs, (double)covered / given,
	       (double)given / runs);
}

static void count_warnings(const double *values, size_t count, unsigned warnings[4])
{
	const bool first = first_differs(values, count).differs;
	const bool drifts = drift_of(values, count).drifts;
	const bool modes = two_modes_of(values, count).found;

	warnings[0] += first;
	warnings[1] += drifts;
	warnings[2] += modes;
	warnings[3] += first || drifts || modes;
}

static void print_warnings(const char *what, size_t count, const unsigned warnings[4],
			   unsigned runs)
{
	printf("verdicts: %-20s %2zu repetitions: V2 %.4f, V3 %.4f, V4 %.4f, any %.4f\n", what,
	       count, (double)warnings[0] / runs, (double)warnings[1] / runs,
	       (double)warnings[2] / runs, (double)warnings[3] / runs);
}

static void false_warnings(size_t count, double deviation, unsigned runs)
{
	static const char *const names[] = {"normal", "lognormal", "uniform"};
	double values[VALUES_MOST];
	char what[32];

	for (int kind = 0; kind < 3; kind++) {
		uint64_t random = count;
		unsigned warnings[4] = {0};

		for (unsigned run = 0; run < runs; run++) {
			draw_clean(&random, kind, deviation, values, count);
			count_warnings(values, count, warnings);
		}
		snprintf(what, sizeof(what), "%s, sd %.0f %%,", names[kind], 100 * deviation);
		print_warnings(what, count, warnings, runs);
	}
}

/* Effects of 20 % among noise of 2 %: a slow first one, a drift, two modes. */
static void power(size_t count, unsigned runs)
{
	static const char *const names[] = {"first 20 % slower,", "drift of 20 %,",
					    "modes 20 % apart,"};
	double values[VALUES_MOST];

	for (int effect = 0; effect < 3; effect++) {
		uint64_t random = count;
		unsigned warnings[4] = {0};

		for (unsigned run = 0; run < runs; run++) {
			draw_clean(&random, CLEAN_NORMAL, 0.02, values, count);
			for (size_t i = 0; i < count; i++)
				if (effect == 0	  ? i == 0
				    : effect == 2 ? draw_uniform(&random) < 0.5
						  : false)
					values[i] *= 0.8;
				else if (effect == 1)
					values[i] *= 1 - 0.2 * (double)i / (double)(count - 1);
			count_warnings(values, count, warnings);
		}
		print_warnings(names[effect], count, warnings, runs);
	}
}

int main(int argc, char **argv)
{
	const unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 4000;

	setvbuf(stdout, NULL, _IOLBF, 0);
	two_levels(150, runs);
	two_levels(VALUES_MOST, runs / 10);
	for (size_t n = 20; n <= 80; n *= 2)
		for (size_t i = 0; i < 4; i++)
			over_repetitions(n, correlations[i], runs);
	for (int deviation = 1; deviation <= 8; deviation += deviation < 5 ? 2 : 3)
		for (size_t i = 0; i < 5; i++)
			until_precise(deviation, correlations[i], runs);
	for (size_t n = 6; n <= 30; n += n < 10 ? 2 : 5) {
		false_warnings(n, 0.05, n == 8 ? runs / 4 : runs);
		false_warnings(n, 0.1, n == 8 ? runs / 4 : runs);
	}
	power(10, runs);
	power(15, runs);
	for (size_t i = 0; i < sizeof(correlations) / sizeof(*correlations); i++)
		for (int n = 0; n < 3; n++)
			within_one_run((size_t[]){100, 150, VALUES_MOST}[n], correlations[i], runs);
}
