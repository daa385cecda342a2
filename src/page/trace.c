/* The trace that a load replays, in the paragraph that tells its plan. */
#include "base/units.h"
#include "page/page.h"
#include "plan/replay.h"

void page_trace(struct text *words, const struct plan *plan)
{
	static const char *const nouns[] = {"read", "write", "fsync", "trim"};
	const struct trace *trace = plan->trace;
	const struct trace_play *play = &plan->play;
	const char *between = ": ";

	text_add(words, "replays %s", plan->load->trace);
	for (unsigned i = 0; i < TRACE_OPERATIONS; i++) {
		if (!trace->operations[i])
			continue;
		text_add(words, "%s", between);
		page_count(words, trace->operations[i], nouns[i]);
		text_add(words, i == TRACE_TRIM ? " (left out)" : "");
		between = ", ";
	}
	text_add(words, " of ");
	page_count(words, trace->streams, "stream");
	text_add(words, " in %s", units_show_seconds((double)trace->span_ns / 1e9).text);
	if (replay_plays_part(plan))
		text_add(words, ", of them from %g s on", (double)play->from_ns / 1e9);
	if (play->until_ns != UINT64_MAX)
		text_add(words, " until %g s", (double)play->until_ns / 1e9);
}

void page_trace_pace(struct text *words, const struct plan *plan)
{
	const struct trace_play *play = &plan->play;

	if (play->pace == TRACE_PACE_NONE)
		text_add(words, "a closed loop, as fast as possible");
	else if (play->pace == TRACE_PACE_THINK)
		text_add(words, "a closed loop with the pauses of the application");
	else if (play->speed > 1 || play->speed < 1)
		text_add(words, "at %g times its speed", play->speed);
	else
		text_add(words, "at its times");
	if (play->loops)
		text_add(words, ", again and again");
}
