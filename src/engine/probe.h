/*
 * api=auto: which backend is fastest where the test's file will lie. Some file systems hand every
 * request of a queue to a kernel thread, many times slower than a plain call; only trying tells.
 */
#ifndef ENGINE_PROBE_H
#define ENGINE_PROBE_H

#include "base/clock.h"
#include "options/job.h"
#include "plan/choice.h"
#include "plan/plan.h"

/*
 * On the first task of each node that takes part, nobody else: moves what the plan's test would
 * move, for some 0.3 s, through each candidate in turn. The file is its own, in the directory of the
 * test file, and has no name any more when it is filled. Never fails: *probe tells what could not be
 * tried.
 */
void probe_run(const struct plan *plan, const struct test_spec *spec, const struct clock *clock,
	       struct probe *probe);

/* The same for a metadata test with a queue: whether each takes it. Nothing is measured or made. probe_names.c */
void probe_names(const struct plan *plan, const struct test_spec *spec, struct probe *probe);

#endif
