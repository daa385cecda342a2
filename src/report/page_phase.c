/* The lines below the row of one phase of one repetition. */
#include "report/page.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"
#include "report/layout.h"
#include "report/report.h"

void page_below(struct text *out, struct text *words)
{
	if (words->length)
		layout_paragraph(out, "", PAGE_ROW_INDENT, text_string(words));
	text_release(words);
}

void page_host(struct text *words, const struct page *page, uint32_t node)
{
	const char *host = hosts_name(&page->hosts, node);

	if (host)
		text_add(words, "%s", host);
	else
		text_add(words, "node %" PRIu32, node);
}

static void print_failure(struct text *out, const struct phase_result *phase)
{
	struct text words = {0};

	if (phase->failure.error.kind == ERROR_NONE)
		return;
	report_failure_text(phase, &words);
	page_below(out, &words);
}

static void add_worst(struct text *words, const struct page *page, const struct phase_result *phase)
{
	const struct operation_record *record = phase_transfers(phase);

	if (!record || !record->histogram.count)
		return;
	const struct worst *worst = &record->worst;
	const uint64_t begin = phase->measure->begin.first;

	text_add(words, "%sslowest %s %s (task %" PRIu32 " on ", words->length ? "; " : "",
		 record->operation == OPERATION_MIXED ? "operation"
						      : operation_name(record->operation),
		 units_show_ns(worst->ns).text, worst->task);
	page_host(words, page, worst->node);
	if (worst->offset != UINT64_MAX)
		text_add(words, ", %s %" PRIu64,
			 phase_has_items(phase->kind, record->operation) ? "item" : "offset",
			 worst->offset);
	text_add(words, ", after %s)",
		 units_show_ns(worst->at_ns > begin ? worst->at_ns - begin : 0).text);
}

/* With -v: how busy the tasks were, the slowest operation and the slowest task. */
static void print_busy(const struct page *page, struct text *out, const struct phase_result *phase)
{
	const struct slow_group *tasks = phase->slow ? &phase->slow->groups[SLOW_TASK] : NULL;
	struct text words = {0};

	if (phase->concurrency.in_flight > 0)
		text_add(&words, "busy %.1f %%", 100 * phase->concurrency.busy_share);
	add_worst(&words, page, phase);
	if (tasks && tasks->members > 1 && tasks->kept) {
		text_add(&words, "%sslowest task %" PRIu32 " on ", words.length ? "; " : "",
			 tasks->ones[0].pace.number);
		page_host(&words, page, tasks->ones[0].pace.node);
		text_add(&words, ", %s x the others",
			 units_fit_number(tasks->ones[0].ratio, 4).text);
	}
	page_below(out, &words);
}

/* Adds the largest change of level, which an interval of the whole would hide. */
static void add_change(struct text *words, const struct within *within)
{
	const struct run_mean *run = &within->run;

	text_add(words, "the level changes ");
	if (run->changes > 1)
		text_add(words, "%zu times, most ", run->changes);
	text_add(words, "at %s s from %s to %s MiB/s",
		 units_fit_number(within->change_seconds, 4).text,
		 units_fit_number(run->before / (double)MIB, 6).text,
		 units_fit_number(run->after / (double)MIB, 6).text);
}

static void add_trend(struct text *words, const struct run_mean *run)
{
	text_add(words, "the rate %s from %s to %s MiB/s",
		 run->end < run->begin ? "falls" : "rises",
		 units_fit_number(run->begin / (double)MIB, 6).text,
		 units_fit_number(run->end / (double)MIB, 6).text);
}

/*
 * Appends the interval of the rate within the phase. With several repetitions this needs -v, as an
 * interval over repetitions is wider and says more.
 */
static void print_within(const struct page *page, struct text *out, const struct test_result *test,
			 const struct phase_result *phase)
{
	const struct run_mean *run = &phase->within.run;
	struct text words = {0};

	if (run->kind == RUN_MEAN_NONE ||
	    (!page->verbose && test_repetitions_most(test->plan->test) > 1))
		return;
	text_add(&words, "within this run only: ");
	if (run->kind == RUN_MEAN_CHANGES)
		add_change(&words, &phase->within);
	else if (run->kind == RUN_MEAN_TREND)
		add_trend(&words, run);
	else if (run->kind == RUN_MEAN_VAGUE)
		text_add(&words,
			 "interval not known, as the rate wanders: %zu slices say as "
			 "much as %.1f independent ones",
			 run->values, run->effective);
	else
		text_add(&words, "%s MiB/s +- %.1f %% (95 %%; %zu slices of %s)",
			 units_fit_number(run->mean / (double)MIB, 6).text,
			 100 * run->half_width / run->mean, run->values,
			 units_show_seconds(phase->within.slice_seconds).text);
	page_below(out, &words);
}

static void add_range(struct text *words, uint64_t least, uint64_t most)
{
	text_add(words, "%" PRIu64, least);
	if (most != least)
		text_add(words, " to %" PRIu64, most);
}

/* Appends the bytes moved when the time was up. With wear-out the row has the bytes of the end. */
static void print_stonewall(struct text *out, const struct phase_result *phase)
{
	const struct stonewall *wall = &phase->stonewall;
	const struct measure *measure = phase->measure;
	const bool metadata = !phase_moves_data(phase->kind);
	const char *unit = metadata ? "items" : "transfers";
	struct text words = {0};

	if (!(wall->seconds > 0))
		return;
	text_add(&words, "stonewalled after %s s: until then ",
		 units_fit_number(wall->limit, 6).text);
	if (metadata)
		text_add(&words, "%s op/s", units_fit_number(wall->rate, 7).text);
	else
		text_add(&words, "%s MiB/s (%s MB/s)",
			 units_fit_number(wall->rate / (double)MIB, 6).text,
			 units_fit_number(wall->rate / 1e6, 6).text);
	text_add(&words, " in %s s, ", units_fit_number(wall->seconds, 6).text);
	add_range(&words, measure->wall_least, measure->wall_most);
	text_add(&words, " %s a task", unit);
	if (wall->wears_out) {
		text_add(&words, "; with wear-out, as above, ");
		add_range(&words, measure->least_transfers, measure->most_transfers);
	}
	if (measure->unworn_tasks) {
		text_add(&words, "; wear_out_limit ended ");
		page_count(&words, measure->unworn_tasks, "task");
		text_add(&words, " before");
	}
	page_below(out, &words);
}

/* "task 3 on node01: transfer 2.100 s, mean 0.500 s" */
static void add_outlier(struct text *words, const struct page *page, enum phase_kind kind,
			const struct outliers *outliers, const struct outlier *outlier)
{
	const bool names = !phase_moves_data(kind) && outlier->step == STEP_TRANSFER;

	text_add(words, "task %" PRIu32 " on ", outlier->task);
	page_host(words, page, outlier->node);
	text_add(words, ": %s %.3f s, mean %.3f s",
		 names ? "operations" : task_step_name(outlier->step), outlier->seconds,
		 outliers->mean[outlier->step]);
}

static void print_outliers(const struct page *page, struct text *out,
			   const struct phase_result *phase)
{
	const struct outliers *outliers = phase->outliers;
	struct text words = {0};

	if (!outliers || !outliers->count)
		return;
	text_add(&words, "more than %g s from the mean: ", outliers->threshold);
	for (unsigned i = 0; i < outliers->kept_count; i++) {
		text_add(&words, "%s", i ? "; " : "");
		add_outlier(&words, page, phase->kind, outliers, &outliers->kept[i]);
	}
	if (outliers->count > outliers->kept_count)
		text_add(&words, "; and %" PRIu64 " more", outliers->count - outliers->kept_count);
	page_below(out, &words);
}

static void print_stop(struct text *out, const struct phase_result *phase)
{
	struct text words = {0};

	if (phase->status != PHASE_STOPPED || !phase_has_numbers(phase))
		return;
	text_add(&words, "STOPPED%s%s; the numbers cover what was done until then",
		 *phase->stop_text ? " " : "", page_after_stopped(phase));
	page_below(out, &words);
}

/* Appends how many transfers the files have, if these are fewer than the plan's. */
static void print_held(struct text *out, const struct plan *plan, const struct phase_result *phase)
{
	const uint64_t transfer = plan->geometry.transfer;
	struct text words = {0};

	if (!phase->held || phase->held == plan->file_size / transfer)
		return;
	text_add(&words, plan->order == ORDER_REPEATS ? "drawn from " : "taken from ");
	page_count(&words, phase->held, "transfer");
	text_add(&words, " of %s, as %s %s", units_show_bytes(transfer).text,
		 plan->geometry.shared && !plan->test->multi_file ? "the file has"
								  : "the shortest file has",
		 units_show_bytes(phase->held * transfer).text);
	page_below(out, &words);
}

static void print_measured(const struct page *page, struct text *out,
			   const struct test_result *test, const struct phase_result *phase)
{
	print_held(out, test->plan, phase);
	print_stonewall(out, phase);
	print_within(page, out, test, phase);
	print_outliers(page, out, phase);
	page_in_effect(out, test, phase);
	if (page->verbose && phase_began(phase))
		print_busy(page, out, phase);
}

void page_phase(struct page *page, struct text *out, const struct test_result *test,
		const struct phase_result *phase, const struct verdict *verdicts, size_t count,
		const json_t *line)
{
	(void)line;
	for (size_t i = 0; i < count; i++)
		page_keep(page, phase->kind, phase->repetition, &verdicts[i]);
	if (plan_is_layout(test->plan, &test->plan->phases[phase->index]) &&
	    phase_has_numbers(phase) && phase->status == PHASE_COMPLETE) {
		page_load_layout(out, test->plan, phase);
		return;
	}
	page_row(out, phase, verdicts, count);
	print_stop(out, phase);
	if (phase_is_metadata(phase->kind) && phase_began(phase))
		page_metadata(out, test->plan, phase);
	if (phase->kind == PHASE_LOAD && phase_has_numbers(phase))
		page_load(out, test->plan, phase);
	print_failure(out, phase);
	page_verification(out, test, phase);
	if (phase_has_numbers(phase))
		print_measured(page, out, test, phase);
}
