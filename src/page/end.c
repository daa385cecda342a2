/* The end of a test's text: summary and comparison, once all phases are known. */
#include "page/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "options/names.h"
#include "page/layout.h"
#include "page/table.h"
#include "plan/load.h"
#include "record/line.h"

enum { SUMMARY_COLUMNS = 7 };

static const struct column columns[SUMMARY_COLUMNS] = {
	{"rate", 8, CELL_NUMBER}, {"95% from", 8, CELL_NUMBER}, {"to", 8, CELL_NUMBER},
	{"p50", 7, CELL_TIME},	  {"p99", 7, CELL_TIME},	{"p99.9", 7, CELL_TIME},
	{"max", 7, CELL_TIME},
};

/* Content of a row of the summary. */
struct summary_row {
	const char *name;
	uint64_t repetitions; /* 0: the row above shows them */
	struct rate_unit unit;
	bool has_rate;
	struct line_median rate;
	const json_t *times;
};

static void print_row(struct text *out, const struct summary_row *row)
{
	const struct line_median *rate = &row->rate;
	const double unit = row->has_rate ? row->unit.bytes : NAN;
	const double values[SUMMARY_COLUMNS] = {
		rate->value / unit,
		rate->lower / unit,
		rate->upper / unit,
		line_number(row->times, "p50_ns"),
		line_number(row->times, "p99_ns"),
		line_number(row->times, "p999_ns"),
		line_number(row->times, "max_ns"),
	};
	char label[64], repetitions[24] = "";

	if (row->repetitions)
		snprintf(repetitions, sizeof(repetitions), "%" PRIu64, row->repetitions);
	snprintf(label, sizeof(label), "%-12s %3s", row->name, repetitions);
	table_print_row(out, label, columns, values, SUMMARY_COLUMNS, "");
}

static void print_head(struct text *out, const char *unit)
{
	struct column heads[SUMMARY_COLUMNS];
	char label[24];

	memcpy(heads, columns, sizeof(heads));
	heads[0].head = unit;
	snprintf(label, sizeof(label), "%-12s %3s", "median", "n");
	table_print_head(out, label, heads, SUMMARY_COLUMNS);
}

/* Adds what the repetitions say of each other. Independence that is assumed is told with -v. */
static void add_independence(struct text *words, const json_t *rate, uint64_t repetitions,
			     bool verbose)
{
	const char *independence = line_text(rate, "independence");
	const bool drifts = !strcmp(independence, "drift");
	const bool has_interval = line_has(rate, "median_interval");
	const char *between = words->length ? "; " : "";

	if (drifts && has_interval)
		text_add(words,
			 "%sthe rates drift: an interval of these repetitions, not of later ones",
			 between);
	else if (drifts || !strcmp(independence, "corrected"))
		text_add(words,
			 "%srepetitions follow one another: %" PRIu64
			 " say as much as %.1f independent ones",
			 between, repetitions, line_number(rate, "effective_repetitions"));
	else if (verbose && has_interval && !strcmp(independence, "assumed"))
		text_add(words, "%sinterval of independent repetitions", between);
}

/* Adds the numbers of a phase besides its median. */
static void add_spread(struct text *words, const json_t *summary, enum phase_kind kind,
		       const struct summary_row *row)
{
	static const char *const names[][2] = {{"min", "min"},
					       {"max", "max"},
					       {"mean", "mean"},
					       {"sd", "standard_deviation"},
					       {"pooled", "pooled"}};
	const json_t *rate = line_at(summary, "total_rate");
	char key[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(key, sizeof(key), "%s_%s", names[i][1], line_unit(kind));
		text_add(words, "%s%s %s", i ? ", " : "", names[i][0],
			 units_fit_number(line_number(rate, key) / row->unit.bytes, 6).text);
	}
	text_add(words, " %s; median total %s", row->unit.name,
		 units_show_seconds(line_number(summary, "total_s")).text);
}

/* Appends what several repetitions say besides their median. */
static void print_spread(struct text *out, const json_t *summary, enum phase_kind kind,
			 const struct summary_row *row, bool verbose)
{
	struct text words = {0};

	if (verbose)
		add_spread(&words, summary, kind, row);
	add_independence(&words, line_at(summary, "total_rate"), row->repetitions, verbose);
	page_field(out, "", &words);
}

static const struct rate_unit operations = {"op/s", 1};

static void print_parts(struct text *out, const json_t *summary, enum phase_kind kind)
{
	const json_t *part;
	size_t i;

	json_array_foreach(line_at(summary, "parts"), i, part)
	{
		const bool is_response = !strcmp(line_text(part, "operation"), "response");
		char name[16];

		snprintf(name, sizeof(name), "  %s", line_text(part, "part"));
		print_row(out,
			  &(struct summary_row){
				  .name = name,
				  .unit = operations,
				  .has_rate = !is_response,
				  .rate = line_median(line_at(part, "total_rate"), line_unit(kind)),
				  .times = part,
			  });
	}
}

static void print_summary(const struct page *page, struct text *out, const json_t *summary,
			  const struct phase_plan *phase)
{
	const bool data = phase_moves_data(phase->kind);
	struct summary_row row = {
		.name = phase_name(phase->kind),
		.repetitions = line_count(summary, "complete_repetitions"),
		.unit = data ? rate_units[page->unit] : operations,
		.has_rate = true,
		.rate = line_median(line_at(summary, "total_rate"), line_unit(phase->kind)),
		.times = summary,
	};
	struct text line = {0};

	if (!row.repetitions) {
		text_add(&line, "%-12s %3d no complete repetition", row.name, 0);
		layout_line(out, text_string(&line));
		text_release(&line);
		return;
	}
	print_row(out, &row);
	if (*phase->beside) {
		text_add(&line, "beside %s", phase->beside);
		layout_paragraph(out, "", PAGE_INDENT, text_string(&line));
		text_release(&line);
	}
	if (row.repetitions > 1) /* one repetition has no spread */
		print_spread(out, summary, phase->kind, &row, page->verbose > 0);
	print_parts(out, summary, phase->kind);
}

/* True if only repetitions that may follow one another kept the test from ending. */
static bool may_follow(const struct plan *plan, const json_t *line)
{
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (!plan_is_layout(plan, &plan->phases[i]) &&
		    !(line_number(line_summary(line, i), "precision") <= plan->test->precision))
			return false;
	return !line_true(line, "precise");
}

/* Appends why the test had no more repetitions, unless the number was requested. */
static void print_end(struct text *out, const struct plan *plan, const json_t *line)
{
	const struct test *options = plan->test;
	const char *end = line_text(line, "repetitions_end");
	const bool at_most = !strcmp(end, repetitions_end_name(REPETITIONS_MOST));
	struct text words = {0};

	if (!strcmp(end, repetitions_end_name(REPETITIONS_PRECISE)))
		text_add(&words,
			 "repeated until the 99 %% interval of each median was within %.3g %%",
			 100 * options->precision);
	else if (at_most && may_follow(plan, line))
		text_add(&words,
			 "stopped at max_repetitions=%" PRIu64
			 ": the repetitions may follow one another, which an interval can count "
			 "from %d on",
			 options->max_repetitions, DEPENDENCE_LEAST);
	else if (at_most)
		text_add(&words,
			 "stopped at max_repetitions=%" PRIu64
			 " before the 99 %% interval of each median was within %.3g %%",
			 options->max_repetitions, 100 * options->precision);
	else if (!strcmp(end, repetitions_end_name(REPETITIONS_BUDGET)))
		text_add(&words, "stopped as one more repetition would not end within %s",
			 options->budget > 0 ? "budget" : "node_budget");
	if (words.length)
		layout_paragraph(out, "", PAGE_INDENT, text_string(&words));
	text_release(&words);
}

static void print_comparable(struct text *out, const struct plan *plan, const json_t *line)
{
	const char *label = plan->metadata ? "comparable with mdtest:" : "comparable with IOR:";

	if (line_has(line, "comparable_keywords"))
		layout_paragraph(out, label, (unsigned)strlen(label) + 1,
				 line_text(line, "comparable_keywords"));
}

/* Appends one line on the limits: the highest rate of each phase against them. */
static void print_possible(struct text *out, const struct plan *plan, const json_t *line)
{
	struct text words = {0};

	for (unsigned i = 0; i < plan->phase_count; i++) {
		const json_t *summary = line_summary(line, i);

		if (line_has(summary, "nearest_limit"))
			text_add(&words, "%s%s %s", words.length ? "; " : "",
				 phase_name(plan->phases[i].kind),
				 line_text(summary, "nearest_limit"));
	}
	if (words.length)
		layout_paragraph(out, "possible: ", PAGE_ROW_INDENT, text_string(&words));
	text_release(&words);
}

bool page_measures_only(const struct page *page, const struct plan *plan)
{
	return page->job && run_of(page->job)->limits == LIMITS_ONLY && !plan_cleans(plan);
}

void page_keep_end(struct page *page, const struct test_head *test, const json_t *line)
{
	const struct plan *plan = test->plan;
	const bool leaves_files = line_true(line, "files_left");

	for (unsigned i = 0; i < plan->phase_count; i++) {
		const json_t *summary = line_summary(line, i);

		if (!plan_is_layout(plan, &plan->phases[i]) &&
		    line_count(summary, "complete_repetitions"))
			page_keep(page->kept, plan->phases[i].kind, test->number, OVER_ALL,
				  summary);
	}
	page->names_cleanup |= leaves_files;
	page->names_nameless |= leaves_files && !plan_load_stamps(plan);
}

void page_summaries(const struct page *page, struct text *out, const struct plan *plan,
		    const json_t *line)
{
	print_head(out,
		   plan->metadata || plan->load ? operations.name : rate_units[page->unit].name);
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (!plan_is_layout(plan, &plan->phases[i]))
			print_summary(page, out, line_summary(line, i), &plan->phases[i]);
	print_end(out, plan, line);
}

void page_test_end(struct page *page, struct text *out, const struct test_head *test,
		   const json_t *line)
{
	const struct plan *plan = test->plan;

	if (!plan->phase_count || page_measures_only(page, plan))
		return;
	print_possible(out, plan, line);
	/* Summaries of one repetition say no more than its rows. */
	if (test_repetitions_most(plan->test) > plan->test->warmup + 1 || page->verbose) {
		text_add(out, "\n");
		page_summaries(page, out, plan, line);
	}
	text_add(out, "\n");
	page_keep_end(page, test, line);
	page_verdicts(page->kept, page->verbose > 0, out);
	if (!plan->load)
		print_comparable(out, plan, line);
	else if (line_true(line, "files_left"))
		page_load_end(out, plan);
}

/*
 * The legend of the text explains the columns and marks: those of rows of data, of rows of metadata
 * and loads, of all rows, and of studies.
 */
static const struct legend {
	const char *topics; /* words of --help=WORD that this paragraph explains */
	const char *words;
} legend[] = {
	{"MiB/s MB/s GiB/s GB/s op/s p50 p99 max open trans transfer sync close total",
	 "Rows of data: MiB/s (option unit) is all bytes / total time, op/s all transfers "
	 "/ total time. p50, p99 and max are service times of one transfer. open, "
	 "trans(fer), sync, close and total each last from the first task that begins to "
	 "the last task that ends, so they overlap."},
	{"op/s p50 p99 p99.9 max total done failed response",
	 "Rows of metadata and loads: op/s are operations that succeeded / total time, "
	 "for a find entries / total time. p50, p99, p99.9 and max are service times of "
	 "one operation, for a find of reading one directory. response counts from the "
	 "moment when an operation was due."},
	{"! ? o n - busy median from to",
	 "Do not believe rows with !, and read those with ? with care. Warm-up rows "
	 "have an o. -: not known; p99 needs 368 operations, p99.9 3688, and an interval 6 "
	 "repetitions. Summaries are medians over n repetitions, from and to their 95 % "
	 "interval. busy is the "
	 "share of the time of tasks, times the queue depth, that operations took."},
	{"effic efficiency best",
	 "Studies: effic(iency) is the rate per task relative to that of the "
	 "fewest tasks, of best is relative to the highest rate."},
};

/* Further words of the text, which no legend below it explains. */
static const struct legend terms[] = {
	{"phase rep repetition",
	 "phase: a part of a test that is timed by itself, such as write, read, file-create or "
	 "load. All tasks start it together. rep: the number of the repetition, from 0. Each "
	 "repetition runs all phases of the test."},
	{"moves items mix pace layout writing reading storage in tree",
	 "The lines below \"test\" are the plan. moves, items and mix: what each task does in a "
	 "phase. layout: how the blocks of the tasks lie in a file. writing: whether the time "
	 "includes a sync. reading: whether memory may answer. pace: the rate of a load. storage: "
	 "the file system below the files."},
	{"busy slowest",
	 "slowest: the longest single operation with its task, host and offset, then the task "
	 "whose operations took longest, relative to the mean of the others."},
	{"slices slice within wanders",
	 "A phase is counted in slices of equal time. \"within this run only\" is the mean "
	 "rate of a phase longer than 1 s, with an interval from its slices, or says that the "
	 "rate fell, rose or changed. It does not predict the next run."},
	{"summary n unit median from to sd min mean pooled",
	 "median: one row for each phase over its n repetitions without warm-up. from and to: "
	 "the 95 % interval of the median, which needs 6 repetitions. sd: standard deviation of "
	 "the rates. pooled: all bytes or operations / all total times."},
	{"verdicts verdict fail warn note good remedy",
	 "verdicts: what rules say of the numbers. fail: do not believe the row (!). warn: read "
	 "it with care (?). note: worth knowing. good: what rules found right, with -v all of "
	 "them. A cause is said once: behind \"such as\" stand the numbers of the first phase "
	 "that has it. --help=C1 explains a rule."},
	{"comparable",
	 "comparable: whether IOR or mdtest would measure the same with these options; a "
	 "keyword names each difference."},
};

enum {
	LEGENDS = sizeof(legend) / sizeof(*legend),
	TERMS = sizeof(terms) / sizeof(*terms),
};

void page_legend(const struct page *page, bool studies, struct text *out)
{
	const bool rows = page->explains[0] || page->explains[1];
	const bool shown[LEGENDS] = {page->explains[0], page->explains[1], rows, studies};

	for (size_t i = 0; page->verbose && i < LEGENDS; i++)
		if (shown[i])
			layout_paragraph(out, "", 0, legend[i].words);
	if (page->verbose && rows)
		text_add(out, "\n");
}

static void explain(const struct legend *paragraph, const char *topic, struct text *out)
{
	if (names_have(paragraph->topics, topic))
		layout_paragraph(out, "", 0, paragraph->words);
}

bool report_explain(const char *topic, struct text *out)
{
	const size_t before = out->length;

	for (size_t i = 0; i < LEGENDS; i++)
		explain(&legend[i], topic, out);
	for (size_t i = 0; i < TERMS; i++)
		explain(&terms[i], topic, out);
	return out->length > before;
}
