/* The lists that no one wrote as a list: points of curves and mdtest's steps of tasks. */
#ifndef OPTIONS_STUDY_CURVE_H
#define OPTIONS_STUDY_CURVE_H

#include <stddef.h>

#include "base/error.h"

struct job;
struct test_spec;

/*
 * Adds these lists to a test, or to the `size` members of a set from test `first` on. A set has one
 * curve, and each member has its points. The error text begins with a location.
 */
int study_add_lists(struct job *job, size_t first, size_t size, struct error *err);

/* Scales the rate of a member of a set by the share that its point of the curve has. */
void study_scale_rate(struct test_spec *spec);

#endif
