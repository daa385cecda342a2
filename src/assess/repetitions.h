/* Whether to believe the number that repetitions give together: rules V1 to V5. */
#ifndef ASSESS_REPETITIONS_H
#define ASSESS_REPETITIONS_H

#include "assess/verdict.h"

/* The verdicts on one summary; returns how many. wanted: the precision that was asked for, a share. */
size_t assess_summary(const struct rate_summary *summary, double wanted,
		      struct verdict verdicts[VERDICTS]);

#endif
