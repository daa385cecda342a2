/*
 * The order in which the points of a study run: in turns, so that each repetition visits all points
 * and drift over the job does not look like an effect, or one point after the other.
 */
#ifndef OPTIONS_TURNS_H
#define OPTIONS_TURNS_H

#include <stddef.h>

#include "options/job.h"

/* Most points that run in turns: each keeps its state until the last has ended. */
enum { TURNS_MOST = 64 };

/* The number of tests that the study of test `first` has; 1 for a test of no study. */
size_t turns_points(const struct job *job, size_t first);

/*
 * Why the points of a test's study run one after the other, as the end of a sentence; NULL: they
 * run in turns. For tests of studies.
 */
const char *turns_why_not(const struct job *job, size_t number);

/* True if the study of a test has several points and several repetitions, so that order matters. */
bool turns_matter(const struct job *job, size_t number);

#endif
