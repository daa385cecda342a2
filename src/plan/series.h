/*
 * A series of numbers: what the repetitions say of one operation of one phase of a plan. A series is
 * identified by the number of the phase in the plan and the operation, never by the kind of phase.
 */
#ifndef PLAN_SERIES_H
#define PLAN_SERIES_H

#include "plan/plan.h"

struct series {
	unsigned phase;           /* its number in plan->phases */
	unsigned nth;             /* of the phases of its kind, from 0: what other tests call the same */
	enum operation operation;
	const char *part;         /* "create": an operation beside the one that the phase is about; else NULL */
};

enum { SERIES_MOST = 1 + MIX_KINDS + 1 };

/* The series of a phase, first that of the operation which the phase is about; how many. */
unsigned plan_series(const struct plan *plan, unsigned phase, struct series series[SERIES_MOST]);

#endif
