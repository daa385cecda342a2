/* The plan of a load that replays a trace, where it differs from that of other loads. */
#ifndef PLAN_REPLAY_H
#define PLAN_REPLAY_H

#include "plan/plan.h"

/*
 * Fills plan->play, and plan->pattern from plan->trace: shares, sizes and pace, as far as others
 * than the walk ask for them. Returns 0, or -1 with ERROR_INPUT if the trace has nothing to play.
 */
int replay_pattern(struct plan *plan, const struct load *load, struct error *err);

/* Bytes of a transfer that lays the files of a trace out. The size of each file is a multiple. */
uint64_t replay_transfer(const struct trace *trace);

/*
 * Counts the bytes of the files of a plan whose sharers are known. Returns 0, or -1 with
 * ERROR_INPUT if a task has too many files or streams.
 */
int replay_files(struct plan *plan, struct error *err);

/* True if requests are due as long after the end of the one before as the application computed. */
bool replay_thinks(const struct plan *plan);

/* True if a part of a trace is played, whose rate and shares may differ from those of the whole. */
bool replay_plays_part(const struct plan *plan);

#endif
