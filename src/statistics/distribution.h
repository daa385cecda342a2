/* Distributions that intervals and tests need. Pure arithmetic; relative errors below 1e-9. */
#ifndef STATISTICS_DISTRIBUTION_H
#define STATISTICS_DISTRIBUTION_H

#include <stdint.h>

/* P(X <= successes) of n throws of a fair coin. */
double binomial_half_below(uint64_t n, int64_t successes);

/* P(X >= successes) of n trials that succeed with `chance`. */
double binomial_at_least(uint64_t n, uint64_t successes, double chance);

/* P(X <= x) for a standard normal X. */
double normal_below(double x);

/* The x with P(X <= x) = p for a standard normal X, 0 < p < 1. */
double normal_quantile(double p);

/* P(|X| >= |t|) for Student's t. */
double student_two_sided(double t, double degrees);

/* The t > 0 with P(|X| <= t) = confidence. */
double student_quantile(double confidence, double degrees);

#endif
