/* The live line. */
#include "page/live.h"

#include <inttypes.h>
#include <math.h>

#include "base/units.h"
#include "page/layout.h"

static void add_time(struct text *out, double seconds)
{
	uint64_t whole = (uint64_t)ceil(seconds);

	if (whole < 60)
		text_add(out, "%" PRIu64 " s", whole);
	else if (whole < 3600)
		text_add(out, "%" PRIu64 ":%02" PRIu64 " min", whole / 60, whole % 60);
	else
		text_add(out, "%" PRIu64 ":%02" PRIu64 " h", whole / 3600, whole / 60 % 60);
}

static void add_rates(struct text *out, const struct progress *progress)
{
	const char *about = progress->seen_tasks < progress->tasks ? "~" : "";

	if (progress->bytes_rate > 0)
		text_add(out, "  %s%s MiB/s (%s MB/s)", about,
			 units_fit_number(progress->bytes_rate / (double)MIB, 6).text,
			 units_fit_number(progress->bytes_rate / 1e6, 6).text);
	text_add(out, "  %s%s op/s", about, units_fit_number(progress->operations_rate, 5).text);
}

void live_line(const struct progress *progress, unsigned columns, struct text *out)
{
	text_add(out, "%s %" PRIu64 "/%" PRIu64 " %3.0f %%", phase_name(progress->kind),
		 progress->repetition + 1, progress->repetitions, 100 * progress->share);
	if (progress->moving)
		add_rates(out, progress);
	else
		text_add(out, "  %s", progress->activity);
	if (progress->moving && progress->seconds_left >= 0) {
		text_add(out, "  phase ends in ");
		add_time(out, progress->seconds_left);
	}
	if (progress->seen_tasks < progress->tasks)
		text_add(out, "  (from %" PRIu32 " of %" PRIu32 " tasks)", progress->seen_tasks,
			 progress->tasks);
	/* The last column stays free: some terminals begin a new line there. */
	if (out->length >= columns) {
		out->length = columns - 1;
		out->bytes[out->length] = '\0';
	}
}
