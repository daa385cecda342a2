/* What stands below the row of one phase of one repetition. */
#include "report/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "report/layout.h"
#include "report/page_find.h"
#include "report/page_mix.h"
#include "report/page_names.h"
#include "report/report.h"

void page_below(struct text *out, const struct text *words)
{
	layout_paragraph(out, "", PAGE_ROW_INDENT, text_string(words));
}

static void say_failure(struct text *out, const struct phase_result *phase)
{
	struct text words = {0};

	if (phase->failure.error.kind == ERROR_NONE)
		return;
	report_failure_text(phase, &words);
	page_below(out, &words);
	text_release(&words);
}

static void add_rate(struct text *words, const char *name, double rate)
{
	char mib[NUMBER_SIZE], mb[NUMBER_SIZE];

	text_add(words, "%s %s MiB/s (%s MB/s)", name, layout_number(rate / (double)MIB, 6, mib),
		 layout_number(rate / 1e6, 6, mb));
}

static void say_rates(struct text *out, const struct phase_result *phase)
{
	struct text words = {0};
	char number[NUMBER_SIZE];

	add_rate(&words, "transfer", phase->transfer_rate);
	if (phase->durable_rate > 0) {
		add_rate(&words, ", durable", phase->durable_rate);
		text_add(&words, " in %s s", layout_number(phase->seconds.durable, 6, number));
	}
	add_rate(&words, ", sum of the tasks", phase->sum_rate);
	page_below(out, &words);
	text_release(&words);
}

/* The sync of -Y: in the total, and in no task's own time. */
static void add_last_sync(struct text *words, const struct measure *measure)
{
	char seconds[NUMBER_SIZE];

	if (measure->syncs_at_end && measure->sync_end.last > measure->completion.last)
		text_add(words, ", all without the sync behind it, %s of the total",
			 layout_ns(measure->sync_end.last - measure->completion.last, seconds));
}

/* How tasks shared the time; of one alone there is nothing to say. */
static void add_balance(struct text *words, const struct phase_result *phase)
{
	char lost[NUMBER_SIZE], else_lost[NUMBER_SIZE], skew[NUMBER_SIZE];

	if (phase->working_tasks < 2)
		return;
	snprintf(lost, sizeof(lost), "%.1f %%", 100 * phase->straggler_loss);
	snprintf(else_lost, sizeof(else_lost), "%.1f %%", 100 * phase->loss_without_skew);
	text_add(words, "straggler loss %s", lost);
	if (strcmp(lost, else_lost))
		text_add(words, " (%s if all had begun together)", else_lost);
	text_add(words, ", slowest / mean task %.3f, tail %.1f %%, start skew %s", phase->imbalance,
		 100 * phase->tail_share, layout_seconds(phase->start_skew, skew));
	if (phase_is_metadata(phase->kind))
		add_last_sync(words, phase->measure);
}

static void say_balance(struct text *out, const struct phase_result *phase)
{
	const struct measure *measure = phase->measure;
	struct text words = {0};
	char flight[NUMBER_SIZE];

	add_balance(&words, phase);
	if (measure->idle_tasks)
		text_add(&words, "%s%" PRIu64 " of %" PRIu64 " tasks had something to do",
			 words.length ? "; " : "", phase->working_tasks, measure->tasks);
	if (!phase_is_metadata(phase->kind))
		text_add(&words, "%scontent %.1f %%", words.length ? ", " : "", 100 * phase->content_share);
	if (phase->kind != PHASE_WRITE && !phase_is_metadata(phase->kind))
		text_add(&words, ", %" PRIu32 " tasks read from their own node", phase->same_node);
	if (phase->little.in_flight > 0)
		text_add(&words, "%sin flight %s (Little), %.1f %% of the tasks' places busy",
			 words.length ? "; " : "", layout_number(phase->little.in_flight, 5, flight),
			 100 * phase->little.busy_share);
	if (words.length)
		page_below(out, &words);
	text_release(&words);
}

void page_host(struct text *words, const struct page *page, uint32_t node)
{
	const char *host = hosts_name(&page->hosts, node);

	if (host)
		text_add(words, "%s", host);
	else
		text_add(words, "node %" PRIu32, node);
}

/* Of one task it is that of the row. */
static void say_task_p99(const struct page *page, struct text *out, const struct p99_spread *spread)
{
	char least[NUMBER_SIZE], median[NUMBER_SIZE], most[NUMBER_SIZE];
	struct text words = {0};

	if (spread->tasks < 2)
		return;
	text_add(&words, "p99 of each task by itself: %s to %s, median %s; the longest: task %" PRIu32 " on ",
		 layout_ns(spread->min_ns, least), layout_ns(spread->max_ns, most),
		 layout_ns(spread->median_ns, median), spread->task);
	page_host(&words, page, spread->node);
	page_below(out, &words);
	text_release(&words);
}

static void add_worst(struct text *words, const struct page *page,
		      const struct operation_record *record, uint64_t begin)
{
	const struct worst *worst = &record->worst;
	char ns[NUMBER_SIZE];

	text_add(words, "slowest %s %s: task %" PRIu32 " on ", operation_name(record->operation),
		 layout_ns(worst->ns, ns), worst->task);
	page_host(words, page, worst->node);
	if (worst->offset != UINT64_MAX)
		text_add(words, " %s %" PRIu64,
			 operation_is_of_names(record->operation) ? "at item" : "at offset", worst->offset);
	text_add(words, ", %s into the phase",
		 layout_ns(worst->at_ns > begin ? worst->at_ns - begin : 0, ns));
}

/* The transfers' worst; with -vv that of every operation. */
static void say_worst(const struct page *page, struct text *out, const struct phase_result *phase)
{
	const struct operation_record *transfers = phase_transfers(phase);
	const struct measure *measure = phase->measure;
	struct text words = {0};

	for (unsigned i = 0; i < measure->record_count; i++) {
		const struct operation_record *record = &measure->records[i];

		if (!record->histogram.count || (page->verbose < 2 && record != transfers))
			continue;
		add_worst(&words, page, record, measure->begin.first);
		page_below(out, &words);
		text_clear(&words);
	}
	text_release(&words);
}

static void say_kernel(struct text *out, const struct measure *measure)
{
	char user[NUMBER_SIZE], system[NUMBER_SIZE];
	struct text words = {0};

	text_add(&words,
		 "processor time: user %s, system %s; context switches: %" PRIu64 " voluntary, %" PRIu64
		 " not",
		 layout_ns(measure->user_ns, user), layout_ns(measure->system_ns, system),
		 measure->voluntary_switches, measure->involuntary_switches);
	page_below(out, &words);
	text_release(&words);
}

/* Of one phase there is no interval over repetitions; this one is narrower than any such one. */
static void say_within(const struct page *page, struct text *out, const struct test_result *test,
		       const struct phase_result *phase)
{
	const struct batch_means *within = &phase->within;
	char mean[NUMBER_SIZE], length[NUMBER_SIZE];
	struct text words = {0};

	if (!within->known || (!page->verbose && test_repetitions_most(test->plan->test) > 1))
		return;
	text_add(&words,
		 "within this run only: %s MiB/s +- %.1f %% (95 %%, %zu batches of %s)",
		 layout_number(within->mean / (double)MIB, 6, mean),
		 100 * within->half_width / within->mean, within->batches,
		 layout_ns((uint64_t)(1e9 * phase_slice_seconds(phase) * (double)within->batch), length));
	page_below(out, &words);
	text_release(&words);
}

static void say_more(const struct page *page, struct text *out, const struct phase_result *phase)
{
	if (!page->verbose || !phase_began(phase))
		return;
	if (!phase_is_metadata(phase->kind))
		say_rates(out, phase);
	say_balance(out, phase);
	say_task_p99(page, out, &phase->task_p99);
	say_worst(page, out, phase);
	if (page->verbose > 1)
		say_kernel(out, phase->measure);
}

/* fsync_per_write: what each write waited for stands apart from the writes' own times. */
static void say_syncs(struct text *out, const struct phase_result *phase)
{
	const struct operation_record *syncs =
		phase->measure ? measure_record(phase->measure, OPERATION_SYNC) : NULL;
	char median[NUMBER_SIZE], high[NUMBER_SIZE], longest[NUMBER_SIZE];
	struct text words = {0};

	if (!syncs || syncs->histogram.count <= phase->measure->tasks)
		return;
	text_add(&words, "each write is followed by a sync, which p50, p99 and max above leave out: ");
	text_add(&words, "sync p50 %s", layout_ns(histogram_percentile(&syncs->histogram, 0.5), median));
	if (syncs->histogram.count >= histogram_needed(0.99))
		text_add(&words, ", p99 %s",
			 layout_ns(histogram_percentile(&syncs->histogram, 0.99), high));
	text_add(&words, ", max %s", layout_ns(syncs->histogram.max_ns, longest));
	page_below(out, &words);
	text_release(&words);
}

/* Which part of the open made what the format needs, datasets for instance. */
static void say_define(struct text *out, const struct phase_result *phase)
{
	const struct operation_record *record = measure_record(phase->measure, OPERATION_DEFINE);
	char mean[NUMBER_SIZE], longest[NUMBER_SIZE];
	struct text words = {0};

	if (!record || !record->histogram.count)
		return;
	text_add(&words, "of the open, making datasets or variables (define): %s in the mean of "
			 "the tasks, %s at most",
		 layout_ns(record->histogram.sum_ns / record->histogram.count, mean),
		 layout_ns(record->histogram.max_ns, longest));
	page_below(out, &words);
	text_release(&words);
}

/* How much of the queue was used: most submits find it full, or it was no queue of that depth. */
static void add_depth(struct text *words, const struct phase_result *phase, const char *what)
{
	const struct measure *measure = phase->measure;
	char depth[NUMBER_SIZE], by_time[NUMBER_SIZE], submit[NUMBER_SIZE], reap[NUMBER_SIZE];

	text_add(words, "in flight %s of %" PRIu64 " as %s were submitted, %s over time; %s a submit, "
			"%s a reap",
		 layout_number(phase->depth, 5, depth), phase->queue_depth, what,
		 layout_number(phase->depth_by_time, 5, by_time),
		 layout_number((double)phase->operations / (double)measure->submits, 4, submit),
		 layout_number((double)phase->operations / (double)measure->reaps, 4, reap));
}

static void say_depth(struct text *out, const struct test_result *test,
		      const struct phase_result *phase)
{
	const bool names = phase_is_metadata(phase->kind);
	struct text words = {0};

	if (names && test->plan->queue_depth > 1)
		page_names_form(&words, test->plan, phase);
	if (phase->measure->submits && phase->measure->reaps) {
		text_add(&words, names ? "; " : "");
		add_depth(&words, phase, names ? "operations" : "transfers");
	}
	if (words.length)
		page_below(out, &words);
	text_release(&words);
}

static void add_range(struct text *words, uint64_t least, uint64_t most)
{
	text_add(words, "%" PRIu64, least);
	if (most != least)
		text_add(words, " to %" PRIu64, most);
}

/* What had been moved when the time was up; with wear-out the row says what it was in the end. */
static void say_stonewall(struct text *out, const struct phase_result *phase)
{
	const struct stonewall *wall = &phase->stonewall;
	const struct measure *measure = phase->measure;
	char limit[NUMBER_SIZE], seconds[NUMBER_SIZE];
	struct text words = {0};

	if (!(wall->seconds > 0))
		return;
	text_add(&words, "time up after %s s: ", layout_number(wall->limit, 6, limit));
	if (phase_is_metadata(phase->kind))
		text_add(&words, "until then %s op/s", layout_number(wall->rate, 8, seconds));
	else
		add_rate(&words, "until then", wall->rate);
	text_add(&words, " in %s s, ", layout_number(wall->seconds, 6, seconds));
	add_range(&words, measure->wall_least, measure->wall_most);
	text_add(&words, phase_is_metadata(phase->kind) ? " items a task" : " transfers a task");
	if (wall->wears_out) {
		text_add(&words, "; with wear-out, as above, ");
		add_range(&words, measure->least_transfers, measure->most_transfers);
	}
	if (measure->unworn_tasks) {
		text_add(&words, ": ");
		page_count(&words, measure->unworn_tasks, "task");
		text_add(&words, " came to wear_out_limit before");
	}
	page_below(out, &words);
	text_release(&words);
}

/* What dropping the caches achieved. */
static void say_cold(struct text *out, const struct phase_result *phase)
{
	double resident = phase_resident_before(phase);
	struct text words = {0};

	if (!phase->cold || !phase_began(phase))
		return;
	text_add(&words, "cold by %s: ", phase->cold_method ? phase->cold_method : "some means");
	if (resident >= 0)
		text_add(&words, "%.1f %% resident before", 100 * resident);
	else
		text_add(&words, "what was resident before is not known here");
	page_below(out, &words);
	text_release(&words);
}

/* "task 3 on node01: transfer 2.100 s, mean 0.500 s" */
static void add_outlier(struct text *words, const struct page *page, enum phase_kind kind,
			const struct outliers *outliers, const struct outlier *outlier)
{
	const bool names = phase_is_metadata(kind) && outlier->step == STEP_TRANSFER;

	text_add(words, "task %" PRIu32 " on ", outlier->task);
	page_host(words, page, outlier->node);
	text_add(words, ": %s %.3f s, mean %.3f s", names ? "operations" : task_step_name(outlier->step),
		 outlier->seconds, outliers->mean[outlier->step]);
}

static void say_outliers(const struct page *page, struct text *out,
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
	text_release(&words);
}

static void say_stop(struct text *out, const struct phase_result *phase)
{
	struct text words = {0};

	if (phase->status != PHASE_STOPPED || !phase_has_numbers(phase))
		return;
	text_add(&words, "STOPPED%s%s; the numbers cover what was done until then",
		 *phase->stop_text ? " " : "", page_after_stopped(phase));
	page_below(out, &words);
	text_release(&words);
}

void page_phase(struct page *page, struct text *out, const struct test_result *test,
		const struct phase_result *phase, const struct verdict *verdicts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		page_keep(page, phase->kind, phase->repetition, &verdicts[i]);
	page_row(out, phase, verdicts, count);
	say_stop(out, phase);
	if ((phase->failed_operations || phase->untried_operations) && phase_began(phase))
		page_names_errors(out, test->plan, phase->measure);
	if (phase_is_metadata(phase->kind) && phase_began(phase))
		page_names_learned(out, phase);
	if (phase->kind == PHASE_TREE_CREATE && phase_began(phase))
		page_names_missing(out, phase->measure);
	if (phase->kind == PHASE_TREE_REMOVE && phase_has_numbers(phase))
		page_names_kept(out, phase->measure);
	if (phase->kind == PHASE_FIND && phase_has_numbers(phase))
		page_find_counts(out, test->plan, phase);
	if (phase->kind == PHASE_MIX && phase_has_numbers(phase))
		page_mix_kinds(out, test->plan, phase);
	say_failure(out, phase);
	page_verification(out, test, phase);
	if (phase_has_numbers(phase)) {
		say_define(out, phase);
		say_syncs(out, phase);
		say_depth(out, test, phase);
		say_stonewall(out, phase);
		say_cold(out, phase);
		say_within(page, out, test, phase);
		say_outliers(page, out, phase);
		page_slow(page, out, phase);
		page_in_effect(page, out, test, phase);
		say_more(page, out, phase);
	}
}
