/* Passes every event to all outputs: the text, the table, the journal. */

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "report/csv.h"
#include "report/ior_page.h"
#include "report/live.h"
#include "report/mdtest_page.h"
#include "report/message.h"
#include "report/phase_line.h"
#include "report/record.h"
#include "report/report_state.h"
#include "report/tasks_csv.h"

static void text_phase(struct page *page, struct text *out, const struct test_result *test,
		       const struct phase_result *phase, const struct verdict *verdicts,
		       size_t count, const json_t *line)
{
	(void)phase, (void)verdicts, (void)count;
	page_phase(page, out, test, line);
}

static const struct style styles[] = {
	[FORMAT_TEXT] = {page_head, page_test, text_phase, page_test_end, NULL, NULL},
	[FORMAT_IOR] = {ior_page_head, ior_page_test, ior_page_phase, ior_page_test_end,
			ior_page_end, ior_page_removal},
	[FORMAT_MDTEST] = {mdtest_page_head, mdtest_page_test, mdtest_page_phase,
			   mdtest_page_test_end, mdtest_page_end, NULL},
	[FORMAT_MDTEST_COLON] = {mdtest_page_head, mdtest_page_test, mdtest_page_phase,
				 mdtest_page_test_end, mdtest_page_end, NULL},
};

const struct style *report_style(enum text_format format)
{
	return &styles[format];
}

/*
 * Tests that the chosen form cannot show use the form of iorx: IOR has no metadata tests, mdtest no
 * data tests, and neither has loads.
 */
static const struct style *style_of(const struct report *report, const struct test_result *test)
{
	bool is_ior = report->style == &styles[FORMAT_IOR];
	bool is_shown = is_ior == !test->plan->metadata && !test->plan->load;

	return is_shown ? report->style : &styles[FORMAT_TEXT];
}

void report_loss(const struct report *report, const struct error *err)
{
	report_message(wants_document(report) ? "error" : "warning", err->text);
}

void report_add_line(struct report *report, const char *event, json_t *value)
{
	struct error err;

	/* The forms of the text and messages go by the line with its names. */
	if (report->anonymizer.wanted) {
		json_t *hidden = json_deep_copy(value);

		json_decref(value);
		value = hidden;
		anonymize_json(&report->anonymizer, value);
	}
	if (journal_add(&report->journal, event, value, &err))
		report_loss(report, &err);
}

void report_print_page(struct report *report, struct text *page)
{
	if (report->member) {
		text_add_bytes(&report->member->text, text_string(page), page->length);
		text_release(page);
		return;
	}
	sinks_print(&report->sinks, page);
	text_release(page);
}

void report_print_summary(struct report *report, struct text *words)
{
	sinks_summary(&report->sinks, words);
	text_release(words);
}

/* Exchanges the state of the page and that of the member. */
static void exchange(struct report *report)
{
	struct held *held = report->member, was = *held;

	held->kept = report->page.kept;
	held->kept_count = report->page.kept_count;
	held->test = report->test;
	report->page.kept = was.kept;
	report->page.kept_count = was.kept_count;
	report->test = was.test;
}

/* Around the report of one test: if it belongs to a set, its text is held back. */
static void enter(struct report *report, const struct test_result *test)
{
	if (!report->members)
		return;
	report->member = &report->members[test->number - report->first_member];
	exchange(report);
}

static void leave(struct report *report)
{
	if (report->member)
		exchange(report);
	report->member = NULL;
}

void report_set_start(struct report *report, unsigned first, unsigned count)
{
	report->members = memory_allocate(count, sizeof(*report->members));
	report->first_member = first;
	report->member_count = count;
	report->printed = 0;
}

/* Prints the members that have ended, in their order. */
static void print_ended(struct report *report, bool all)
{
	for (; report->printed < report->member_count; report->printed++) {
		struct held *held = &report->members[report->printed];

		if (!held->ended && !all)
			return;
		report_print_page(report, &held->text);
	}
}

void report_set_end(struct report *report)
{
	print_ended(report, true);
	for (unsigned i = 0; i < report->member_count; i++) {
		struct held *held = &report->members[i];

		json_decref(held->test);
		free(held->kept);
	}
	free(report->members);
	report->members = NULL;
	report->member_count = 0;
}

/* True if IOR's summary includes the test. */
static bool has_summary(const struct report *report, const struct test_result *test)
{
	return report->sinks.summary.file && !test->plan->metadata && !test->plan->load;
}

void report_progress(struct report *report, const struct progress *progress)
{
	struct text line = {0};

	if (!report->live_columns)
		return;
	live_line(progress, report->live_columns, &line);
	sinks_live(&report->sinks, &line);
	text_release(&line);
}

void report_progress_end(struct report *report)
{
	const struct text nothing = {0};

	if (report->live_columns)
		sinks_live(&report->sinks, &nothing);
}

void report_intervals(struct report *report, const struct text *rows)
{
	sinks_interval(&report->sinks, rows);
}

/* Finds the device of the directory that holds a file; false when it does not exist. */
static bool device_of(const char *file, dev_t *device)
{
	char directory[4096];
	struct stat status;
	bool known =
		text_directory(file, directory, sizeof(directory)) && !stat(directory, &status);

	*device = known ? status.st_dev : 0;
	return known;
}

static bool lies_beside(const struct plan *plan, dev_t results)
{
	char path[PLAN_PATH_SIZE];
	dev_t tested;

	for (uint32_t i = 0; i < plan->path_count; i++) {
		plan_base(plan, i, path);
		if (device_of(path, &tested) && tested == results)
			return true;
	}
	return false;
}

/*
 * Warns that results are written to the file system under test, though outside the measured parts.
 */
static void warn_same_device(struct report *report, const struct test_result *test)
{
	struct error err;
	dev_t results;

	/* A cleaning measures nothing. */
	if (report->warned || !report->page.verbose || !report->journal.name ||
	    !test->plan->backend->files || plan_cleans(test->plan))
		return;
	if (!device_of(report->journal.document, &results) || !lies_beside(test->plan, results))
		return;
	report->warned = true;
	error_set(&err, 0,
		  "the results are written to the file system under test (%.300s); "
		  "output=FILE.json puts them elsewhere",
		  report->journal.document);
	message_warn(&err);
}

void report_test(struct report *report, const struct test_result *test,
		 const struct mount_facts *mount)
{
	struct text page = {0}, source = {0};
	struct mount_facts hidden;

	warn_same_device(report, test);
	if (mount && anonymize_source(&report->anonymizer, mount->type, mount->source, &source)) {
		hidden = *mount;
		snprintf(hidden.source, sizeof(hidden.source), "%s", text_string(&source));
		mount = &hidden;
	}
	text_release(&source);
	if (mount)
		anonymizer_add(&report->anonymizer, mount->source);
	enter(report, test);
	json_decref(report->test);
	report->test = record_test(report->job, test, mount);
	report_add_line(report, "test", json_incref(report->test));
	style_of(report, test)->test(&report->page, &page, test, mount);
	report_print_page(report, &page);
	if (has_summary(report, test))
		ior_summary_test(&report->summary, test, mount);
	leave(report);
}

void report_task(struct report *report, unsigned test, enum phase_kind kind, uint64_t repetition,
		 const struct task_row *row, uint64_t since_ns)
{
	struct text line = {0};

	if (!report->sinks.tasks.file)
		return;
	text_add(&line, "%u,%s,%" PRIu64 ",", test, phase_name(kind), repetition);
	tasks_csv_row(&line, row, !phase_moves_data(kind), since_ns,
		      hosts_name(&report->page.hosts, row->node));
	sinks_task_row(&report->sinks, &line);
	text_release(&line);
}

/* Reports a sentence of the line, if it is there. */
static void report_sentence(const char *sentence)
{
	if (*sentence)
		report_message("error", sentence);
}

void report_phase(struct report *report, const struct test_result *test,
		  const struct phase_result *phase, const struct verdict *verdicts, size_t count)
{
	struct text page = {0}, row = {0}, words = {0};
	json_t *record = record_phase(test, phase, verdicts, count, &report->page.hosts);

	enter(report, test);
	csv_rows(&row, test->plan, hosts_name(&report->page.hosts, plan_job_node(test->plan, 0)),
		 report->test, record);
	style_of(report, test)->phase(&report->page, &page, test, phase, verdicts, count, record);
	if (has_summary(report, test))
		ior_summary_phase(&report->summary, &words, test, record);
	report_add_line(report, "phase", json_incref(record));
	sinks_row(&report->sinks, &row);
	text_release(&row);
	report_print_page(report, &page);
	leave(report);
	report_print_summary(report, &words);
	report_sentence(line_text(record, "failure/message"));
	report_sentence(line_text(phase_line_verification(record), "summary"));
	json_decref(record);
}

void report_removal(struct report *report, const struct test_result *test, uint64_t repetition,
		    double seconds)
{
	const struct style *style = style_of(report, test);
	struct text page = {0};

	if (style->removal)
		style->removal(&report->page, &page, test, repetition, seconds);
	report_print_page(report, &page);
}

json_t *report_test_end(struct report *report, const struct test_result *test)
{
	struct assessed_summary assessed[PLAN_PHASES];
	struct text page = {0};
	json_t *record;

	assess_summaries(test, assessed);
	record = record_test_end(test, assessed, &report->page.hosts);
	enter(report, test);
	style_of(report, test)->test_end(&report->page, &page, test, record);
	if (has_summary(report, test))
		ior_summary_test_end(&report->summary, test);
	studies_add(&report->studies, test, record);
	slowdowns_add(&report->slowdowns, test, record);
	report_add_line(report, "test_end", json_incref(record));
	report_print_page(report, &page);
	if (report->member)
		report->member->ended = true;
	leave(report);
	print_ended(report, false);
	return record;
}

void report_curve(struct report *report, const struct curve_report *curve)
{
	struct text page = {0};

	if (!report->curves)
		report->curves = json_array();
	json_array_append_new(report->curves, curve_record(curve));
	text_add(&page, "\n");
	curve_page(curve, &page);
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
