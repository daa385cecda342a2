/* The plan of the trees in which a load's items lie. Private to this folder. */
#ifndef PLAN_LOAD_TREES_H
#define PLAN_LOAD_TREES_H

#include "plan/plan.h"

/*
 * Checks the operations on items of a load, and builds the plan of their trees, plan->names: that
 * of an mdtest test with a tree for each task. The trees are made before the load and removed after
 * it. Returns 0, or -1 with *err. Does nothing if the load has no such operations.
 */
int load_trees_build(struct plan *plan, const struct facts *facts, struct error *err);

#endif
