/* Medians and their intervals without assuming a distribution. */
#include "statistics/median.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "statistics/distribution.h"

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void values_sort(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), ascending);
}

double sorted_median(const double *sorted, size_t count)
{
	return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

/* Coverage of the interval from the rank'th smallest to the rank'th largest value. */
static double coverage(size_t count, size_t rank)
{
	return 1 - 2 * binomial_half_below(count, (int64_t)rank - 1);
}

/* The largest rank that still covers; 0: none. Coverage falls with the rank. */
static size_t largest_rank(size_t count, double confidence)
{
	size_t low = 0, high = count / 2;

	while (low < high) {
		size_t rank = (low + high + 1) / 2;

		if (coverage(count, rank) >= confidence)
			low = rank;
		else
			high = rank - 1;
	}
	return low;
}

/* The rank, farther from the middle as the standard error of the median is larger. */
static size_t widened_rank(size_t count, size_t rank, double effective)
{
	const double middle = ((double)count + 1) / 2;
	const double wide = middle - (middle - (double)rank) * sqrt((double)count / effective);

	return wide > 0 ? (size_t)(wide + 1e-9) : 0;
}

struct median_interval sorted_median_interval(const double *sorted, size_t count, double effective,
					      double confidence)
{
	const size_t exact = largest_rank(count, confidence);
	const size_t rank = exact ? widened_rank(count, exact, effective) : 0;

	if (rank == 0)
		return (struct median_interval){0};
	return (struct median_interval){
		.possible = true,
		.lower_rank = rank,
		.upper_rank = count + 1 - rank,
		.lower = sorted[rank - 1],
		.upper = sorted[count - rank],
		.coverage = coverage(count, exact),
	};
}

size_t median_interval_needs(double confidence)
{
	size_t count = 2;

	while (coverage(count, 1) < confidence)
		count++;
	return count;
}

double median_distance(const double *values, size_t count, double middle, double *room)
{
	for (size_t i = 0; i < count; i++)
		room[i] = fabs(values[i] - middle);
	values_sort(room, count);
	return sorted_median(room, count);
}

double median_slope(const double *x, const double *y, size_t count)
{
	double *slopes = memory_allocate(count * (count - 1) / 2, sizeof(*slopes));
	size_t pairs = 0;

	for (size_t i = 1; i < count; i++)
		for (size_t k = 0; k < i; k++)
			slopes[pairs++] = (y[i] - y[k]) / (x[i] - x[k]);
	values_sort(slopes, pairs);
	const double median = sorted_median(slopes, pairs);

	free(slopes);
	return median;
}

double modified_z(double value, double median, double distance)
{
	if (value == median)
		return 0;
	return 0.6745 * (value - median) / distance;
}

double modified_z_threshold(size_t count)
{
	return normal_quantile(1 - 0.025 / (double)count);
}

double slowest_z_threshold(size_t count)
{
	/* The MAD is 37 % as efficient as the standard deviation. */
	const double efficiency = 0.37;

	if (count < 4)
		return 0;
	return fmax(modified_z_threshold(count),
		    student_quantile(1 - 0.1 / (double)count, efficiency * (double)(count - 2)));
}
