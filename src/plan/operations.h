/* Which operations of a backend a metadata test needs: those of its own phases, and no others. */
#ifndef PLAN_OPERATIONS_H
#define PLAN_OPERATIONS_H

#include "plan/plan.h"

/* Of a plan whose phases are known; ERROR_INPUT that names what the backend has not. */
int operations_check(const struct plan *plan, struct error *err);

#endif
