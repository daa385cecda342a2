/* Checks that a backend has the operations that the phases of a metadata test need. */
#ifndef PLAN_OPERATIONS_H
#define PLAN_OPERATIONS_H

#include "plan/plan.h"

/* The plan's phases must be known. ERROR_INPUT names the operations that the backend lacks. */
int operations_check(const struct plan *plan, struct error *err);

#endif
