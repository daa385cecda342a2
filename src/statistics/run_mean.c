/* How sure the mean of one long run is, from the run alone. */
#include "statistics/run_mean.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "statistics/distribution.h"

enum {
	PART_LEAST = 5,	   /* shorter parts are noise that the correlation accounts for */
	CHANGES_MOST = 15, /* more often changing levels make the values follow one another */
};

/* A smaller change of level, as a share of the mean, is part of the noise. */
static const double change_least = 0.05;

/*
 * What a further change of level must take from n log(variance), in units of log n: so much that a
 * run without changes shows one in about 1 % of all cases.
 */
static const double change_price = 4;

/* The same of a line, whose place need not be found. */
static const double trend_price = 3;

/* --- parts of constant level ---------------------------------------------------------------- */

/* Sums over the first i values, less `base`, so that the squares lose no digits. */
struct run {
	const double *values;
	size_t count;
	double base;
	double *sums, *squares;
	double *off; /* distance of each value from what was last fitted */
};

static double part_mean(const struct run *run, size_t begin, size_t end)
{
	return run->base + (run->sums[end] - run->sums[begin]) / (double)(end - begin);
}

/* Sum of the squares about the mean of the values begin .. end - 1. */
static double part_squares(const struct run *run, size_t begin, size_t end)
{
	const double sum = run->sums[end] - run->sums[begin];

	return run->squares[end] - run->squares[begin] - sum * sum / (double)(end - begin);
}

/*
 * The best ways to cut the first `end` values into parts: best[c * (count + 1) + end] is the least
 * sum of squares with c cuts, last[…] the begin of the last part. Auger and Lawrence 1989.
 */
struct cuts {
	double *best;
	size_t *last;
	size_t most; /* cuts */
};

static void cut(const struct run *run, struct cuts *cuts)
{
	const size_t row = run->count + 1;

	for (size_t end = PART_LEAST; end < row; end++)
		cuts->best[end] = part_squares(run, 0, end);
	for (size_t c = 1; c <= cuts->most; c++)
		for (size_t end = (c + 1) * PART_LEAST; end < row; end++) {
			double *best = &cuts->best[c * row + end];

			*best = DBL_MAX;
			for (size_t begin = c * PART_LEAST; begin + PART_LEAST <= end; begin++) {
				const double squares = cuts->best[(c - 1) * row + begin] +
						       part_squares(run, begin, end);

				if (squares < *best) {
					*best = squares;
					cuts->last[c * row + end] = begin;
				}
			}
		}
}

/* Sets begins[0 .. count of cuts + 1]: where each part begins, and the end of the last. */
static void find_parts(const struct cuts *cuts, size_t number, size_t count, size_t *begins)
{
	begins[number + 1] = count;
	for (size_t c = number; c > 0; c--)
		begins[c] = cuts->last[c * (count + 1) + begins[c + 1]];
	begins[0] = 0;
}

/* --- a trend -------------------------------------------------------------------------------- */

/* The line through all values with the least squares. */
struct line {
	double begin, end; /* at the first and at the last value */
};

static struct line find_line(const struct run *run)
{
	const double n = (double)run->count, middle = (n - 1) / 2;
	const double mean = part_mean(run, 0, run->count);
	double products = 0;

	for (size_t i = 0; i < run->count; i++)
		products += ((double)i - middle) * (run->values[i] - mean);
	const double half = 6 * products / (n * (n + 1)); /* the slope x (n - 1) / 2 */

	return (struct line){mean - half, mean + half};
}

/* --- values that follow one another --------------------------------------------------------- */

/* Sets run->off to the distance of each value from the mean of its part. */
static void subtract_parts(const struct run *run, const size_t *begins, size_t cuts)
{
	for (size_t part = 0; part <= cuts; part++) {
		const double mean = part_mean(run, begins[part], begins[part + 1]);

		for (size_t i = begins[part]; i < begins[part + 1]; i++)
			run->off[i] = run->values[i] - mean;
	}
}

/* Sets run->off to the distance of each value from a line. */
static void subtract_line(const struct run *run, const struct line *line)
{
	const double slope = (line->end - line->begin) / (double)(run->count - 1);

	for (size_t i = 0; i < run->count; i++)
		run->off[i] = run->values[i] - line->begin - slope * (double)i;
}

/* An autoregressive process of order 1 about a level or a line. */
struct follow {
	double correlation; /* lag 1, not corrected */
	double variance;    /* of what each value does not take from the one before */
};

/* The process that run->off follows. */
static struct follow fit(const struct run *run)
{
	double squares = 0, products = 0, before = 0;

	for (size_t i = 0; i < run->count; i++) {
		squares += run->off[i] * run->off[i];
		products += run->off[i] * before;
		before = run->off[i];
	}
	const double r = squares > 0 ? products / squares : 0;
	const double first = run->off[0];
	/* the sum of (off - r before)^2 from the second value on */
	const double rest =
		squares - first * first - 2 * r * products + r * r * (squares - before * before);

	return (struct follow){r, fmax(rest, 0) / (double)(run->count - 3)};
}

/* Score of a fit, the lower the better: n log(variance left in run->off) + price x log n. */
static double score(const struct run *run, double price)
{
	const double n = (double)run->count;

	return n * log(fmax(fit(run).variance, DBL_MIN)) + price * log(n);
}

/* The number of changes that pays; *least is its score. */
static size_t choose_changes(const struct run *run, const struct cuts *cuts, size_t *begins,
			     double *least)
{
	size_t chosen = 0;

	*least = DBL_MAX;
	for (size_t c = 0; c <= cuts->most; c++) {
		find_parts(cuts, c, run->count, begins);
		subtract_parts(run, begins, c);
		const double this = score(run, change_price * (double)c);

		if (this < *least) {
			*least = this;
			chosen = c;
		}
	}
	find_parts(cuts, chosen, run->count, begins);
	return chosen;
}

static void describe_changes(struct run_mean *result, const struct run *run, const size_t *begins,
			     size_t changes)
{
	for (size_t c = 1; c <= changes; c++) {
		const double before = part_mean(run, begins[c - 1], begins[c]);
		const double after = part_mean(run, begins[c], begins[c + 1]);

		if (fabs(after - before) < change_least * fabs(result->mean))
			continue;
		result->changes++;
		if (result->changes == 1 ||
		    fabs(after - before) > fabs(result->after - result->before)) {
			result->change = begins[c];
			result->before = before;
			result->after = after;
		}
	}
	if (result->changes)
		result->kind = RUN_MEAN_CHANGES;
}

/* --- the interval --------------------------------------------------------------------------- */

static double effective(double n, double correlation)
{
	return n * (1 - correlation) / (1 + correlation);
}

/*
 * With few effective values the correlation is uncertain, and taking it as too small does more harm
 * than taking it as too large. So up to two standard errors are added to it. The numbers are those
 * with which intervals cover as often as they say (tests/bench/intervals).
 */
static double careful(const struct run_mean *result)
{
	const double r = result->correlation;
	const double doubt = fmin(pow(14 / result->effective, 4), 2);

	return fmin(r + doubt * sqrt((1 - r * r) / (double)result->values), 0.999);
}

static void find_interval(struct run_mean *result, const struct follow *follow)
{
	const double n = (double)result->values, r = careful(result);

	if (result->effective < RUN_MEAN_EFFECTIVE_LEAST)
		return;
	result->kind = RUN_MEAN_INTERVAL;
	result->half_width = student_quantile(0.95, fmax(effective(n, r) - 1, 1)) *
			     sqrt(follow->variance / n) / (1 - r);
}

static void describe_trend(struct run_mean *result, const struct line *line)
{
	if (fabs(line->end - line->begin) < change_least * fabs(result->mean))
		return;
	result->kind = RUN_MEAN_TREND;
	result->begin = line->begin;
	result->end = line->end;
}

/* Says what changes within the run, and sets run->off to what that does not explain. */
static void describe(struct run_mean *result, const struct run *run, const struct cuts *cuts)
{
	const struct line line = find_line(run);
	size_t begins[CHANGES_MOST + 2];
	double least;
	const size_t changes = choose_changes(run, cuts, begins, &least);

	subtract_line(run, &line);
	if (score(run, trend_price) < least) {
		describe_trend(result, &line);
	} else {
		subtract_parts(run, begins, changes);
		describe_changes(result, run, begins, changes);
	}
	if (result->kind == RUN_MEAN_VAGUE)
		subtract_parts(run, (size_t[]){0, run->count}, 0);
}

static struct run_mean run_mean_judge(const struct run *run, const struct cuts *cuts)
{
	const double n = (double)run->count;
	struct run_mean result = {.kind = RUN_MEAN_VAGUE,
				  .values = run->count,
				  .mean = part_mean(run, 0, run->count)};

	describe(&result, run, cuts);
	const struct follow follow = fit(run);

	/* Marriott and Pope 1954 for an unknown mean; values do not count more than once */
	result.correlation = fmin(fmax((n * follow.correlation + 1) / (n - 3), 0), 0.999);
	result.effective = effective(n, result.correlation);
	if (result.kind == RUN_MEAN_VAGUE)
		find_interval(&result, &follow);
	return result;
}

/* The caller frees sums, squares and off. */
static struct run run_of(const double *values, size_t count)
{
	struct run run = {
		.values = values,
		.count = count,
		.base = values[0],
		.sums = memory_allocate(count + 1, sizeof(*run.sums)),
		.squares = memory_allocate(count + 1, sizeof(*run.squares)),
		.off = memory_allocate(count, sizeof(*run.off)),
	};

	for (size_t i = 0; i < count; i++) {
		const double off = values[i] - run.base;

		run.sums[i + 1] = run.sums[i] + off;
		run.squares[i + 1] = run.squares[i] + off * off;
	}
	return run;
}

struct run_mean run_mean_of(const double *values, size_t count)
{
	if (count < RUN_MEAN_LEAST)
		return (struct run_mean){.values = count};
	const size_t most = count / PART_LEAST - 1;
	struct run run = run_of(values, count);
	struct cuts cuts = {.most = most < CHANGES_MOST ? most : CHANGES_MOST};
	const size_t cells = (cuts.most + 1) * (count + 1);

	cuts.best = memory_allocate(cells, sizeof(*cuts.best));
	cuts.last = memory_allocate(cells, sizeof(*cuts.last));
	cut(&run, &cuts);
	const struct run_mean result = run_mean_judge(&run, &cuts);

	free(cuts.last);
	free(cuts.best);
	free(run.off);
	free(run.squares);
	free(run.sums);
	return result;
}
