/* The lines below the row of one phase of one repetition. */
#include "page/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "page/layout.h"
#include "record/phase_line.h"

void page_below(struct text *out, struct text *words)
{
	layout_words(out, "", PAGE_ROW_INDENT, words);
}

/* Adds the name of the node that a member is about, or its number. */
static void add_host(struct text *words, const json_t *member)
{
	if (line_has(member, "host"))
		text_add(words, "%s", line_text(member, "host"));
	else
		text_add(words, "node %" PRIu64, line_count(member, "node"));
}

void page_add_speed(const struct page *page, struct text *words, double bytes_per_s)
{
	const struct rate_unit *unit = &rate_units[page->unit];

	text_add(words, "%s %s", units_fit_number(bytes_per_s / unit->bytes, 6).text, unit->name);
}

static void add_from_to(const struct page *page, struct text *words, const json_t *line,
			const char *from, const char *to)
{
	const double unit = rate_units[page->unit].bytes;

	text_add(words, "%s to ", units_fit_number(line_number(line, from) / unit, 6).text);
	page_add_speed(page, words, line_number(line, to));
}

static void print_failure(struct text *out, const json_t *line)
{
	struct text words = {0};

	text_add(&words, "%s", line_text(line, "failure/message"));
	page_below(out, &words);
}

static void add_worst(struct text *words, const struct plan *plan, const json_t *line)
{
	const enum phase_kind kind = phase_line_kind(plan, line);
	const enum operation operation = phase_operation(kind);
	const json_t *worst = line_at(phase_line_times(line, operation), "worst");
	const double after = line_number(worst, "at_s");

	if (!worst)
		return;
	text_add(words, "%sslowest %s %s (task %" PRIu64 " on ", words->length ? "; " : "",
		 operation == OPERATION_MIXED ? "operation" : operation_name(operation),
		 units_show_ns(line_count(worst, "ns")).text, line_count(worst, "task"));
	add_host(words, worst);
	if (line_has(worst, "item"))
		text_add(words, ", item %" PRIu64, line_count(worst, "item"));
	if (line_has(worst, "offset_bytes"))
		text_add(words, ", offset %" PRIu64, line_count(worst, "offset_bytes"));
	text_add(words, ", after %s)",
		 units_show_ns(after > 0 ? (uint64_t)llround(after * 1e9) : 0).text);
}

/* With -v: how busy the tasks were, the slowest operation and the slowest task. */
static void print_busy(struct text *out, const struct plan *plan, const json_t *line)
{
	const json_t *slowest = json_array_get(line_at(line, "slow/tasks/slowest"), 0);
	struct text words = {0};

	if (line_has(line, "concurrency"))
		text_add(&words, "busy %.1f %%", 100 * line_number(line, "concurrency/busy_share"));
	add_worst(&words, plan, line);
	if (slowest && line_count(line, "slow/tasks/members") > 1) {
		text_add(&words, "%sslowest task %" PRIu64 " on ", words.length ? "; " : "",
			 line_count(slowest, "task"));
		add_host(&words, slowest);
		text_add(&words, ", %s x the others",
			 units_fit_number(line_number(slowest, "ratio"), 4).text);
	}
	page_below(out, &words);
}

/* Adds the largest change of level, which an interval of the whole would hide. */
static void add_change(const struct page *page, struct text *words, const json_t *run)
{
	const uint64_t changes = line_count(run, "level_changes");

	text_add(words, "the level changes ");
	if (changes > 1)
		text_add(words, "%" PRIu64 " times, most ", changes);
	text_add(words, "at %s s from ", units_fit_number(line_number(run, "change_s"), 4).text);
	add_from_to(page, words, run, "before_bytes_per_s", "after_bytes_per_s");
}

static void add_trend(const struct page *page, struct text *words, const json_t *run)
{
	const bool falls = line_number(run, "trend_end_bytes_per_s") <
			   line_number(run, "trend_begin_bytes_per_s");

	text_add(words, "the rate %s from ", falls ? "falls" : "rises");
	add_from_to(page, words, run, "trend_begin_bytes_per_s", "trend_end_bytes_per_s");
}

static void add_mean(const struct page *page, struct text *words, const json_t *run)
{
	const double unit = rate_units[page->unit].bytes;
	const double mean = line_number(run, "mean_bytes_per_s") / unit;
	const double half = line_number(run, "half_width_bytes_per_s") / unit;

	page_add_speed(page, words, mean * unit);
	text_add(words, " of transfers, 95 %% from %s to %s", units_fit_number(mean - half, 6).text,
		 units_fit_number(mean + half, 6).text);
	if (page->verbose)
		text_add(words, "; %" PRIu64 " slices of %s", line_count(run, "slices"),
			 units_show_seconds(line_number(run, "slice_seconds")).text);
}

/*
 * Appends the interval of the rate within the phase. With several repetitions this needs -v, as an
 * interval over repetitions is wider and says more.
 */
static void print_within(const struct page *page, struct text *out, const struct test *test,
			 const json_t *line)
{
	const json_t *run = line_at(line, "within_run");
	struct text words = {0};

	if (!json_is_object(run) || (!page->verbose && test_repetitions_most(test) > 1))
		return;
	text_add(&words, "within this run only: ");
	if (line_has(run, "change_s"))
		add_change(page, &words, run);
	else if (line_has(run, "trend_begin_bytes_per_s"))
		add_trend(page, &words, run);
	else if (line_has(run, "half_width_bytes_per_s"))
		add_mean(page, &words, run);
	else
		text_add(&words,
			 "interval not known, as the rate wanders: %" PRIu64 " slices say as "
			 "much as %.1f independent ones",
			 line_count(run, "slices"), line_number(run, "effective_slices"));
	page_below(out, &words);
}

static void phase_add_range(struct text *words, uint64_t least, uint64_t most)
{
	text_add(words, "%" PRIu64, least);
	if (most != least)
		text_add(words, " to %" PRIu64, most);
}

/* Where a phase of data, or one of metadata, says what the end of the time stopped. */
struct wall_paths {
	const char *wall, *least, *most, *unworn, *worn_least, *worn_most, *unit;
};

static void print_wall(const struct page *page, struct text *out, const json_t *line,
		       const struct wall_paths *paths)
{
	const json_t *wall = line_at(line, paths->wall);
	const uint64_t unworn = line_count(wall, paths->unworn);
	struct text words = {0};

	if (!json_is_object(wall))
		return;
	text_add(&words, "stonewalled after %s s: until then ",
		 units_fit_number(line_number(wall, "limit_s"), 6).text);
	if (line_has(wall, "bytes_per_s"))
		page_add_speed(page, &words, line_number(wall, "bytes_per_s"));
	else
		text_add(&words, "%s op/s",
			 units_fit_number(line_number(wall, "operations_per_s"), 7).text);
	text_add(&words, " in %s s, ", units_fit_number(line_number(wall, "time_s"), 6).text);
	phase_add_range(&words, line_count(wall, paths->least), line_count(wall, paths->most));
	text_add(&words, " %s a task", paths->unit);
	/* Phases of metadata always wear out. */
	if (!line_at(wall, "wear_out") || line_true(wall, "wear_out")) {
		text_add(&words, "; with wear-out, as above, ");
		phase_add_range(&words, line_count(line, paths->worn_least),
				line_count(line, paths->worn_most));
	}
	if (unworn) {
		text_add(&words, "; wear_out_limit ended ");
		page_count(&words, unworn, "task");
		text_add(&words, " before");
	}
	page_below(out, &words);
}

/* Appends the bytes moved when the time was up. With wear-out the row has the bytes of the end. */
static void print_stonewall(const struct page *page, struct text *out, const json_t *line)
{
	static const struct wall_paths data = {
		.wall = "stonewall",
		.least = "least_transfers",
		.most = "most_transfers",
		.unworn = "tasks_short_of_wear_out",
		.worn_least = "data/least_task_transfers",
		.worn_most = "data/most_task_transfers",
		.unit = "transfers",
	};
	static const struct wall_paths metadata = {
		.wall = "metadata/stonewall",
		.least = "least_task_operations",
		.most = "most_task_operations",
		.unworn = "tasks_short_of_wear_out",
		.worn_least = "metadata/least_task_operations",
		.worn_most = "metadata/most_task_operations",
		.unit = "items",
	};

	print_wall(page, out, line, &data);
	print_wall(page, out, line, &metadata);
}

/* "task 3 on node01: transfer 2.100 s, mean 0.500 s" */
static void add_outlier(struct text *words, const json_t *outliers, const json_t *task,
			bool metadata)
{
	const char *step = line_text(task, "step");
	const bool names = metadata && !strcmp(step, task_step_name(STEP_TRANSFER));

	text_add(words, "task %" PRIu64 " on ", line_count(task, "task"));
	add_host(words, task);
	text_add(words, ": %s %.3f s, mean %.3f s", names ? "operations" : step,
		 line_number(task, "time_s"), line_number(line_at(outliers, "means_s"), step));
}

static void print_outliers(struct text *out, const struct plan *plan, const json_t *line)
{
	const json_t *outliers = line_at(line, "outliers"), *named = line_at(outliers, "named");
	const uint64_t count = line_count(outliers, "tasks");
	const bool metadata = !phase_moves_data(phase_line_kind(plan, line));
	struct text words = {0};

	if (!count)
		return;
	text_add(&words, "more than %g s from the mean: ", line_number(outliers, "threshold_s"));
	for (size_t i = 0; i < json_array_size(named); i++) {
		text_add(&words, "%s", i ? "; " : "");
		add_outlier(&words, outliers, json_array_get(named, i), metadata);
	}
	if (count > json_array_size(named))
		text_add(&words, "; and %" PRIu64 " more", count - json_array_size(named));
	page_below(out, &words);
}

static void print_stop(struct text *out, const json_t *line)
{
	struct text words = {0};

	if (!phase_line_is(line, "stopped") || !phase_line_has_numbers(line))
		return;
	text_add(&words, "STOPPED%s%s; the numbers cover what was done until then",
		 line_has(line, "stop") ? " " : "", page_after_stopped(line));
	page_below(out, &words);
}

/* Appends how many transfers the files have, if these are fewer than the plan's. */
static void print_held(struct text *out, const struct plan *plan, const json_t *line)
{
	const bool repeats = line_has(line, "data/drawn_from_transfers");
	const uint64_t held = line_count(line, repeats ? "data/drawn_from_transfers"
						       : "data/taken_from_transfers");
	const uint64_t transfer = plan->geometry.transfer;
	struct text words = {0};

	if (!held || held == plan->file_size / transfer)
		return;
	text_add(&words, repeats ? "drawn from " : "taken from ");
	page_count(&words, held, "transfer");
	text_add(&words, " of %s, as %s %s", units_show_bytes(transfer).text,
		 plan->geometry.shared && !plan->test->multi_file ? "the file has"
								  : "the shortest file has",
		 units_show_bytes(held * transfer).text);
	page_below(out, &words);
}

static void print_measured(const struct page *page, struct text *out, const struct test_head *test,
			   const json_t *line)
{
	print_held(out, test->plan, line);
	print_stonewall(page, out, line);
	print_within(page, out, test->plan->test, line);
	print_outliers(out, test->plan, line);
	page_in_effect(out, test, line);
	if (page->verbose)
		print_busy(out, test->plan, line);
}

void page_keep_phase(const struct page *page, const struct test_head *test, const json_t *line)
{
	/* No summary has the numbers of a warm-up, so its verdicts say nothing of the result. */
	if (!line_true(line, "warmup"))
		page_keep(page->kept, phase_line_kind(test->plan, line), test->number,
			  line_count(line, "repetition"), line);
}

void page_phase(struct page *page, struct text *out, const struct test_head *test,
		const json_t *line)
{
	const struct plan *plan = test->plan;
	const struct phase_plan *phase = phase_line_plan(plan, line);
	const bool has_numbers = phase_line_has_numbers(line);

	page_keep_phase(page, test, line);
	if (plan_is_layout(plan, phase) && has_numbers && phase_line_is(line, "complete")) {
		page_load_layout(page, out, plan, line);
		return;
	}
	page_row(page, out, plan, line);
	print_stop(out, line);
	if (phase_is_metadata(phase->kind) && phase_line_began(line))
		page_metadata(out, plan, line);
	if (phase->kind == PHASE_LOAD && has_numbers)
		page_load(page, out, plan, line);
	print_failure(out, line);
	page_verification(out, plan, line);
	if (has_numbers)
		print_measured(page, out, test, line);
}
