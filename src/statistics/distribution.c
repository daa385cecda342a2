/* Distributions that intervals and tests need. */
#include "statistics/distribution.h"

#include <math.h>

double normal_below(double x)
{
	return 0.5 * erfc(-x / M_SQRT2);
}

double binomial_half_below(uint64_t n, int64_t successes)
{
	double size = (double)n, sum = 0, term;

	if (successes < 0)
		return 0;
	/* For large n, where 2^-n underflows, the normal approximation is accurate enough. */
	if (n > 1000)
		return normal_below(((double)successes + 0.5 - size / 2) / (sqrt(size) / 2));
	term = ldexp(1, -(int)n);
	for (uint64_t k = 0; k <= (uint64_t)successes && k <= n; k++) {
		sum += term;
		term *= (double)(n - k) / (double)(k + 1);
	}
	return sum;
}

double binomial_at_least(uint64_t n, uint64_t successes, double chance)
{
	double sum = 0;

	if (successes == 0 || chance >= 1)
		return 1;
	if (chance <= 0)
		return 0;
	for (uint64_t k = successes; k <= n; k++)
		sum += exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
			   lgamma((double)(n - k) + 1) + (double)k * log(chance) +
			   (double)(n - k) * log1p(-chance));
	return sum < 1 ? sum : 1;
}

/*
 * Newton's method from the middle on converges, as the function is monotonic and convex on each
 * side.
 */
double normal_quantile(double p)
{
	double x = 0;

	if (p > 0.5)
		return -normal_quantile(1 - p);
	for (int i = 0; i < 60; i++) {
		double error = normal_below(x) - p;
		double step = error * sqrt(2 * M_PI) * exp(x * x / 2);

		x -= step;
		if (fabs(step) < 1e-13 * (1 + fabs(x)))
			break;
	}
	return x;
}

/*
 * The continued fraction of the incomplete beta function, DLMF 8.17.22, evaluated by Lentz's method
 * (Lentz 1976; Thompson and Barnett 1986).
 */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), result;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	result = d;
	for (int m = 1; m < 500; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double change = 1;

		for (int half = 0; half < 2; half++) {
			double term = half ? odd : even;

			d = 1 + term * d;
			d = 1 / (fabs(d) < tiny ? tiny : d);
			c = 1 + term / c;
			c = fabs(c) < tiny ? tiny : c;
			change = c * d;
			result *= change;
		}
		if (fabs(change - 1) < 1e-15)
			break;
	}
	return result;
}

/* The regularized incomplete beta function I_x(a, b). */
static double incomplete_beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x >= 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_two_sided(double t, double degrees)
{
	return incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t));
}

double student_quantile(double confidence, double degrees)
{
	double low = 0, high = 1;

	while (student_two_sided(high, degrees) > 1 - confidence)
		high *= 2;
	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (student_two_sided(middle, degrees) > 1 - confidence)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}
