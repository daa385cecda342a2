/* The text of a load test: its settings, the layout of its files, and what lies below its row. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "page/anonymize.h"
#include "page/page.h"
#include "page/table.h"
#include "plan/load.h"
#include "plan/load_paths.h"
#include "plan/replay.h"
#include "record/phase_line.h"
#include "result/goals.h"

static void load_add_files(struct text *words, const struct plan *plan)
{
	static const char *const owners[] = {
		[LOAD_SCOPE_TASK] = "for each task",
		[LOAD_SCOPE_NODE] = "for each node",
		[LOAD_SCOPE_TEST] = "for all tasks",
	};
	char name[PLAN_PATH_SIZE];

	if (load_paths_are_numbered(plan)) {
		plan_path(plan, 0, 0, 0, name);
		text_add(words, "%s etc.", name);
	}
	for (uint32_t i = 0; i < plan->path_count && !load_paths_are_numbered(plan); i++) {
		text_add(words, "%s", i ? " and " : "");
		load_paths_add_name(plan, i, words);
	}
	text_add(words, ", ");
	page_count(words, plan->own_files, "file");
	text_add(words, " of %s%s %s",
		 units_show_bytes(plan->trace ? plan_own_bytes(plan) : plan->file_size).text,
		 plan->trace && plan->own_files > 1 ? " together" : "", owners[plan->file_scope]);
	if (plan->path_count > 1 && plan->files > plan->path_count)
		text_add(words, ", dealt to the %" PRIu32 " paths in turn", plan->path_count);
}

static void add_items(struct text *words, const struct plan *plan)
{
	const struct load_item_limits *items = &plan->pattern.items;

	page_count(words, items->files.start, "file");
	text_add(words, " of %s", units_show_bytes(items->bytes).text);
	if (items->directories.start) {
		text_add(words, " and ");
		text_add(words, "%" PRIu64 " directories", items->directories.start);
	}
	text_add(words, " of each task in %s, removed after the load", plan->names->metadata->dir);
}

void page_load_files(struct text *words, const struct plan *plan)
{
	if (load_pattern_moves_data(&plan->pattern))
		load_add_files(words, plan);
	if (plan->names)
		text_add(words, "%s%s", words->length ? ", and " : "", plan->names->metadata->dir);
}

static void add_sizes(struct text *words, const struct sizes *sizes)
{
	for (unsigned i = 0; i < sizes->count; i++) {
		text_add(words, "%s%s", i ? ", " : "", units_show_bytes(sizes->bytes[i]).text);
		if (sizes->count > 1)
			text_add(words, " %.3g %%", 100 * deck_share(&sizes->deck, i));
	}
}

static void add_operations(struct text *words, const struct plan *plan)
{
	const struct load_pattern *pattern = &plan->pattern;
	const struct load *load = plan->load;
	const char *between = "";

	for (enum load_kind kind = 0; kind < LOAD_KINDS; kind++) {
		if (!plan_load_has(pattern, kind))
			continue;
		text_add(words, "%s%s %.3g %%", between, load_kind_names[kind],
			 100 * deck_share(&pattern->operations, kind));
		between = ", ";
		if (load_kind_is_on_items(kind))
			continue;
		text_add(words, " in ");
		add_sizes(words, &pattern->sizes[kind]);
	}
	if (!load_pattern_moves_data(pattern))
		return;
	if (load->sync != WRITE_SYNC_NONE)
		text_add(words, ", each write with %s",
			 load->sync == WRITE_SYNC_DATA ? "O_DSYNC" : "O_SYNC");
	if (load->lock != LOAD_LOCK_NONE)
		text_add(words, ", under %s locks",
			 load->lock == LOAD_LOCK_SHARED	     ? "shared"
			 : load->lock == LOAD_LOCK_EXCLUSIVE ? "exclusive"
							     : "shared and exclusive");
	if (pattern->stride)
		text_add(words, ", skipping %s", units_show_bytes(pattern->stride).text);
	if (pattern->splits_random)
		text_add(words, ", %.3g %% of reads and %.3g %% of writes random, %s",
			 100 * deck_share(&pattern->random, 1),
			 100 * deck_share(&pattern->write_random, 1),
			 distribution_name(pattern->distribution.kind));
	else if (deck_share(&pattern->random, 1) > 0)
		text_add(words, ", %.3g %% random, %s", 100 * deck_share(&pattern->random, 1),
			 distribution_name(pattern->distribution.kind));
	else
		text_add(words, ", sequential");
}

static void add_region(struct text *words, const struct plan *plan)
{
	const struct load *load = plan->load;

	if (load->region_offset || load->region_size || load->region_step)
		text_add(words, "; %s of each file from %s on",
			 units_show_bytes(plan->pattern.file_bytes).text,
			 units_show_bytes(load->region_offset).text);
	if (load->region_step)
		text_add(words, ", each task %s behind the one before",
			 units_show_bytes(load->region_step).text);
	if (load->whole_files)
		text_add(words, "; each task visits whole files");
}

static void add_pace(struct text *words, const struct plan *plan)
{
	const struct arrival *arrival = &plan->pattern.arrival;
	const struct load *load = plan->load;

	if (plan->trace) {
		page_trace_pace(words, plan);
	} else if (plan->awaits_rate) {
		text_add(words, "a rate that earlier points of the curve decide, %s arrivals",
			 arrival_names[arrival->kind]);
	} else if (plan_load_is_paced(&plan->pattern)) {
		text_add(words, "%s operations/s of all tasks, %s arrivals",
			 table_short(arrival->rate).text, arrival_names[arrival->kind]);
		if (load->byte_rate) {
			text_add(words, "; byte_rate ");
			units_add_speed(words, (double)load->byte_rate);
		}
	} else {
		text_add(words, "a closed loop, as fast as possible");
		if (load->think_time > 0)
			text_add(words, ", with pauses of %g s", load->think_time);
		if (load->burst_pause > 0)
			text_add(words, ", with %g s after each %" PRIu64 " operations",
				 load->burst_pause, load->burst);
	}
	if (plan->queue_depth > 1)
		text_add(words, ", up to %" PRIu64 " of a task in flight%s", plan->queue_depth,
			 plan->pattern.files_given ? ", equally many in each file" : "");
}

static void add_end(struct text *words, const struct plan *plan)
{
	const struct load *load = plan->load;

	if (load->warmup_time > 0)
		text_add(words, "%g s of warm-up, then ", load->warmup_time);
	if (plan->load_seconds > 0)
		text_add(words, "%g s measured", plan->load_seconds);
	else
		text_add(words, load->beside ? "measured beside each phase of the other tests"
					     : "measured to the end");
	if (load->operation_limit)
		text_add(words, ", at most %" PRIu64 " operations of a task",
			 load->operation_limit);
	if (load->byte_limit)
		text_add(words, ", at most %s of a task", units_show_bytes(load->byte_limit).text);
	if (load->passes)
		text_add(words, ", at most %" PRIu64 " pass%s over the file%s", load->passes,
			 load->passes == 1 ? "" : "es", plan->own_files == 1 ? "" : "s");
	if (load->steady)
		text_add(words, ", or until steady (%s over %g s)", load->steady,
			 load->steady_window);
	if (load->cooldown > 0)
		text_add(words, ", then %g s of cool-down", load->cooldown);
}

static bool has_default_size(const struct test_spec *spec)
{
	const struct option *row = option_find(&load_options, "file_size");

	return !load_of(spec)->trace && option_origin(&spec->load, row).kind == ORIGIN_DEFAULT;
}

void page_add_load(struct text *words, const struct test_result *test)
{
	const struct plan *plan = test->plan;

	if (load_pattern_moves_data(&plan->pattern)) {
		page_next(words);
		load_add_files(words, plan);
		text_add(words, "%s", has_default_size(test->spec) ? " (default file_size)" : "");
	}
	if (plan->names) {
		page_next(words);
		add_items(words, plan);
	}
	page_next(words);
	(plan->trace ? page_trace : add_operations)(words, plan);
	add_region(words, plan);
	page_next(words);
	add_pace(words, plan);
	page_next(words);
	add_end(words, plan);
}

void page_load_layout(const struct page *page, struct text *out, const struct plan *plan,
		      const json_t *line)
{
	const struct units_text seconds =
		units_show_seconds(line_number(line, "intervals/total_s"));
	struct text words = {0};

	page_count(&words, plan->files, "file");
	if (plan_load_allocates(plan)) {
		text_add(&words, " allocated: %s in %s; blocks hold no data until they are written",
			 units_show_bytes(plan->bytes).text, seconds.text);
	} else {
		text_add(&words, " laid out: %s in %s, ",
			 units_show_bytes(line_count(line, "data/bytes")).text, seconds.text);
		page_add_speed(page, &words, line_number(line, "rates/total_bytes_per_s"));
	}
	page_below(out, &words);
}

static void add_bytes(const struct page *page, struct text *words, const json_t *line,
		      enum operation operation)
{
	if (!line_count(phase_line_times(line, operation), "bytes"))
		return;
	text_add(words, "%s%s ", words->length ? ", " : "", operation_name(operation));
	page_add_speed(page, words, phase_line_part_bytes(line, operation));
}

/* Where the line says what a load asked for, and what it achieved. */
enum { ASKED, ACHIEVED, GOAL_VALUES };

static const char *const rate_paths[GOAL_VALUES] = {"load/asked_operations_per_s",
						    "rates/total_operations_per_s"};
static const char *const share_paths[GOAL_VALUES] = {"load/asked_shares", "load/achieved_shares"};
static const char *const size_paths[LOAD_KINDS][GOAL_VALUES] = {
	[LOAD_READ] = {"load/asked_sizes/read_bytes", "load/achieved_sizes/read_bytes"},
	[LOAD_WRITE] = {"load/asked_sizes/write_bytes", "load/achieved_sizes/write_bytes"},
};

static void add_goals(struct text *words, const struct plan *plan, const json_t *line,
		      unsigned which, double depth)
{
	const json_t *shares = line_at(line, share_paths[which]);
	const char *between = "";

	if (plan_load_is_paced(&plan->pattern)) {
		text_add(words, "%s op/s",
			 units_fit_number(line_number(line, rate_paths[which]), 6).text);
		between = ", ";
	}
	for (enum load_kind kind = 0; kind < LOAD_KINDS; kind++) {
		const char *size = size_paths[kind][which], *name = load_kind_names[kind];

		if (!plan_load_has(&plan->pattern, kind))
			continue;
		text_add(words, "%s%s %.4g %%", between, name, 100 * line_number(shares, name));
		between = ", ";
		if (size)
			text_add(words, " of %s",
				 units_show_bytes((uint64_t)(line_number(line, size) + 0.5)).text);
	}
	if (goals_have_depth(plan))
		text_add(words, ", %.4g in flight of a task", depth);
}

/* "by time", or with different ends "by passes (3 tasks) and operation_limit (1 task)" */
static void add_ends(struct text *words, const json_t *line)
{
	const uint64_t measured = line_count(line, "tasks/measured");
	const char *before = "by ", *key;
	json_t *tasks;

	json_object_foreach(line_at(line, "load/ended_by"), key, tasks)
	{
		const uint64_t count = (uint64_t)json_integer_value(tasks);

		if (!count)
			continue;
		text_add(words, "%s%s", before,
			 strcmp(key, "beside") ? key : "the phase it ran beside");
		before = " and ";
		if (count == measured)
			continue;
		text_add(words, " (");
		page_count(words, count, "task");
		text_add(words, ")");
	}
}

/* True if the achieved value is within 5 % of the one asked for, or none was. */
static bool load_is_met(const json_t *line, const char *const paths[GOAL_VALUES])
{
	const double asked = paths[ASKED] ? line_number(line, paths[ASKED]) : 0;

	return !(asked > 0) || fabs(line_number(line, paths[ACHIEVED]) - asked) <= 0.05 * asked;
}

static bool met_goals(const struct plan *plan, const json_t *line, double depth)
{
	bool met = load_is_met(line, rate_paths) &&
		   !(goals_have_depth(plan) && depth < 0.95 * (double)plan->queue_depth);

	for (enum load_kind kind = 0; kind < LOAD_KINDS; kind++) {
		const char *name = load_kind_names[kind];

		if (!plan_load_has(&plan->pattern, kind))
			continue;
		met &= load_is_met(line, size_paths[kind]) &&
		       fabs(line_number(line_at(line, share_paths[ACHIEVED]), name) -
			    line_number(line_at(line, share_paths[ASKED]), name)) <= 0.05;
	}
	return met;
}

/*
 * The rates of bytes, the goals of a load beside the values achieved where these differ, and the
 * limit that ended it.
 */
static void print_goals(const struct page *page, struct text *out, const struct plan *plan,
			const json_t *line)
{
	const double depth = line_number(line, "load/queue/mean_depth_by_time");
	struct text words = {0};

	add_bytes(page, &words, line, OPERATION_READ);
	add_bytes(page, &words, line, OPERATION_WRITE);
	text_add(&words, "%s", words.length ? "; " : "");
	if (!replay_plays_part(plan) && (page->verbose || !met_goals(plan, line, depth))) {
		text_add(&words, "asked ");
		add_goals(&words, plan, line, ASKED, (double)plan->queue_depth);
		text_add(&words, "; achieved ");
		add_goals(&words, plan, line, ACHIEVED, depth);
		text_add(&words, "; ");
	}
	text_add(&words, "ended ");
	add_ends(&words, line);
	page_below(out, &words);
}

static void print_steady(struct text *out, const struct plan *plan, const json_t *line)
{
	const json_t *steady = line_at(line, "load/steady");
	struct text words = {0};

	if (!json_is_object(steady))
		return;
	if (line_true(steady, "reached"))
		text_add(&words, "steady after %s",
			 units_show_seconds(line_number(steady, "after_s")).text);
	else
		text_add(&words, "not steady");
	text_add(&words, " (%s): ", plan->load->steady);
	if (line_has(steady, "mean_operations_per_s"))
		text_add(&words, "%s op/s in the last %g s, range %.3g %%, slope %+.3g %%",
			 units_fit_number(line_number(steady, "mean_operations_per_s"), 6).text,
			 plan->load->steady_window, 100 * line_number(steady, "range_share"),
			 100 * line_number(steady, "slope_share"));
	else
		text_add(&words, "the load was shorter than the window of %g s",
			 plan->load->steady_window);
	page_below(out, &words);
}

/* "issued late: p50 57 us, p99 130 us, max 3 ms; drift +1.2 us/s" */
static void print_lateness(const struct page *page, struct text *out, const struct plan *plan,
			   const json_t *line)
{
	static const char *const shown[] = {"p50", "p99"};
	const json_t *times = phase_line_times(line, OPERATION_LATENESS);
	const double drift = line_number(line, "load/late_drift_ns_per_s");
	struct text words = {0};

	if (!times || !(plan->trace || page->verbose))
		return;
	text_add(&words, "issued late: ");
	for (unsigned i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		const double ns = phase_line_percentile(times, shown[i]);

		if (ns > 0)
			text_add(&words, "%s %s, ", shown[i], units_show_ns((uint64_t)ns).text);
	}
	text_add(&words, "max %s", units_show_ns(line_count(times, "max_ns")).text);
	if (line_has(line, "load/late_drift_ns_per_s"))
		text_add(&words, "; drift %c%s/s", drift < 0 ? '-' : '+',
			 units_show_ns((uint64_t)fabs(drift)).text);
	page_below(out, &words);
}

static void print_missed(struct text *out, const json_t *line)
{
	const uint64_t skipped = line_count(line, "load/skipped");
	const uint64_t unfinished = line_count(line, "load/unfinished");
	struct text words = {0};

	if (skipped) {
		page_count(&words, skipped, "operation");
		text_add(&words, " skipped, late (on_late=skip)");
	}
	if (unfinished) {
		text_add(&words, "%s", words.length ? "; " : "");
		page_count(&words, unfinished, "operation");
		text_add(&words,
			 " due and not issued before the end, the oldest for %s; they are in the "
			 "response times with that age",
			 units_show_ns(line_count(line, "load/oldest_unfinished_ns")).text);
	}
	page_below(out, &words);
}

/* Appends, below the first repetition, that the load used files that were there. */
static void print_found(const struct page *page, struct text *out, const struct plan *plan,
			const json_t *line)
{
	struct text words = {0};

	if (!line_true(line, "load/files_found") || line_count(line, "repetition"))
		return;
	if (plan_load_uses_found(plan))
		text_add(&words, "used as %s: %s (%s%s)", plan->files == 1 ? "it is" : "they are",
			 plan->test->test_file,
			 units_show_bytes(plan->trace ? plan_own_bytes(plan)
						      : plan->pattern.file_bytes)
				 .text,
			 plan->files == 1 || plan->trace ? "" : " of each file");
	else
		text_add(&words, "files that an earlier test laid out were used again");
	anonymize_text(page->anonymizer, &words);
	page_below(out, &words);
}

void page_load(const struct page *page, struct text *out, const struct plan *plan,
	       const json_t *line)
{
	struct text words = {0};

	if (line_has(line, "load/beside"))
		text_add(&words, "beside %s", line_text(line, "load/beside"));
	page_below(out, &words);
	print_found(page, out, plan, line);
	page_row_parts(out, plan, line);
	print_goals(page, out, plan, line);
	print_lateness(page, out, plan, line);
	print_steady(out, plan, line);
	if (plan->names)
		page_errors(out, plan, line_at(line, "load"));
	print_missed(out, line);
}

void page_load_end(struct text *out, const struct plan *plan)
{
	struct text words = {0};

	page_count(&words, plan->files, "file");
	if (!plan->trace)
		text_add(&words, " of %s", units_show_bytes(plan->file_size).text);
	if (plan->files > 1 || plan->trace)
		text_add(&words, ", %s in all,", units_show_bytes(plan->space_bytes).text);
	text_add(&words, " stay%s for the next load", plan->files == 1 ? "s" : "");
	page_field(out, "left", &words);
}
