/* The end of a test's text: summary and comparison, once all phases are known. */
#include "report/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "options/names.h"
#include "plan/load.h"
#include "report/comparable.h"
#include "report/layout.h"
#include "report/line.h"
#include "report/table.h"

enum { RATE_COLUMNS = 4, SUMMARY_COLUMNS = 8 };

static const struct column columns[SUMMARY_COLUMNS] = {
	{"median", 7, CELL_NUMBER, 0}, {"95% from", 8, CELL_NUMBER, 0}, {"to", 7, CELL_NUMBER, 0},
	{"+-", 5, CELL_PERCENT, 0},    {"p50", 6, CELL_TIME, 0},	{"p99", 6, CELL_TIME, 0},
	{"p99.9", 6, CELL_TIME, 0},    {"max", 6, CELL_TIME, 0},
};

/* Content of a row of the summary. */
struct summary_row {
	const char *name, *repetitions;
	const char *unit; /* "": the row has no rate */
	double in_unit;	  /* bytes or operations in one unit */
	const struct spread *rate;
	const struct service_times *times; /* NULL: the row above shows them */
};

static void print_row(struct text *out, const struct summary_row *row)
{
	struct text line = {0};
	const struct spread *rate = row->rate;
	const bool known = rate->interval.possible;
	double values[SUMMARY_COLUMNS] = {NAN, NAN, NAN, NAN};

	if (*row->unit) {
		values[0] = rate->median / row->in_unit;
		values[1] = known ? rate->interval.lower / row->in_unit : NAN;
		values[2] = known ? rate->interval.upper / row->in_unit : NAN;
		values[3] = table_half_width(rate);
	}

	if (row->times) {
		values[RATE_COLUMNS] = table_time(row->times->p50_ns);
		values[RATE_COLUMNS + 1] = table_time(row->times->p99_ns);
		values[RATE_COLUMNS + 2] = table_time(row->times->p999_ns);
		values[RATE_COLUMNS + 3] = table_time(row->times->max_ns);
	}
	/* The longest name of a part, "  write_file", takes a place of the empty next column. */
	const int more = strlen(row->name) > 11 ? (int)strlen(row->name) - 11 : 0;

	text_add(&line, "%-11s %*s %-5s", row->name, 3 - more, row->repetitions, row->unit);
	table_cells(&line, columns, values, row->times ? SUMMARY_COLUMNS : RATE_COLUMNS - 1, 0);
	layout_line(out, text_string(&line));
	text_release(&line);
}

static void print_head(struct text *out)
{
	struct text line = {0};

	text_add(&line, "%-11s %3s %-5s", "summary", "n", "unit");
	table_head(&line, columns, SUMMARY_COLUMNS);
	layout_line(out, text_string(&line));
	text_release(&line);
}

/* Appends the numbers of a phase besides its median. */
static void print_spread(struct text *out, const struct rate_summary *summary, double in_unit,
			 const char *unit)
{
	const struct spread *rate = &summary->rate;
	const double values[] = {rate->least, rate->most, rate->mean, rate->deviation,
				 summary->pooled};
	static const char *const names[] = {"min", "max", "mean", "sd", "pooled"};
	struct text words = {0};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		text_add(&words, "%s%s %s", i ? ", " : "", names[i],
			 units_fit_number(values[i] / in_unit, 6).text);
	text_add(&words, " %s; median total %s", unit, units_show_seconds(summary->seconds).text);
	if (rate->dependence.drifts && rate->interval.possible)
		text_add(&words, "; the rates drift: an interval of these repetitions, not of "
				 "later ones");
	else if (rate->dependence.found)
		text_add(&words,
			 "; repetitions follow one another: %zu say as much as %.1f independent "
			 "ones",
			 rate->count, rate->dependence.effective);
	else if (rate->interval.possible && !rate->dependence.known)
		text_add(&words, "; interval of independent repetitions");
	layout_paragraph(out, "", PAGE_INDENT, text_string(&words));
	text_release(&words);
}

static void print_parts(struct text *out, const struct rate_summary *summary)
{
	for (unsigned i = 0; i < summary->part_count; i++) {
		const struct series_summary *part = &summary->parts[i];
		char name[16];

		snprintf(name, sizeof(name), "  %s", part->series.part);
		const char *unit = part->series.operation == OPERATION_RESPONSE ? "" : "op/s";

		print_row(out, &(struct summary_row){name, "", unit, 1, &part->rate, &part->times});
	}
}

static void print_summary(struct text *out, const struct rate_summary *summary, const char *beside)
{
	const bool data = phase_moves_data(summary->kind);
	const double unit = data ? (double)MIB : 1;
	char repetitions[24];
	struct summary_row row = {phase_name(summary->kind),
				  repetitions,
				  data ? "MiB/s" : "op/s",
				  unit,
				  &summary->rate,
				  &summary->times};
	struct text line = {0};

	snprintf(repetitions, sizeof(repetitions), "%zu", summary->rate.count);
	if (!summary->rate.count) {
		text_add(&line, "%-11s %3d no complete repetition", row.name, 0);
		layout_line(out, text_string(&line));
		text_release(&line);
		return;
	}
	print_row(out, &row);
	if (data)
		print_row(out, &(struct summary_row){"", "", "MB/s", 1e6, &summary->rate, NULL});
	if (*beside) {
		text_add(&line, "beside %s", beside);
		layout_paragraph(out, "", PAGE_INDENT, text_string(&line));
		text_release(&line);
	}
	if (summary->rate.count > 1) /* one repetition has no spread */
		print_spread(out, summary, unit, row.unit);
	print_parts(out, summary);
}

/* True if only repetitions that may follow one another kept the test from ending. */
static bool may_follow(const struct test_result *test, const struct assessed_summary *assessed)
{
	const double wanted = test->plan->test->precision;

	for (unsigned i = 0; i < test->plan->phase_count; i++) {
		const double precision = assessed[i].summary.precision;

		if (!plan_is_layout(test->plan, &test->plan->phases[i]) &&
		    (precision < 0 || precision > wanted))
			return false;
	}
	return !test_is_precise(test, wanted);
}

/* Appends why the test had no more repetitions, unless the number was requested. */
static void print_end(struct text *out, const struct test_result *test,
		      const struct assessed_summary *assessed)
{
	const struct test *options = test->plan->test;
	struct text words = {0};

	if (test->repetitions_end == REPETITIONS_PRECISE)
		text_add(&words,
			 "repeated until the 99 %% interval of each median was within %.3g %%",
			 100 * options->precision);
	else if (test->repetitions_end == REPETITIONS_MOST && may_follow(test, assessed))
		text_add(&words,
			 "stopped at max_repetitions=%" PRIu64
			 ": the repetitions may follow one another, which an interval can count "
			 "from %d on",
			 options->max_repetitions, DEPENDENCE_LEAST);
	else if (test->repetitions_end == REPETITIONS_MOST)
		text_add(&words,
			 "stopped at max_repetitions=%" PRIu64
			 " before the 99 %% interval of each median was within %.3g %%",
			 options->max_repetitions, 100 * options->precision);
	else if (test->repetitions_end == REPETITIONS_BUDGET)
		text_add(&words, "stopped as one more repetition would not end within %s",
			 options->budget > 0 ? "budget" : "node_budget");
	if (words.length)
		layout_paragraph(out, "", PAGE_INDENT, text_string(&words));
	text_release(&words);
}

static void print_comparable(struct text *out, const struct test_result *test)
{
	struct text label = {0}, words = {0}, sentences = {0};

	text_add(&label, "comparable with %s:", comparable_program(test));
	if (comparable_find(test, &sentences, &words))
		layout_paragraph(out, text_string(&label), (unsigned)label.length + 1,
				 text_string(&words));
	text_release(&sentences);
	text_release(&words);
	text_release(&label);
}

/* The repetition of a phase that came nearest to its limits; NULL: no limit is known. */
static const struct phase_result *nearest_to_limit(const struct test_result *test, unsigned phase)
{
	const struct phase_result *nearest = NULL;
	enum limit least;

	for (size_t i = 0; i < test->phase_count; i++) {
		const struct phase_result *result = &test->phases[i];

		if (result->index == phase && result->status == PHASE_COMPLETE &&
		    possible_least(&result->possible, &least) &&
		    (!nearest || result->possible.rate > nearest->possible.rate))
			nearest = result;
	}
	return nearest;
}

/* Appends one line on the limits: the highest rate of each phase against them. */
static void print_possible(struct text *out, const struct test_result *test)
{
	struct text words = {0};

	for (unsigned i = 0; i < test->plan->phase_count; i++) {
		const struct phase_result *nearest = nearest_to_limit(test, i);

		if (!nearest)
			continue;
		text_add(&words, "%s%s ", words.length ? "; " : "", phase_name(nearest->kind));
		possible_add_words(&words, &nearest->possible);
	}
	if (words.length)
		layout_paragraph(out, "possible: ", PAGE_ROW_INDENT, text_string(&words));
	text_release(&words);
}

/*
 * A load removes the files of a layout that did not come to its end. Where files may have been
 * there before, their stamps must say that iorx made them.
 */
static bool leaves_files(const struct test_result *test)
{
	for (size_t i = 0; i < test->phase_count; i++) {
		const struct phase_result *phase = &test->phases[i];

		if (phase->files_foreign)
			return false;
		if (plan_is_layout(test->plan, &test->plan->phases[phase->index]) &&
		    phase->status != PHASE_COMPLETE)
			return false;
	}
	return test->phase_count && plan_load_leaves_files(test->plan) &&
	       (plan_load_owns_files(test->plan) || plan_load_stamps(test->plan));
}

static void keep_verdicts(struct page *page, enum phase_kind kind, const json_t *summary)
{
	json_t *verdict;
	size_t i;

	json_array_foreach(line_at(summary, "verdicts"), i,
			   verdict) if (line_count(summary, "complete_repetitions"))
		page_keep(page, kind, OVER_ALL, verdict);
}

void page_test_end(struct page *page, struct text *out, const struct test_result *test,
		   const struct assessed_summary *assessed, const json_t *line)
{
	const unsigned phases = test->plan->phase_count;

	if (!phases || test->measured.only)
		return;
	print_possible(out, test);
	text_add(out, "\n");
	print_head(out);
	for (unsigned i = 0; i < phases; i++) {
		if (plan_is_layout(test->plan, &test->plan->phases[i]))
			continue;
		print_summary(out, &assessed[i].summary, test->plan->phases[i].beside);
		keep_verdicts(page, assessed[i].summary.kind,
			      json_array_get(line_at(line, "summaries"), i));
	}
	print_end(out, test, assessed);
	text_add(out, "\n");
	if (!test->plan->load)
		print_comparable(out, test);
	else if (leaves_files(test))
		page_load_end(out, test->plan);
	page->names_cleanup |= leaves_files(test);
	page->names_nameless |= leaves_files(test) && !plan_load_stamps(test->plan);
	page_verdicts(page, out);
}

/*
 * The legend of the text explains the columns and marks: those of rows of data, of rows of metadata
 * and loads, of all rows, and of studies.
 */
static const struct legend {
	const char *topics; /* words of --help=WORD that this paragraph explains */
	const char *words;
} legend[] = {
	{"MiB/s MB/s op/s p50 p99 max open trans transfer sync close total",
	 "Rows of data: MiB/s and MB/s are all bytes / total time, op/s all transfers "
	 "/ total time. p50, p99 and max are service times of one transfer. open, "
	 "trans(fer), sync, close and total each last from the first task that begins to "
	 "the last task that ends, so they overlap."},
	{"op/s p50 p99 p99.9 max total done failed response",
	 "Rows of metadata and loads: op/s are operations that succeeded / total time, "
	 "for a find entries / total time. p50, p99, p99.9 and max are service times of "
	 "one operation, for a find of reading one directory. response counts from the "
	 "moment when an operation was due."},
	{"! ? o n n<6 n<368 n<3688 +- busy median",
	 "Do not believe rows with !, and read those with ? with care. Warm-up rows "
	 "have an o. n<368: a percentile needs so many operations. Summaries are "
	 "medians over n repetitions, +- is half of their 95 % interval. busy is the "
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
	{"summary n unit median from to +- sd min mean pooled",
	 "summary: one row for each phase over its n repetitions without warm-up. from and to: "
	 "the 95 % interval of the median, which needs 6 repetitions. sd: standard deviation of "
	 "the rates. pooled: all bytes or operations / all total times."},
	{"verdicts verdict fail warn note good remedy",
	 "verdicts: what rules say of the numbers. fail: do not believe the row (!). warn: read "
	 "it with care (?). note: worth knowing. good, with -v: the rule found nothing wrong. The "
	 "row names phase and repetition, or the phase alone for the summary. --help=C1 explains "
	 "a rule."},
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
