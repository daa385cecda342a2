/* The quotient of two medians with its interval. */
#include "page/quotient.h"

#include <math.h>

/* Both medians are in their 95 % intervals in 90 % of all cases or more. */
struct quotient quotient_of(const struct line_median *over, const struct line_median *under)
{
	const bool known = under->value > 0;

	return (struct quotient){
		.value = known ? over->value / under->value : NAN,
		.lower = known && under->upper > 0 ? over->lower / under->upper : NAN,
		.upper = known && under->lower > 0 ? over->upper / under->lower : NAN,
	};
}

bool quotient_is_bounded(const struct quotient *quotient)
{
	return isfinite(quotient->lower) && isfinite(quotient->upper);
}

bool quotient_is_undecided(const struct quotient *quotient)
{
	return quotient_is_bounded(quotient) && quotient->lower <= 1 && quotient->upper >= 1;
}
