/* How much of a job is done, and how long the rest takes. */
#include "run/job_estimate.h"

#include <math.h>

/* Seconds of a repetition. The first one counts only as long as it is alone. */
static double seconds_of_one(const struct job_part *part)
{
	if (part->done > 1)
		return (part->seconds - part->first) / (double)(part->done - 1);
	return part->done ? part->first : part->planned;
}

/* Mean over the parts of which a repetition has ended; 0: none has. */
static double mean_of_one(const struct job_part *parts, size_t count)
{
	double sum = 0, seen = 0;

	for (size_t i = 0; i < count; i++) {
		if (!parts[i].done)
			continue;
		sum += seconds_of_one(&parts[i]);
		seen++;
	}
	return seen > 0 ? sum / seen : 0;
}

/* now: NULL unless the part runs. one: seconds of a repetition. */
static double seconds_left(const struct job_part *part, const struct job_now *now, double one)
{
	const double spent = now ? now->spent : 0;
	double left = (double)(part->wanted - part->done) * one;

	if (now)
		left += fmax(one - spent, fmax(now->phase_left, 0)) - one;
	if (part->limit > 0)
		left = fmin(left, fmax(0, part->limit - part->seconds - spent));
	return left;
}

struct job_estimate job_estimate(const struct job_part *parts, size_t count,
				 const struct job_now *now)
{
	const double mean = mean_of_one(parts, count);
	double elapsed = now->spent, left = 0;

	for (size_t i = 0; i < count; i++) {
		const struct job_part *part = &parts[i];
		const double own = seconds_of_one(part), one = own > 0 ? own : mean;

		elapsed += part->seconds;
		if (part->wanted <= part->done)
			continue;
		if (one <= 0)
			return (struct job_estimate){.left = -1};
		left += seconds_left(part, i == now->part ? now : NULL, one);
	}
	left = fmin(left, fmax(0, now->deadline));
	return (struct job_estimate){elapsed / fmax(elapsed + left, 1e-9), left};
}
