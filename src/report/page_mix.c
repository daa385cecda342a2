/* The text of a mixed phase. */
#include "report/page_mix.h"

#include <inttypes.h>

#include "report/layout.h"
#include "report/page_names.h"

static void add_pace(struct text *words, const struct mix *mix, uint32_t tasks)
{
	if (mix->task_rate > 0)
		text_add(words, "; %g op/s of each task are due, %g of all", mix->task_rate,
			 mix->task_rate * tasks);
	if (mix->think_seconds > 0)
		text_add(words, "; a pause of %g s after each", mix->think_seconds);
}

static void add_end(struct text *words, const struct mix *mix)
{
	text_add(words, "; until");
	if (mix->operations)
		text_add(words, " %" PRIu64 " of each task", mix->operations);
	if (mix->seconds > 0)
		text_add(words, "%s %g s are over", mix->operations ? " or" : "", mix->seconds);
}

void page_mix_settings(struct text *out, const struct plan *plan)
{
	const struct mix *mix = &plan->mix;
	struct text words = {0};

	for (enum mix_kind kind = 0; kind < MIX_KINDS; kind++)
		if (mix->shares[kind] > 0)
			text_add(&words, "%s%s %.3g %%", words.length ? ", " : "", mix_kind_name(kind),
				 100 * mix->shares[kind]);
	text_add(&words, ", drawn at random");
	if (mix->shares[MIX_CREATE] > 0)
		text_add(&words, "; the oldest files are removed and made again, at most %" PRIu64
				 " of %" PRIu64 " of a task are missing at a time",
			 mix_most_missing(plan->tree.items), plan->tree.items);
	add_pace(&words, mix, plan->map.tasks);
	add_end(&words, mix);
	page_field(out, "mix", &words);
	text_release(&words);
}

/* iorx's own part of the response times. */
static void add_lateness(struct text *words, const struct measure *measure)
{
	char mean[NUMBER_SIZE], most[NUMBER_SIZE];

	text_add(words, "; of %" PRIu64 " it slept until then and woke %s late in the mean, %s at most, "
			"which is in response", measure->mix_slept,
		 layout_ns(measure->mix_late_ns / measure->mix_slept, mean),
		 layout_ns(measure->mix_latest_ns, most));
}

void page_mix_kinds(struct text *out, const struct plan *plan, const struct phase_result *phase)
{
	const struct measure *measure = phase->measure;
	const double seconds = phase->seconds.total;
	struct text words = {0};

	for (unsigned part = 0; part < MIX_PARTS; part++)
		if (mix_part_is_meant(&plan->mix, part))
			page_names_kind(out, mix_part_name(part),
					&measure_record(measure, mix_part_operation(part))->histogram,
					seconds);
	page_count(&words, measure->mix_files, "file");
	if (plan->mix.shares[MIX_CREATE] > 0)
		text_add(&words, ", of a task at most %" PRIu64 " missing at a time",
			 measure->mix_most_missing);
	if (measure->mix_missed) {
		text_add(&words, "; ");
		page_count(&words, measure->mix_missed, "operation");
		text_add(&words, " met a file that its task had just removed, in no row");
	}
	if (plan->mix.task_rate > 0)
		text_add(&words, "; response counts from the moment an operation was due");
	if (measure->mix_slept)
		add_lateness(&words, measure);
	page_below(out, &words);
	text_release(&words);
}

void page_mix_summary(struct text *out, const struct plan *plan, const struct rate_summary *summary)
{
	for (unsigned part = 0; part < MIX_PARTS; part++)
		if (mix_part_is_meant(&plan->mix, part))
			page_names_part(out, mix_part_name(part), &summary->parts[part]);
}
