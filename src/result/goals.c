/* Compares what a load asked for with what came out. */
#include "result/goals.h"

#include <math.h>

#include "plan/load.h"

static const struct operation_record *record_of(const struct phase_result *phase,
						enum load_kind kind)
{
	return measure_record(phase->measure, load_operation(kind));
}

static double mean_bytes(const struct operation_record *record)
{
	return record->histogram.count ? (double)record->bytes / (double)record->histogram.count
				       : 0;
}

bool goals_have_depth(const struct plan *plan)
{
	return plan->queue_depth > 1 && !plan->trace && !plan_load_is_paced(&plan->pattern) &&
	       !(plan->load->think_time > 0) && !(plan->load->burst_pause > 0);
}

unsigned goals_fill(const struct phase_result *phase, const struct plan *plan,
		    struct goal goals[GOALS_MOST])
{
	const struct load_pattern *pattern = &plan->pattern;
	unsigned count = 0;

	if (plan_load_is_paced(pattern))
		goals[count++] = (struct goal){.kind = GOAL_RATE,
					       .asked = pattern->arrival.rate,
					       .achieved = phase->operations_rate,
					       .operations = phase->operations};
	for (enum load_kind kind = 0; kind < LOAD_KINDS; kind++) {
		if (!plan_load_has(pattern, kind))
			continue;
		const struct operation_record *record = record_of(phase, kind);
		const uint64_t done = record->histogram.count;
		const double all = (double)phase->operations;

		goals[count++] = (struct goal){.kind = GOAL_SHARE,
					       .of = kind,
					       .asked = deck_share(&pattern->operations, kind),
					       .achieved = all > 0 ? (double)done / all : 0,
					       .operations = phase->operations};
		if (load_kind_is_on_items(kind))
			continue;
		goals[count++] = (struct goal){.kind = GOAL_SIZE,
					       .of = kind,
					       .asked = pattern->sizes[kind].mean,
					       .achieved = mean_bytes(record),
					       .operations = done};
	}
	if (goals_have_depth(plan))
		goals[count++] = (struct goal){.kind = GOAL_DEPTH,
					       .asked = (double)plan->queue_depth,
					       .achieved = phase->depth_by_time,
					       .operations = phase->operations};
	return count;
}

enum { MISSED_PART = 100 / KEPT_MISSED_PERCENT };

void kept_add(struct kept *kept, uint64_t due, uint64_t issued, const struct plan *plan)
{
	kept->due += due;
	kept->issued += issued;
	kept->phases++;
	kept->slots = plan->map.tasks * (plan->queue_depth > 1 ? plan->queue_depth : 1);
	kept->rate = plan->pattern.arrival.rate;
	kept->is_random = plan->pattern.arrival.kind > ARRIVAL_EVEN;
}

struct kept kept_over(const struct test_result *test, unsigned phase)
{
	struct kept kept = {0};

	for (size_t i = 0; i < test->phase_count; i++) {
		const struct past_phase *past = &test->phases[i];

		if (past_phase_counts(past, phase))
			kept_add(&kept, past->due, past->issued, test->plan);
	}
	return kept;
}

bool kept_missed(const struct kept *kept)
{
	const uint64_t missed = kept->due - kept->issued;

	return missed > 1 && missed * MISSED_PART > kept->due;
}

double kept_seconds_of(double needed, double rate, bool is_random)
{
	const double deviations = 4; /* of a Poisson process, which varies most */

	return (needed + (is_random ? deviations * sqrt(needed) : 0)) / rate;
}

double kept_seconds_needed(const struct kept *kept)
{
	const uint64_t needed = kept->slots * MISSED_PART;

	if (!(kept->rate > 0) || !kept->due || needed * kept->phases <= kept->due ||
	    kept_missed(kept))
		return 0;
	return kept_seconds_of((double)needed, kept->rate, kept->is_random);
}
