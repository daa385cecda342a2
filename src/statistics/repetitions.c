/* Statistics over the repetitions of one measurement. */
#include "statistics/repetitions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "statistics/distribution.h"

enum { EXACT_MOST = 9, DRIFT_LEAST = 6, MODES_LEAST = 15, FIRST_LEAST = 5 };

/*
 * Levels of the tests, so that fewer than 1 % of all summaries warn by mistake, and dependence is
 * seldom missed (tests/bench/intervals).
 */
static const double first_level = 0.001, drift_level = 0.005, dependence_level = 0.2;
static const double modes_share = 0.93, change_least = 0.05;

/* The caller frees the copy. */
static double *sorted_copy(const double *values, size_t count)
{
	double *sorted = memory_allocate(count, sizeof(*sorted));

	memcpy(sorted, values, count * sizeof(*values));
	values_sort(sorted, count);
	return sorted;
}

static double median_of(const double *values, size_t count)
{
	double *sorted = sorted_copy(values, count), median = sorted_median(sorted, count);

	free(sorted);
	return median;
}

static double mean_of(const double *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum / (double)count;
}

static double squares_of(const double *values, size_t count, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return sum;
}

/* --- ranks and their order ------------------------------------------------------------------ */

/* Number of sorted values below x or, with `equal`, not above it. */
static size_t count_below(const double *sorted, size_t count, double x, bool equal)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (sorted[middle] < x || (equal && sorted[middle] == x))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Rank of each value in order of size, from 1. Equal values share the mean of their ranks. */
static void rank(const double *values, size_t count, double *ranks)
{
	double *sorted = sorted_copy(values, count);

	for (size_t i = 0; i < count; i++)
		ranks[i] = (double)(count_below(sorted, count, values[i], false) + 1 +
				    count_below(sorted, count, values[i], true)) /
			   2;
	free(sorted);
}

/* Sum of products of rank and order, about their means. */
static double agreement_with_order(const double *ranks, size_t count)
{
	double middle = ((double)count + 1) / 2, sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (ranks[i] - middle) * ((double)i + 1 - middle);
	return sum;
}

/*
 * Number of all arrangements of the same ranks, and of those that agree with an order as well as
 * this one.
 */
struct arrangements {
	double ranks[EXACT_MOST];
	size_t count;
	double least;
	double all, as_good;
};

static void swap(double *a, double *b)
{
	double c = *a;

	*a = *b;
	*b = c;
}

static void arrange(struct arrangements *arrangements, size_t from)
{
	if (from + 1 >= arrangements->count) {
		arrangements->all++;
		arrangements->as_good +=
			fabs(agreement_with_order(arrangements->ranks, arrangements->count)) >=
			arrangements->least;
		return;
	}
	for (size_t i = from; i < arrangements->count; i++) {
		swap(&arrangements->ranks[from], &arrangements->ranks[i]);
		arrange(arrangements, from + 1);
		swap(&arrangements->ranks[from], &arrangements->ranks[i]);
	}
}

static double exact_p(const double *ranks, size_t count)
{
	struct arrangements arrangements = {.count = count};

	memcpy(arrangements.ranks, ranks, count * sizeof(*ranks));
	arrangements.least = fabs(agreement_with_order(ranks, count)) - 1e-9;
	arrange(&arrangements, 0);
	return arrangements.as_good / arrangements.all;
}

static double approximate_p(double rho, size_t count)
{
	double degrees = (double)count - 2;

	if (fabs(rho) >= 1)
		return 0;
	return student_two_sided(rho * sqrt(degrees / (1 - rho * rho)), degrees);
}

/* Sets rho and p of ranks against their order. */
static void correlate_with_order(const double *ranks, size_t count, struct drift *drift)
{
	const double n = (double)count, order = n * (n * n - 1) / 12;
	const double spread = squares_of(ranks, count, (n + 1) / 2);

	if (!(spread > 0))
		return;
	drift->rho = agreement_with_order(ranks, count) / sqrt(spread * order);
	drift->p = count <= EXACT_MOST ? exact_p(ranks, count) : approximate_p(drift->rho, count);
}

/* --- values that follow one another --------------------------------------------------------- */

/* P of a ratio as small, by R. Bartels' approximation for ranks of independent values. */
static double ratio_p(double ratio, double n)
{
	const double variance =
		4 * (n - 2) * (5 * n * n - 2 * n - 9) / (5 * n * (n + 1) * (n - 1) * (n - 1));

	return normal_below((ratio - 2) / sqrt(variance));
}

/* How the ranks of values go from one to the next. */
struct serial {
	double ratio;	    /* von Neumann's; 2 where all values are equal */
	double correlation; /* corrected for its bias as in run_mean.c, 0 to 0.95 */
};

static struct serial serial_of(const double *values, size_t count)
{
	const double n = (double)count, middle = (n + 1) / 2;
	double *ranks = memory_allocate(count, sizeof(*ranks)), squares, steps = 0, products = 0;

	rank(values, count, ranks);
	squares = squares_of(ranks, count, middle);
	for (size_t i = 1; i < count; i++) {
		steps += (ranks[i] - ranks[i - 1]) * (ranks[i] - ranks[i - 1]);
		products += (ranks[i] - middle) * (ranks[i - 1] - middle);
	}
	free(ranks);
	if (!(squares > 0))
		return (struct serial){.ratio = 2};
	return (struct serial){
		.ratio = steps / squares,
		.correlation = fmin(fmax((n * products / squares + 1) / (n - 3), 0), 0.95),
	};
}

/* Sets `rest` to what the values differ from the line through them. */
static void subtract_line(const double *values, size_t count, double *rest)
{
	const double n = (double)count, middle = (n - 1) / 2, mean = mean_of(values, count);
	double products = 0;

	for (size_t i = 0; i < count; i++)
		products += ((double)i - middle) * (values[i] - mean);
	const double slope = products / (n * (n * n - 1) / 12);

	for (size_t i = 0; i < count; i++)
		rest[i] = values[i] - mean - slope * ((double)i - middle);
}

struct dependence dependence_of(const double *values, size_t count)
{
	const double n = (double)count;
	struct dependence result = {.p = 1, .ratio = 2, .effective = n};
	struct drift drift = {.p = 1};

	if (count < DEPENDENCE_LEAST)
		return result;
	double *room = memory_allocate(count, sizeof(*room));

	rank(values, count, room);
	correlate_with_order(room, count, &drift);
	result.drifts = drift.p < drift_level;
	if (result.drifts)
		subtract_line(values, count, room);
	const struct serial serial = serial_of(result.drifts ? room : values, count);

	free(room);
	result.known = true;
	result.ratio = serial.ratio;
	result.p = ratio_p(serial.ratio, n);
	result.found = result.p < dependence_level;
	if (result.found)
		result.effective = n * (1 - serial.correlation) / (1 + serial.correlation);
	return result;
}

const char *dependence_name(const struct dependence *dependence)
{
	if (!dependence->known)
		return "assumed";
	if (dependence->drifts)
		return "drift";
	return dependence->found ? "corrected" : "tested";
}

struct spread spread_of(const double *values, size_t count)
{
	double *sorted = sorted_copy(values, count);
	double mean = mean_of(sorted, count);
	double squares = squares_of(sorted, count, mean);
	struct spread spread = {
		.count = count,
		.median = sorted_median(sorted, count),
		.mean = mean,
		.least = sorted[0],
		.most = sorted[count - 1],
		.deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : 0,
		.dependence = dependence_of(values, count),
	};

	spread.interval = sorted_median_interval(sorted, count, spread.dependence.effective, 0.95);
	free(sorted);
	return spread;
}

double precision_of(const double *values, size_t count)
{
	double *sorted = sorted_copy(values, count);
	const double effective = dependence_of(values, count).effective;
	struct median_interval interval = sorted_median_interval(sorted, count, effective, 0.99);
	double median = count ? sorted_median(sorted, count) : 0;

	free(sorted);
	if (!interval.possible || median <= 0)
		return -1;
	return (interval.upper - interval.lower) / 2 / median;
}

size_t precision_needs(const double *values, size_t count, double wanted)
{
	double precision = precision_of(values, count);

	if (precision < 0 || wanted <= 0)
		return 0;
	return (size_t)ceil((double)count * (precision / wanted) * (precision / wanted));
}

/*
 * The test costs repetitions where values are independent. It may find more by mistake where fewer
 * remain to DEPENDENCE_LEAST: a tenth of all at 8 values, a fifth from 16 on.
 */
static bool seem_to_follow(const double *values, size_t count, unsigned series)
{
	const double n = (double)count, level = fmin(0.1 * n / 8, dependence_level);

	return ratio_p(serial_of(values, count).ratio, n) < level / series;
}

bool precision_suffices(const double *values, size_t count, double wanted, unsigned series)
{
	const double precision = precision_of(values, count);

	if (precision < 0 || precision > wanted)
		return false;
	if (count >= DEPENDENCE_LEAST)
		return true;
	for (size_t n = median_interval_needs(0.99); n <= count; n++)
		if (seem_to_follow(values, n, series))
			return false;
	return true;
}

struct first_differs first_differs(const double *values, size_t count)
{
	struct first_differs result = {0};

	if (count < FIRST_LEAST)
		return result;
	const size_t n = count - 1;
	const double mean = mean_of(values + 1, n), median = median_of(values + 1, n);
	const double squares = squares_of(values + 1, n, mean);
	/* of a value that differs from the mean of n others */
	const double error = sqrt(squares / (double)(n - 1) * (1 + 1 / (double)n));
	const double off = fabs(values[0] - mean);

	result.known = true;
	result.ratio = median > 0 ? values[0] / median : 0;
	if (off > 0)
		result.p = error > 0 ? student_two_sided(off / error, (double)n - 1) : 0;
	else
		result.p = 1;
	result.differs = result.p < first_level && fabs(result.ratio - 1) >= 0.1;
	return result;
}

/* --- drift ---------------------------------------------------------------------------------- */

static double change_of(const double *values, size_t count)
{
	double before = median_of(values, count / 3);

	return before > 0 ? median_of(values + count - count / 3, count / 3) / before - 1 : 0;
}

struct drift drift_of(const double *values, size_t count)
{
	struct drift drift = {.p = 1};

	if (count < DRIFT_LEAST)
		return drift;
	double *ranks = memory_allocate(count, sizeof(*ranks));

	drift.known = true;
	rank(values, count, ranks);
	correlate_with_order(ranks, count, &drift);
	free(ranks);
	drift.change = change_of(values, count);
	drift.drifts = drift.p < drift_level &&
		       fabs(drift.change) >= fmax(change_least, precision_of(values, count));
	return drift;
}

/* --- two modes ------------------------------------------------------------------------------ */

/* Splits sorted values where most of their variance comes to lie between the groups (Otsu 1979). */
static void repetitions_split(const double *sorted, size_t count, struct two_modes *modes)
{
	double mean = mean_of(sorted, count), all = squares_of(sorted, count, mean), sum = 0;

	for (size_t low = 1; low < count && all > 0; low++) {
		sum += sorted[low - 1] - mean; /* of the lower group; negated: the upper group's */
		double share = sum * sum * (1 / (double)low + 1 / (double)(count - low)) / all;

		if (share > modes->share) {
			modes->share = share;
			modes->low_count = low;
		}
	}
	modes->high_count = count - modes->low_count;
}

struct two_modes two_modes_of(const double *values, size_t count)
{
	struct two_modes modes = {0};

	if (count < MODES_LEAST)
		return modes;
	double *sorted = sorted_copy(values, count);

	repetitions_split(sorted, count, &modes);
	if (modes.low_count) {
		size_t fewest =
			modes.low_count < modes.high_count ? modes.low_count : modes.high_count;

		modes.low = sorted_median(sorted, modes.low_count);
		modes.high = sorted_median(sorted + modes.low_count, modes.high_count);
		modes.found = modes.share > modes_share && (double)fewest >= 0.15 * (double)count &&
			      modes.high - modes.low >= 0.1 * sorted_median(sorted, count);
	}
	free(sorted);
	return modes;
}
