/* The point in time before which all must be over. */
#ifndef PLAN_DEADLINE_H
#define PLAN_DEADLINE_H

#include "base/error.h"

/*
 * "+30m" (from now on), seconds since the epoch, or local time "2026-11-20T18:00[:00]"; now and
 * *deadline are seconds since the epoch. A time that has passed, a time more than
 * thirty years away and any other text are input errors.
 */
int deadline_parse(const char *text, double now, double *deadline, struct error *err);

/* What a phase is expected to need, given what the same one took before (0: nothing known), s. */
double deadline_needed(double longest_before);

#endif
