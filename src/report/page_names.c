/* The text of metadata tests: the tree, rows of operations per second, what failed. */
#include "report/page_names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/layout.h"
#include "report/page_find.h"
#include "report/page_mix.h"

static void add_directories(struct text *words, const struct plan *plan)
{
	char path[PLAN_PATH_SIZE];

	for (uint32_t i = 0; i < plan->path_count; i++) {
		plan_base(plan, i, path);
		text_add(words, "%s%s", i ? " and " : "", path);
	}
	if (plan->path_count > 1)
		text_add(words, ", taken by the tasks in turn");
}

static void add_tree(struct text *words, const struct plan *plan)
{
	const struct tree *tree = &plan->tree;

	text_add(words, "%s of %" PRIu64 " director%s",
		 plan->metadata->unique_dir ? "a tree for each task" : "one tree for all tasks",
		 tree->directories, tree->directories == 1 ? "y" : "ies");
	if (tree->directories > 1)
		text_add(words, ", %" PRIu64 " level%s deep, branching by %" PRIu64,
			 plan->metadata->depth, plan->metadata->depth == 1 ? "" : "s", tree->branch);
	if (tree->trees > 1)
		text_add(words, "; %" PRIu64 " times, each in a test directory of its own", tree->trees);
}

/* Of one tree with more room than there are items. */
static void add_first_directories(struct text *words, const struct tree *tree, const char *of)
{
	const char *deepest = tree->first ? " deepest" : "";
	uint64_t full = tree->items / tree->per_directory, rest = tree->items % tree->per_directory;

	if (full)
		text_add(words, "%" PRIu64 "%s in each of the first %" PRIu64, tree->per_directory, of, full);
	if (rest)
		text_add(words, full ? ", %" PRIu64 "%s in the next" : "%" PRIu64 "%s in the first", rest,
			 full ? "" : of);
	text_add(words, " of the %" PRIu64 "%s directories", tree->holders, deepest);
}

/* In which directories; of: " of a task", or nothing. */
static void add_spread(struct text *words, const struct tree *tree, const char *of)
{
	const char *deepest = tree->first ? " deepest" : "";

	if (tree->holders == 1) {
		text_add(words, "%" PRIu64 "%s in the directory",
			 tree->items < tree->per_directory ? tree->items : tree->per_directory, of);
	} else if (tree->items < tree->per_tree) {
		add_first_directories(words, tree, of);
		return;
	} else if (!tree->per_directory) {
		text_add(words, "one%s in each of the first %" PRIu64 " of the %" PRIu64 "%s directories", of,
			 tree->extra, tree->holders, deepest);
	} else {
		text_add(words, "%" PRIu64 "%s in each of the %" PRIu64 "%s directories", tree->per_directory,
			 of, tree->holders, deepest);
	}
	if (tree->extra && tree->per_directory)
		text_add(words, ", one more in the first %" PRIu64, tree->extra);
	if (tree->trees > 1 && tree->items % tree->per_tree)
		text_add(words, "; the last tree holds %" PRIu64, tree->items % tree->per_tree);
}

/* How many there are, and what was done that the numbers were exact. */
static void add_items(struct text *words, const struct plan *plan)
{
	const struct tree *tree = &plan->tree;

	if (plan->metadata->shared_file)
		text_add(words, "%" PRIu64 " for all tasks together; ", plan->files);
	else if (plan->full_tasks < plan->map.tasks)
		text_add(words, "%" PRIu64 " of each of the first %" PRIu32 " task%s, %" PRIu64 " of the others, "
				"%" PRIu64 " in all; ",
			 tree->items, plan->full_tasks, plan->full_tasks == 1 ? "" : "s", tree->items - 1,
			 plan->files);
	else
		text_add(words, "%" PRIu64 " of each task, %" PRIu64 " in all; ", tree->items, plan->files);
	add_spread(words, tree, plan->metadata->shared_file ? "" : " of a task");
}

/* And what goes one at a time nevertheless. */
static void add_queue(struct text *words, const struct plan *plan)
{
	unsigned count = 0;

	if (plan->queue_depth == 1)
		return;
	text_add(words, "; up to %" PRIu64 " of a task in flight", plan->queue_depth);
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (plan->phases[i].queue_depth == 1)
			text_add(words, "%s%s", count++ ? ", " : "; one at a time: ",
				 phase_name(plan->phases[i].kind));
}

static bool makes_files(const struct plan *plan)
{
	return !plan->metadata->directories_only &&
	       (plan->metadata->create || plan->mix.shares[MIX_CREATE] > 0);
}

static void add_making(struct text *words, const struct plan *plan)
{
	const struct metadata *test = plan->metadata;

	if (makes_files(plan) && test->write_bytes)
		text_add(words, "; %" PRIu64 " bytes are written to each file", test->write_bytes);
	if (makes_files(plan) && test->fsync)
		text_add(words, "; an fsync before each close");
	if (makes_files(plan) && test->mknod)
		text_add(words, "; files are made by mknod");
	if (test->create && test->collective_create)
		text_add(words, "; task 0 creates everything");
}

static void add_names(struct text *words, const struct plan *plan)
{
	const struct metadata *test = plan->metadata;

	if (test->names == NAMES_RELATIVE)
		text_add(words, "relative to their directory, which is held open; trees, lists "
				"and finds by whole paths");
	else
		text_add(words, "whole paths");
	add_queue(words, plan);
	add_making(words, plan);
	if (test->read_bytes && !test->directories_only)
		text_add(words, "; %" PRIu64 " bytes are read%s", test->read_bytes,
			 test->verify_read ? " and compared" : "");
	if (test->shared_file)
		text_add(words, "; all tasks have to do with the same files, which task 0 makes");
	if (test->names == NAMES_RELATIVE && test->time_unique_dir)
		text_add(words, "; opening directories is timed");
	if (test->sync_phases)
		text_add(words, "; a sync after each phase, inside its time");
	if (test->random)
		text_add(words, "; %s in random order, seed %" PRId64,
			 test->random > 1 ? "stat, read and remove" : "stat", test->random_seed);
}

/* Whether some phase goes so far with the items; files of all tasks are whoever's. */
static bool has_stride(const struct plan *plan, unsigned stride)
{
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (phase_stride(plan->phases[i].kind) == stride)
			return !plan->metadata->shared_file;
	return false;
}

static void add_shift(struct text *words, const struct reader_map *shift, const struct plan *plan)
{
	const char *order = " in the order of nodes";

	if (shift->order == READERS_SELF || !(shift->shift || shift->order == READERS_MIRRORED))
		text_add(words, "its own");
	else if (shift->order == READERS_MIRRORED)
		text_add(words, "what task %" PRIu32 " - p%s made", shift->shift, order);
	else
		text_add(words, "what task p + %" PRIu32 "%s made", shift->shift,
			 shift->order == READERS_BY_NODE ? order : "");
	if (plan->map.nodes > 1)
		text_add(words, " (%" PRIu32 " of %" PRIu32 " on their own node)", shift->same_node,
			 plan->map.tasks);
}

/* Nothing where no phase goes on to the items of others. */
static void add_stride(struct text *words, const struct plan *plan)
{
	const bool only_mix = plan->metadata->mix && !plan->metadata->stat;
	const char *const names[STRIDES] = {NULL, !plan->metadata->mix ? "stat" : only_mix ? "mix" : "stat and mix",
					    "read", "remove"};
	struct text shifts = {0};

	for (unsigned i = 1; i < STRIDES; i++) {
		if (!has_stride(plan, i))
			continue;
		text_add(&shifts, "%s%s ", shifts.length ? ", " : "", names[i]);
		add_shift(&shifts, &plan->shifts[i], plan);
	}
	if (shifts.length && plan->metadata->stride >= plan->map.tasks)
		text_add(words, "%" PRIu64 " goes round the %" PRIu32 " tasks: ", plan->metadata->stride,
			 plan->map.tasks);
	text_add(words, "%s", text_string(&shifts));
	text_release(&shifts);
}

/* Which of the items, and until when they are made. */
static void add_limits(struct text *words, const struct plan *plan)
{
	const struct test *test = plan->test;
	const bool counts = test->status_file && *test->status_file;

	if (plan->metadata->create && test->stonewall > 0)
		text_add(words, "; creates go on to the most that any task had made after %g s",
			 test->stonewall);
	if (plan->metadata->create && counts)
		text_add(words, "; %s keeps how many each task has made", test->status_file);
	else if (counts)
		text_add(words, "; of these as many as %s says", test->status_file);
}

static void add_pause(struct text *out, const struct plan *plan)
{
	struct text words = {0};

	if (plan->metadata->pre_delay > 0) {
		text_add(&words, "%g s before each repetition", plan->metadata->pre_delay);
		page_field(out, "pause", &words);
	}
	text_release(&words);
}

void page_names_settings(struct text *out, const struct test_result *test)
{
	const struct plan *plan = test->plan;
	struct text words = {0};

	add_directories(&words, plan);
	page_field(out, "in", &words);
	text_clear(&words);
	if (metadata_only_finds(plan->metadata)) {
		page_find_settings(out, plan);
		text_release(&words);
		return;
	}
	add_tree(&words, plan);
	page_field(out, "tree", &words);
	text_clear(&words);
	add_items(&words, plan);
	add_limits(&words, plan);
	page_field(out, "items", &words);
	text_clear(&words);
	add_names(&words, plan);
	page_field(out, "names", &words);
	text_clear(&words);
	add_pause(out, plan);
	if (plan->metadata->stride && plan->map.tasks > 1) {
		add_stride(&words, plan);
		if (words.length)
			page_field(out, "stride", &words);
	}
	if (plan->metadata->find)
		page_find_settings(out, plan);
	if (plan->metadata->mix)
		page_mix_settings(out, plan);
	text_release(&words);
}

#define ROW " %8s %6s %6s %6s %6s %8s %8s %6s"

void page_names_head(struct text *out, bool explained)
{
	char line[128];

	if (!explained) {
		layout_paragraph(out, "", 0,
				 "op/s are operations that succeeded / time from the first task's "
				 "start to the last one's end; p50, p99, p99.9 and max are of one "
				 "operation. What failed is counted and in none of these.");
		text_add(out, "\n");
	}
	snprintf(line, sizeof(line), "%-12s%3s" ROW, "phase", "rep", "op/s", "p50", "p99", "p99.9",
		 "max", "total", "done", "failed");
	layout_line(out, line);
}

static const char *count(uint64_t value, unsigned width, char *buffer)
{
	if (snprintf(buffer, NUMBER_SIZE, "%" PRIu64, value) > (int)width)
		return layout_number((double)value, width, buffer);
	return buffer;
}

/* "n<368" where there are too few. */
static const char *percentile(uint64_t operations, uint64_t ns, double q, char *buffer)
{
	if (ns)
		return layout_ns(ns, buffer);
	if (!operations)
		return strcpy(buffer, "-");
	snprintf(buffer, NUMBER_SIZE, "n<%" PRIu64, histogram_needed(q));
	return buffer;
}

void page_names_form(struct text *words, const struct plan *plan, const struct phase_result *phase)
{
	if (phase->queue_depth > 1)
		text_add(words, "queued %" PRIu64 " by %s", phase->queue_depth, plan->backend->name);
	else
		text_add(words, "one at a time");
	text_add(words, plan_gives_relative(plan, phase->kind) ? ", relative names" : ", whole paths");
}

void page_names_learned(struct text *out, const struct phase_result *phase)
{
	struct text words = {0};

	if (!phase->learned)
		return;
	text_add(&words, "seed %" PRIu64 " learned from the data", phase->data_seed);
	page_below(out, &words);
	text_release(&words);
}

void page_names_row(struct text *row, const struct phase_result *phase)
{
	uint64_t operations = phase->operations;
	char cells[8][NUMBER_SIZE];

	text_add(row, ROW, layout_whole(phase->total_rate, 8, cells[0]),
		 percentile(operations, phase->p50_ns, 0.5, cells[1]),
		 percentile(operations, phase->p99_ns, 0.99, cells[2]),
		 percentile(operations, phase->p999_ns, 0.999, cells[3]),
		 percentile(operations, phase->max_ns, 1e-9, cells[4]),
		 layout_seconds(phase->seconds.total, cells[5]),
		 count(phase->kind == PHASE_FIND ? phase->measure->entries : operations, 8, cells[6]),
		 count(phase->failed_operations, 6, cells[7]));
}

void page_names_kind(struct text *out, const char *name, const struct histogram *histogram,
		     double seconds)
{
	uint64_t operations = histogram->count;
	char cells[6][NUMBER_SIZE];
	struct text row = {0};

	text_add(&row, "  %-13s" ROW, name,
		 layout_whole(seconds > 0 ? (double)operations / seconds : 0, 8, cells[0]),
		 percentile(operations, histogram_known_percentile(histogram, 0.5), 0.5, cells[1]),
		 percentile(operations, histogram_known_percentile(histogram, 0.99), 0.99, cells[2]),
		 percentile(operations, histogram_known_percentile(histogram, 0.999), 0.999, cells[3]),
		 percentile(operations, operations ? histogram->max_ns : 0, 1e-9, cells[4]), "",
		 count(operations, 8, cells[5]), "");
	while (row.length && row.bytes[row.length - 1] == ' ')
		row.bytes[--row.length] = '\0';
	layout_line(out, text_string(&row));
	text_release(&row);
}

/* Who ended its phase early, and what it did not come to. */
static void add_left(struct text *words, const struct measure *measure, uint64_t max_errors)
{
	if (measure->full_tasks) {
		text_add(words, "; ");
		page_count(words, measure->full_tasks, "task");
		text_add(words, " ended there");
	}
	if (measure->left_tasks) {
		text_add(words, "; ");
		page_count(words, measure->left_tasks, "task");
		text_add(words, " left after max_errors=%" PRIu64 " failures%s", max_errors,
			 measure->left_tasks > 1 ? " each" : "");
	}
	if (measure->untried_operations)
		text_add(words, "%s%" PRIu64 " not tried", words->length ? ", " : "",
			 measure->untried_operations);
}

void page_names_errors(struct text *out, const struct plan *plan, const struct measure *measure)
{
	struct text words = {0};

	for (unsigned code = 0; code < ERRNOS; code++)
		if (measure->errors[code])
			text_add(&words, "%s%" PRIu64 " failed: %s", words.length ? "; " : "",
				 measure->errors[code], code ? strerror((int)code)
				      : "no errno: short, not what was written, or refused by the library; "
					"the error says what the first one was");
	add_left(&words, measure, plan->metadata->max_errors);
	page_below(out, &words);
	text_release(&words);
}

void page_names_missing(struct text *out, const struct measure *measure)
{
	const struct some_directories *made = &measure->targets_made;
	struct text words = {0};

	if (!made->count)
		return;
	if (made->count == 1)
		text_add(&words, "%s was not there and was made; it stays at the end", made->first);
	else
		text_add(&words, "%" PRIu64 " directories on the way to the trees were not there and were made, "
				 "%s first; they stay at the end", made->count, made->first);
	if (words.length)
		page_below(out, &words);
	text_release(&words);
}

void page_names_kept(struct text *out, const struct measure *measure)
{
	const struct some_directories *kept = &measure->tests_kept;
	struct text words = {0};

	if (!kept->count)
		return;
	if (kept->count == 1)
		text_add(&words, "%s is not empty and stays", kept->first);
	else
		text_add(&words, "%" PRIu64 " test directories are not empty and stay, %s first", kept->count,
			 kept->first);
	page_below(out, &words);
	text_release(&words);
}

#define SUMMARY "%-11s %3s %9s %9s %9s %6s %6s %6s %6s %6s"

void page_names_summary_head(struct text *out)
{
	char line[128];

	snprintf(line, sizeof(line), SUMMARY, "summary", "n", "op/s", "95 % from", "to", "+-", "p50",
		 "p99", "p99.9", "max");
	layout_line(out, line);
}

static const char *bound(const struct spread *rate, double value, char *buffer)
{
	return rate->interval.possible ? layout_whole(value, 9, buffer) : strcpy(buffer, "-");
}

static const char *latency(uint64_t ns, char *buffer)
{
	return ns ? layout_ns(ns, buffer) : strcpy(buffer, "-");
}

static const char *half_width(const struct spread *rate, char *buffer)
{
	double width = rate->interval.upper - rate->interval.lower;

	if (!rate->interval.possible || rate->median <= 0)
		return strcpy(buffer, "-");
	return strcat(layout_number(50 * width / rate->median, 4, buffer), "%");
}

static void summary_more(struct text *out, const struct rate_summary *summary)
{
	const struct spread *rate = &summary->rate;
	char cells[6][NUMBER_SIZE];
	struct text words = {0};

	text_add(&words, "min %s, max %s, mean %s, sd %s, pooled %s op/s; median total %s",
		 layout_whole(rate->least, 9, cells[0]), layout_whole(rate->most, 9, cells[1]),
		 layout_whole(rate->mean, 9, cells[2]), layout_whole(rate->deviation, 9, cells[3]),
		 layout_whole(summary->pooled, 9, cells[4]), layout_seconds(summary->seconds, cells[5]));
	layout_paragraph(out, "", PAGE_INDENT, text_string(&words));
	text_release(&words);
}

/* times: p50, p99, p99.9 and the largest. */
static void add_summary(struct text *out, const char *name, const char *repetitions,
			const struct spread *rate, const uint64_t times_ns[4])
{
	char cells[8][NUMBER_SIZE], line[256];

	snprintf(line, sizeof(line), SUMMARY, name, repetitions,
		 layout_whole(rate->median, 9, cells[0]), bound(rate, rate->interval.lower, cells[1]),
		 bound(rate, rate->interval.upper, cells[2]), half_width(rate, cells[3]),
		 latency(times_ns[0], cells[4]), latency(times_ns[1], cells[5]),
		 latency(times_ns[2], cells[6]), latency(times_ns[3], cells[7]));
	layout_line(out, line);
}

void page_names_part(struct text *out, const char *name, const struct part_summary *part)
{
	const uint64_t times_ns[] = {part->p50_ns, part->p99_ns, part->p999_ns, part->max_ns};
	char label[16];

	snprintf(label, sizeof(label), "  %s", name);
	add_summary(out, label, "", &part->rate, times_ns);
}

void page_names_summary(struct text *out, const struct rate_summary *summary, bool more)
{
	const uint64_t times_ns[] = {summary->p50_ns, summary->p99_ns, summary->p999_ns, summary->max_ns};
	char repetitions[NUMBER_SIZE];

	add_summary(out, phase_name(summary->kind), count(summary->rate.count, 3, repetitions),
		    &summary->rate, times_ns);
	if (more)
		summary_more(out, summary);
}
