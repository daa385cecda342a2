/* The live line. */
#include "page/live.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

/* The line while it is made. A piece that does not fit is the end of it. */
struct line {
	struct text *out;
	const struct rate_unit *unit;
	unsigned columns;
	bool full;
};

static void live_add(struct line *line, const char *separator, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void live_add(struct line *line, const char *separator, const char *format, ...)
{
	const char *between = line->out->length ? separator : "";
	char piece[128];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(piece, sizeof(piece), format, arguments);
	va_end(arguments);
	/* The last column stays free: some terminals begin a new line there. */
	line->full |= line->out->length + strlen(between) + strlen(piece) >= line->columns;
	if (!line->full)
		text_add(line->out, "%s%s", between, piece);
}

static struct units_text show_time(double seconds)
{
	struct units_text shown;

	if (seconds < 120)
		snprintf(shown.text, sizeof(shown.text), "%.0f s", ceil(seconds));
	else if (seconds < 7200)
		snprintf(shown.text, sizeof(shown.text), "%.0f min", ceil(seconds / 60));
	else
		snprintf(shown.text, sizeof(shown.text), "%.1f h", seconds / 3600);
	return shown;
}

static void add_job(struct line *line, const struct progress *progress)
{
	if (progress->numbers > 1)
		live_add(line, "", "%s %u of %u", progress->unit, progress->number,
			 progress->numbers);
	if (!progress->repetitions)
		live_add(line, ", ", "repetition %" PRIu64, progress->repetition);
	else if (progress->repetitions > 1)
		live_add(line, ", ", "repetition %" PRIu64 " of %" PRIu64, progress->repetition,
			 progress->repetitions);
	if (progress->job_seconds_left < 0)
		return;
	/* The job is not over while the line is there. */
	live_add(line, ", ", "%.0f %% of the job", fmin(99, floor(100 * progress->job_share)));
	live_add(line, ", ", "about %s left", show_time(progress->job_seconds_left).text);
}

static void add_rates(struct line *line, const struct progress *progress)
{
	const char *about = progress->seen_tasks < progress->tasks ? "~" : "";

	if (progress->bytes_rate > 0)
		live_add(line, ", ", "%s%s %s", about,
			 units_fit_number(progress->bytes_rate / line->unit->bytes, 5).text,
			 line->unit->name);
	live_add(line, ", ", "%s%s op/s", about,
		 units_fit_number(progress->operations_rate, 5).text);
}

static void live_add_phase(struct line *line, const struct progress *progress)
{
	live_add(line, "; ", "%s %.0f %%", progress->phase, floor(100 * progress->share));
	if (progress->moving)
		add_rates(line, progress);
	else
		live_add(line, ", ", "%s", progress->activity);
	if (progress->moving && progress->seconds_left >= 0)
		live_add(line, ", ", "ends in %s", show_time(progress->seconds_left).text);
	if (progress->seen_tasks < progress->tasks)
		live_add(line, " ", "(from %" PRIu32 " of %" PRIu32 " tasks)", progress->seen_tasks,
			 progress->tasks);
}

void live_line(const struct progress *progress, const struct rate_unit *unit, unsigned columns,
	       struct text *out)
{
	struct line line = {out, unit, columns, false};

	add_job(&line, progress);
	if (progress->phase)
		live_add_phase(&line, progress);
}
