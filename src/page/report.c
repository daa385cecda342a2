/* Passes every event to all outputs: the text, the table, the journal. */

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "page/csv.h"
#include "page/ior_words.h"
#include "page/live.h"
#include "page/message.h"
#include "page/report_state.h"
#include "page/tasks_csv.h"
#include "plan/workload.h"
#include "record/phase_line.h"
#include "record/record.h"

/*
 * Tests that the chosen form cannot show use the form of iorx: IOR has no metadata tests, mdtest no
 * data tests, and neither has loads.
 */
static const struct style *style_of(const struct report *report, const struct test_head *test)
{
	const struct plan *plan = test->plan;
	const bool is_shown = (report->style == &ior_style) != plan_traits(plan)->counts_operations;

	if (report->style == &text_style)
		return page_is_brief(&report->page, test) ? &brief_style : &text_style;
	return is_shown ? report->style : &text_style;
}

void report_loss(const struct report *report, const struct error *err)
{
	report_message(wants_document(report) ? "error" : "warning", err->text);
}

void report_add_line(struct report *report, const char *event, json_t *value)
{
	struct error err;

	if (report->replays) {
		json_decref(value);
		return;
	}
	anonymize_line(&report->anonymizer, value);
	if (journal_add(&report->journal, event, value, &err))
		report_loss(report, &err);
}

void report_replay(struct report *report, bool on)
{
	report->replays = on;
}

void report_print_page(struct report *report, struct text *page)
{
	sinks_print(&report->sinks, page);
	text_release(page);
}

void report_print_summary(struct report *report, struct text *words)
{
	sinks_add(&report->sinks, SINK_SUMMARY, words);
	text_release(words);
}

/* Prints the text of a test, or keeps it until the tests that began before it have ended. */
static void print_of(struct report *report, struct open_test *test, struct text *page)
{
	if (report->open_count == 1) {
		report_print_page(report, page);
		return;
	}
	text_add_bytes(&test->text, text_string(page), page->length);
	text_release(page);
}

/* Prints what was kept of the tests that have ended, in their order. */
static void print_ended(struct report *report, bool all)
{
	for (; report->printed < report->open_count; report->printed++) {
		struct open_test *test = &report->open[report->printed];

		if (!test->ended && !all)
			return;
		report_print_page(report, &test->text);
	}
}

void report_set_end(struct report *report)
{
	print_ended(report, true);
	for (unsigned i = 0; i < report->open_count; i++) {
		json_decref(report->open[i].record);
		json_decref(report->open[i].numbers);
		kept_verdicts_release(&report->open[i].kept);
	}
	free(report->open);
	report->open = NULL;
	report->open_count = 0;
}

void report_set_start(struct report *report, unsigned first, unsigned count)
{
	report_set_end(report);
	report->open = memory_allocate(count, sizeof(*report->open));
	report->first_open = first;
	report->open_count = count;
	report->printed = 0;
}

/* The test among those that run; NULL: it is none of them. */
static struct open_test *find_open(const struct report *report, unsigned number)
{
	const unsigned at = number - report->first_open;

	return at < report->open_count ? &report->open[at] : NULL;
}

/* True if IOR's summary includes the test. */
static bool has_summary(const struct report *report, const struct plan *plan)
{
	return report->sinks.list[SINK_SUMMARY].file && !plan_traits(plan)->counts_operations;
}

void report_progress(struct report *report, const struct progress *progress)
{
	struct text line = {0};

	if (!report->live_columns)
		return;
	live_line(progress, &rate_units[report->page.unit], report->live_columns, &line);
	sinks_live(&report->sinks, &line);
	text_release(&line);
}

void report_intervals(struct report *report, const struct text *rows)
{
	sinks_add(&report->sinks, SINK_INTERVALS, rows);
}

void report_test(struct report *report, const struct test_result *test,
		 const struct mount_facts *mount)
{
	struct text page = {0};
	struct open_test *open;

	if (mount)
		anonymizer_add(&report->anonymizer, mount->source);
	if (!find_open(report, test->number))
		report_set_start(report, test->number, 1);
	open = find_open(report, test->number);
	open->head = (struct test_head){test->number, test->spec, test->plan};
	open->numbers = json_object();
	open->record = record_test(report->job, test, mount);
	report_add_line(report, "test", json_incref(open->record));
	style_of(report, &open->head)->test(&report->page, &page, test, mount, open->record);
	print_of(report, open, &page);
	if (has_summary(report, test->plan))
		ior_summary_test(&report->summary, test, mount, open->record);
}

void report_task(struct report *report, unsigned test, enum phase_kind kind, uint64_t repetition,
		 const struct task_row *row, uint64_t since_ns)
{
	struct text line = {0};

	if (!report->sinks.list[SINK_TASKS].file)
		return;
	text_add(&line, "%u,%s,%" PRIu64 ",", test, phase_name(kind), repetition);
	tasks_csv_row(&line, row, !phase_moves_data(kind), since_ns,
		      hosts_name(&report->page.hosts, row->node));
	sinks_add(&report->sinks, SINK_TASKS, &line);
	text_release(&line);
}

/* Reports a sentence of the line, if it is there. */
static void report_sentence(const char *sentence)
{
	if (*sentence)
		report_message("error", sentence);
}

static void report_phase(struct report *report, struct open_test *test, struct text *page,
			 json_t *line)
{
	const struct plan *plan = test->head.plan;
	struct text row = {0}, words = {0};

	csv_rows(&row, plan, hosts_name(&report->page.hosts, plan_job_node(plan, 0)), test->record,
		 line);
	if (!plan_traits(plan)->counts_operations)
		ior_keep(test->numbers, line);
	style_of(report, &test->head)->phase(&report->page, page, &test->head, line);
	if (has_summary(report, plan))
		ior_summary_phase(&report->summary, &words, &test->head, line);
	sinks_add(&report->sinks, SINK_CSV, &row);
	text_release(&row);
	report_print_summary(report, &words);
}

static void report_test_end(struct report *report, struct open_test *test, struct text *page,
			    json_t *line)
{
	const struct plan *plan = test->head.plan;

	style_of(report, &test->head)->test_end(&report->page, page, &test->head, line);
	if (has_summary(report, plan))
		ior_summary_test_end(&report->summary, &test->head, test->numbers);
	studies_add(&report->studies, &test->head, line, &test->kept);
	test->ended = true;
}

static void report_removal(const struct report *report, const struct open_test *test,
			   struct text *page, const json_t *line)
{
	const struct style *style = style_of(report, &test->head);

	if (style->removal)
		style->removal(&report->page, page, &test->head, line);
}

/* Adds what task 0 alone knows to a line of this session. */
static void complete_line(struct report *report, json_t *line)
{
	record_add_hosts(line, &report->page.hosts);
	if (report->environments)
		record_add_environment(line, report->environments, report->run);
	report->moved_bytes += line_count(line, "data/bytes") + line_count(line, "load/bytes");
}

/*
 * The removal of files is in no journal: "removal_s" of the end of the test has the sum. Messages
 * on standard error keep names, and so are copied before the names in the line are hidden.
 */
static void report_of_test(struct report *report, struct open_test *test, enum line_kind kind,
			   json_t *line)
{
	char *failure = text_copy(line_text(line, "failure/message"));
	char *damage = text_copy(line_text(phase_line_verification(line), "summary"));
	struct text page = {0};

	if (!report->replays)
		complete_line(report, line);
	report->page.kept = &test->kept;
	report->page.numbers = test->numbers;
	if (kind != LINE_REMOVAL)
		report_add_line(report, kind == LINE_PHASE ? "phase" : "test_end",
				json_incref(line));
	if (kind == LINE_PHASE)
		report_phase(report, test, &page, line);
	else if (kind == LINE_TEST_END)
		report_test_end(report, test, &page, line);
	else
		report_removal(report, test, &page, line);
	print_of(report, test, &page);
	print_ended(report, false);
	report_sentence(failure);
	report_sentence(damage);
	free(failure);
	free(damage);
	json_decref(line);
}

void report_line(struct report *report, unsigned number, enum line_kind kind, json_t *line)
{
	if (kind == LINE_ERROR)
		report_add_line(report, "error", line);
	else
		report_of_test(report, find_open(report, number), kind, line);
}

void report_curve(struct report *report, const struct curve_report *curve)
{
	struct text page = {0};

	if (!report->curves)
		report->curves = json_array();
	json_array_append_new(report->curves, curve_record(curve));
	text_add(&page, "\n");
	curve_page(curve, &page);
	anonymize_text(&report->anonymizer, &page);
	report_print_page(report, &page);
}

void report_error(struct report *report, const struct error *err)
{
	report_message("error", err->text);
	if (report)
		report_add_line(report, "error", record_error(err));
}

const char *report_cleanup_command(const struct report *report)
{
	return text_string(&report->cleanup);
}

const char *report_journal_name(const struct report *report)
{
	return report->journal.name;
}

const char *report_document_name(const struct report *report)
{
	return report->journal.document;
}
