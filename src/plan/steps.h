/*
 * The steps of a set. In each step a member runs one of its phases, and a member without a phase
 * sleeps. Layouts of loads are a step before all others. Pure functions.
 */
#ifndef PLAN_STEPS_H
#define PLAN_STEPS_H

#include "plan/plan.h"

/* The phase of a plan in a step; NULL: none. */
const struct phase_plan *plan_step(const struct plan *plan, unsigned step);

/* The phase that lays out the files of a load; NULL: none. */
const struct phase_plan *plan_layout(const struct plan *plan);

/* The number of steps that the longest of `count` plans needs. */
unsigned plans_steps(const struct plan *plans, unsigned count);

/* True if one of the plans has a load that ends with the phases of others. */
bool plans_have_beside(const struct plan *plans, unsigned count);

/*
 * Gives each load with `beside` among the `count` plans of a set one load phase for each step of
 * the others. number: of the first of these tests in the job, for texts.
 */
void plans_put_beside(struct plan *plans, unsigned count, unsigned number);

#endif
