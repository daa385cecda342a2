/* The deadline: the point in time by which the whole job must be over. */
#ifndef PLAN_DEADLINE_H
#define PLAN_DEADLINE_H

#include "base/error.h"

/*
 * Parses "+30m" (from now on), seconds since the epoch, or local time "2026-11-20T18:00[:00]". now
 * and *deadline are seconds since the epoch. Input errors are a time that has passed, a time more
 * than thirty years away and any other text.
 */
int deadline_parse(const char *text, double now, double *deadline, struct error *err);

/*
 * Seconds a phase is expected to need. longest_before: the longest that this phase took so far; 0:
 * unknown.
 */
double deadline_needed(double longest_before);

#endif
