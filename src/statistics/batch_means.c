/* Confidence interval of the mean of one long run by batch means. */
#include "statistics/batch_means.h"

#include <math.h>

#include "statistics/distribution.h"

enum { BATCHES_LEAST = 10 }; /* fewer leave Student's interval too wide to say anything */

static double batch_mean(const double *values, size_t batch, size_t number)
{
	double sum = 0;

	for (size_t i = 0; i < batch; i++)
		sum += values[number * batch + i];
	return sum / (double)batch;
}

/* The figures for batches of one size. Values that do not fill a last batch are left out. */
static struct batch_means join(const double *values, size_t count, size_t batch)
{
	struct batch_means result = {.batch = batch, .batches = count / batch};
	double n = (double)result.batches, squares = 0, products = 0, before = 0;

	for (size_t i = 0; i < result.batches; i++)
		result.mean += batch_mean(values, batch, i) / n;
	for (size_t i = 0; i < result.batches; i++) {
		double off = batch_mean(values, batch, i) - result.mean;

		squares += off * off;
		products += off * before;
		before = off;
	}
	result.correlation = squares > 0 ? products / squares : 0;
	result.half_width = student_quantile(0.95, n - 1) * sqrt(squares / (n - 1) / n);
	return result;
}

struct batch_means batch_means_of(const double *values, size_t count, size_t least)
{
	struct batch_means result = {0};

	for (size_t batch = least; count / batch >= BATCHES_LEAST; batch *= 2) {
		result = join(values, count, batch);
		/* one-sided 5 % test against independent means */
		result.known = result.correlation < 1.645 / sqrt((double)result.batches);
		if (result.known)
			break;
	}
	return result;
}
