/*
 * A series: the numbers of one operation of one phase of a plan over all repetitions. The number of
 * the phase in the plan and the operation identify it, never the kind of phase.
 */
#ifndef PLAN_SERIES_H
#define PLAN_SERIES_H

#include "plan/plan.h"

struct series {
	unsigned phase; /* its number in plan->phases */
	unsigned nth;	/* among phases of its kind, from 0; same in other tests */
	enum operation operation;
	const char *part; /* "create": a secondary operation; NULL: the main one */
};

enum { SERIES_MOST = 1 + LOAD_KINDS + LOAD_DATA_KINDS + 2 };

/* Lists the series of a phase, its main operation first, and returns their number. */
unsigned plan_series(const struct plan *plan, unsigned phase, struct series series[SERIES_MOST]);

/*
 * Where the parts that a text shows begin in a list of plan_series(). The numbers of a lone
 * operation are those of the phase, so it is left out.
 */
static inline unsigned plan_series_first_part(const struct series *series, unsigned count)
{
	const bool paced = count > 1 && series[count - 1].operation == OPERATION_RESPONSE;

	return count - paced == 2 ? 2 : 1;
}

#endif
