/* Rules V1 to V6: whether to believe the number that repetitions give together. */
#ifndef ASSESS_REPETITIONS_H
#define ASSESS_REPETITIONS_H

#include "assess/verdict.h"

/* Summary and verdicts over the repetitions of one phase of a test's plan. */
struct assessed_summary {
	struct rate_summary summary;
	struct verdict verdicts[VERDICTS];
	size_t count; /* number of verdicts */
};

/* Fills one summary for each phase of the plan, in its order. */
void assess_summaries(const struct test_result *test,
		      struct assessed_summary summaries[PLAN_PHASES]);

#endif
