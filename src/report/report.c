/* Passes every event to all outputs: the text, the table, the journal. */
#include "report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "report/anonymize.h"
#include "report/csv.h"
#include "report/damage.h"
#include "report/document.h"
#include "report/intervals_csv.h"
#include "report/ior_page.h"
#include "report/ior_summary.h"
#include "report/journal.h"
#include "report/layout.h"
#include "report/live.h"
#include "report/mdtest_page.h"
#include "report/message.h"
#include "report/page.h"
#include "report/record.h"
#include "report/sinks.h"
#include "report/slowdowns.h"
#include "report/studies.h"
#include "report/tasks_csv.h"
#include "report/terminal.h"

/* Functions that write one form of the text. */
struct style {
	void (*head)(const struct page *page, struct text *out,
		     const struct environment *environment, int argc, char *const *argv);
	void (*test)(struct page *page, struct text *out, const struct test_result *test,
		     const struct mount_facts *mount);
	void (*phase)(struct page *page, struct text *out, const struct test_result *test,
		      const struct phase_result *phase, const struct verdict *verdicts,
		      size_t count);
	void (*test_end)(struct page *page, struct text *out, const struct test_result *test,
			 const struct assessed_summary *assessed);
	void (*end)(struct page *page, struct text *out); /* NULL: the names of the files written */
	/* NULL: the form has no such line */
	void (*removal)(const struct page *page, struct text *out, const struct test_result *test,
			uint64_t repetition, double seconds);
};

static const struct style styles[] = {
	[FORMAT_TEXT] = {page_head, page_test, page_phase, page_test_end, NULL, NULL},
	[FORMAT_IOR] = {ior_page_head, ior_page_test, ior_page_phase, ior_page_test_end,
			ior_page_end, ior_page_removal},
	[FORMAT_MDTEST] = {mdtest_page_head, mdtest_page_test, mdtest_page_phase,
			   mdtest_page_test_end, mdtest_page_end, NULL},
	[FORMAT_MDTEST_COLON] = {mdtest_page_head, mdtest_page_test, mdtest_page_phase,
				 mdtest_page_test_end, mdtest_page_end, NULL},
};

/* The state of the page of one member of a set, and its text so far. */
struct held {
	struct kept_verdict *kept;
	size_t kept_count;
	json_t *test;
	struct text text;
	bool ended;
};

struct report {
	const struct style *style;
	const struct job *job;
	struct journal journal;
	struct sinks sinks;
	struct anonymizer anonymizer;
	struct text intervals; /* name of the table of intervals; "": there is none */
	struct page page;
	struct ior_summary summary;
	struct studies studies;
	struct slowdowns slowdowns;
	json_t *curves;	      /* records of the curves that have ended; NULL: none */
	json_t *test;	      /* record of the test that runs */
	struct held *members; /* of the set that runs; NULL: none runs */
	struct held *member;  /* the one that is reported; NULL: none */
	unsigned first_member, member_count;
	unsigned printed;      /* of these, whose text is out */
	bool warned;	       /* warned that results lie on the file system under test */
	unsigned live_columns; /* width of the live line; 0: there is none */
};

/*
 * Tests that the chosen form cannot show use the form of iorx: IOR has no metadata tests, mdtest no
 * data tests.
 */
static const struct style *style_of(const struct report *report, const struct test_result *test)
{
	bool is_ior = report->style == &styles[FORMAT_IOR];

	return is_ior == !test->plan->metadata ? report->style : &styles[FORMAT_TEXT];
}

/*
 * True if the user named a document. The default document may be lost without a failure of the job.
 */
static bool wants_document(const struct report *report)
{
	return report->sinks.document;
}

static void report_loss(const struct report *report, const struct error *err)
{
	report_message(wants_document(report) ? "error" : "warning", err->text);
}

/*
 * Adds a line to the journal and takes ownership of value. A line that cannot be written is
 * reported. The journal is broken from then on, and the job continues without it.
 */
static void add_line(struct report *report, const char *event, json_t *value)
{
	struct error err;

	anonymize_json(&report->anonymizer, value);
	if (journal_add(&report->journal, event, value, &err))
		report_loss(report, &err);
}

static void print_page(struct report *report, struct text *page)
{
	if (report->member) {
		text_add_bytes(&report->member->text, text_string(page), page->length);
		text_release(page);
		return;
	}
	sinks_print(&report->sinks, page);
	text_release(page);
}

static void print_summary(struct report *report, struct text *words)
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
		print_page(report, &held->text);
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
	return report->sinks.summary.file && !test->plan->metadata;
}

static void start_summary(struct report *report, int argc, char *const *argv,
			  const struct environment *environment)
{
	const struct job *job = report->job;
	struct text words = {0};

	if (!report->sinks.summary.file)
		return;
	report->summary = (struct ior_summary){.run = run_of(job)};
	for (size_t i = 0; i < job->output_count; i++)
		report->summary.csv |= job->outputs[i].format == OUTPUT_IOR_CSV;
	ior_summary_start(&report->summary, &words, &report->page, environment, argc, argv);
	print_summary(report, &words);
}

static void start_pages(struct report *report, int argc, char *const *argv,
			const struct environment *environment)
{
	struct text page = {0}, head = {0};

	csv_head(&head);
	sinks_row(&report->sinks, &head);
	text_clear(&head);
	text_add(&head, "test,phase,repetition,");
	tasks_csv_head(&head);
	sinks_task_row(&report->sinks, &head);
	text_release(&head);
	report->style->head(&report->page, &page, environment, argc, argv);
	print_page(report, &page);
	start_summary(report, argc, argv, environment);
}

/* columns: of the terminal; 0: there is none. */
static void set_columns(struct report *report, unsigned columns)
{
	switch ((enum progress_mode)run_of(report->job)->progress) {
	case PROGRESS_AUTO:
		report->live_columns = columns;
		break;
	case PROGRESS_ON:
		report->live_columns = columns ? columns : COLUMNS;
		break;
	case PROGRESS_OFF:
		break;
	}
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

/* True for --cleanup, which has no result and needs no document. */
static bool measures_nothing(const struct job *job)
{
	for (size_t i = 0; i < job->test_count; i++) {
		const struct metadata *test = metadata_of(&job->tests[i]);

		if (!test || !test->cleanup)
			return false;
	}
	return job->test_count > 0;
}

/* Warns that another job has the requested name. */
static void warn_other_name(const char *wanted, const char *document)
{
	struct error err;

	error_set(&err, 0,
		  "output: the journal of %.200s exists: another job is writing that document, or "
		  "was killed (iorx --finish makes its document); this job writes %.200s",
		  wanted, document);
	message_warn(&err);
}

static int open_journal(struct report *report, struct error *err)
{
	const char *wanted = report->sinks.document;

	report->journal = (struct journal){.fd = -1};
	if (!wanted && (report->job->no_document || measures_nothing(report->job)))
		return 0;
	if (journal_open(&report->journal, wanted, err)) {
		if (wanted)
			return -1;
		error_add(err, "there is no result file");
		message_warn(err);
		*err = (struct error){.kind = ERROR_NONE};
	}
	if (wanted && strcmp(wanted, report->journal.document))
		warn_other_name(wanted, report->journal.document);
	return 0;
}

/* Opens NAME.intervals.csv beside the document NAME.json. Without a document there is none. */
static void open_intervals(struct report *report)
{
	const char *document = report->journal.document;
	struct text head = {0};

	if (!document || !sinks_have_intervals(report->job))
		return;
	sinks_name_intervals(document, &report->intervals);
	sinks_open_intervals(&report->sinks, report->job, &report->intervals);
	intervals_csv_head(&head);
	sinks_interval(&report->sinks, &head);
	text_release(&head);
}

void report_intervals(struct report *report, const struct text *rows)
{
	sinks_interval(&report->sinks, rows);
}

static void report_free(struct report *report)
{
	anonymizer_release(&report->anonymizer);
	free(report);
}

int report_start(struct report **report, const struct job *job, int argc, char *const *argv,
		 const struct environment *environment, const char (*hosts)[HOST_NAME_SIZE],
		 struct error *err)
{
	struct report *made = memory_allocate(1, sizeof(*made));
	static char *const left_out[] = {"iorx", "--anonymize"};

	if (anonymizer_init(&made->anonymizer, job, hosts, environment->nodes, err)) {
		report_free(made);
		return -1;
	}
	if (made->anonymizer.wanted) {
		argc = 2;
		argv = left_out;
	}
	made->job = job;
	made->page.job = job;
	made->page.verbose = run_of(job)->verbose;
	set_columns(made, terminal_columns());
	made->page.environment = made->anonymizer.wanted ? NULL : job->environment;
	made->page.colons = run_of(job)->format == FORMAT_MDTEST_COLON;
	made->page.hosts = (struct hosts){.names = hosts, .count = environment->nodes};
	if (sinks_open(&made->sinks, job, err)) {
		report_free(made);
		return -1;
	}
	made->sinks.anonymizer = &made->anonymizer;
	if (open_journal(made, err)) {
		sinks_close(&made->sinks);
		report_free(made);
		return -1;
	}
	open_intervals(made);
	/* Without a page on standard output doubts go to standard error, as in IOR's form. */
	made->style = &styles[made->sinks.out.file ? run_of(job)->format : FORMAT_IOR];
	add_line(made, "run", record_run(job, argc, argv, environment, &made->page.hosts));
	start_pages(made, argc, argv, environment);
	*report = made;
	return 0;
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
	    !test->plan->backend->files || (test->plan->metadata && test->plan->metadata->cleanup))
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
	struct text page = {0};

	warn_same_device(report, test);
	if (mount)
		anonymizer_add(&report->anonymizer, mount->source);
	enter(report, test);
	json_decref(report->test);
	report->test = record_test(report->job, test, mount);
	add_line(report, "test", json_incref(report->test));
	style_of(report, test)->test(&report->page, &page, test, mount);
	print_page(report, &page);
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

static void report_phase_failure(const struct phase_result *phase)
{
	struct text words = {0};

	if (phase->failure.error.kind == ERROR_NONE)
		return;
	report_failure_text(phase, &words);
	report_message("error", text_string(&words));
	text_release(&words);
}

static void report_wrong_data(const struct test_result *test, const struct phase_result *phase)
{
	struct text words = {0};

	if (!phase->wrong_bytes)
		return;
	damage_summary(test, phase, &words);
	report_message("error", text_string(&words));
	text_release(&words);
}

void report_phase(struct report *report, const struct test_result *test,
		  const struct phase_result *phase, const struct verdict *verdicts, size_t count)
{
	struct text page = {0}, row = {0}, words = {0};
	json_t *record = record_phase(test, phase, verdicts, count, &report->page.hosts);

	enter(report, test);
	csv_rows(&row, test->plan, phase->index, report->test, record);
	add_line(report, "phase", record);
	sinks_row(&report->sinks, &row);
	text_release(&row);
	style_of(report, test)->phase(&report->page, &page, test, phase, verdicts, count);
	print_page(report, &page);
	leave(report);
	if (has_summary(report, test))
		ior_summary_phase(&report->summary, &words, test, phase);
	print_summary(report, &words);
	report_phase_failure(phase);
	report_wrong_data(test, phase);
}

void report_removal(struct report *report, const struct test_result *test, uint64_t repetition,
		    double seconds)
{
	const struct style *style = style_of(report, test);
	struct text page = {0};

	if (style->removal)
		style->removal(&report->page, &page, test, repetition, seconds);
	print_page(report, &page);
}

void report_test_end(struct report *report, const struct test_result *test)
{
	struct assessed_summary assessed[PLAN_PHASES];
	struct text page = {0};

	assess_summaries(test, assessed);
	enter(report, test);
	add_line(report, "test_end", record_test_end(test, assessed, &report->page.hosts));
	style_of(report, test)->test_end(&report->page, &page, test, assessed);
	if (has_summary(report, test))
		ior_summary_test_end(&report->summary, test);
	studies_add(&report->studies, test, assessed);
	slowdowns_add(&report->slowdowns, test, assessed);
	print_page(report, &page);
	if (report->member)
		report->member->ended = true;
	leave(report);
	print_ended(report, false);
}

void report_curve(struct report *report, const struct curve_report *curve)
{
	struct text page = {0};

	if (!report->curves)
		report->curves = json_array();
	json_array_append_new(report->curves, curve_record(curve));
	text_add(&page, "\n");
	curve_page(curve, &page);
	print_page(report, &page);
}

void report_error(struct report *report, const struct error *err)
{
	report_message("error", err->text);
	if (report)
		add_line(report, "error", record_error(err));
}

static void print_file(struct text *page, const char *label, const char *path, bool whole)
{
	struct text words = {0};

	text_add(&words, "%s%s", path, whole ? "" : ", INCOMPLETE");
	layout_paragraph(page, label, PAGE_INDENT, text_string(&words));
	text_release(&words);
}

/* Turns the journal into the document. If that fails, the journal stays. */
static int finish_document(struct report *report, struct text *page)
{
	struct journal *journal = &report->journal;
	struct document_notes notes;
	struct error err = {0};
	bool made, whole;

	if (!journal->name)
		return 0;
	made = !document_make(journal->name, journal->document, "interrupted", &notes, &err);
	if (!made)
		error_add(&err, "results: the document could not be made, the journal %.200s stays",
			  journal->name);
	else if (notes.left_out.length)
		error_set(&err, 0, "results: %s", notes.left_out.bytes);
	whole = err.kind == ERROR_NONE && !journal->broken;
	if (err.kind != ERROR_NONE)
		report_loss(report, &err);
	if (whole)
		unlink(journal->name);
	if (made)
		print_file(page, "results", journal->document, whole);
	if (notes.older.length)
		print_file(page, "older", notes.older.bytes, true);
	if (!made)
		print_file(page, "journal", journal->name, !journal->broken);
	document_notes_release(&notes);
	return whole || !wants_document(report) ? 0 : -1;
}

bool report_broken(const struct report *report)
{
	return (wants_document(report) && report->journal.broken) || sinks_broken(&report->sinks);
}

static void print_files(struct report *report, struct text *page, enum job_status status)
{
	const struct sink *table = &report->sinks.csv, *words = &report->sinks.text;
	const struct sink *summary = &report->sinks.summary;

	if (table->file)
		print_file(page, "table", table->path, !table->broken);
	if (report->sinks.tasks.file)
		print_file(page, "tasks", report->sinks.tasks.path, !report->sinks.tasks.broken);
	if (report->sinks.intervals.file)
		print_file(page, "intervals", report->sinks.intervals.path,
			   !report->sinks.intervals.broken);
	if (words->file)
		print_file(page, "text", words->path, !words->broken);
	if (summary->file)
		print_file(page, "summary", summary->path, !summary->broken);
	if (status != JOB_COMPLETE)
		print_file(page, "status", job_status_name(status), true);
}

int report_finish(struct report *report, enum job_status status, int exit_code)
{
	json_t *end = record_end(status, exit_code);
	struct text page = {0}, words = {0};
	int ret;

	json_object_set_new(end, "curves", report->curves ? report->curves : json_array());
	json_object_set_new(end, "slowdowns", slowdowns_record(&report->slowdowns));
	add_line(report, "end", end);
	journal_close(&report->journal);
	text_add(&page, "\n");
	studies_page(&report->studies, &page);
	slowdowns_page(&report->slowdowns, &page);
	page_legend(&report->page, report->studies.count > 0, &page);
	ret = finish_document(report, &page);
	print_files(report, &page, status);
	if (report->style->end) {
		text_clear(&page);
		report->style->end(&report->page, &page);
	}
	print_page(report, &page);
	ior_summary_finish(&report->summary, &words);
	print_summary(report, &words);
	if (sinks_close(&report->sinks))
		ret = -1;
	text_release(&report->intervals);
	journal_release(&report->journal);
	page_release(&report->page);
	studies_release(&report->studies);
	slowdowns_release(&report->slowdowns);
	json_decref(report->test);
	report_free(report);
	return ret;
}

const char *report_journal_name(const struct report *report)
{
	return report->journal.name;
}

const char *report_document_name(const struct report *report)
{
	return report->journal.document;
}

int report_rescue(const char *journal, const char *document, struct error *err)
{
	struct document_notes notes;
	int ret = document_make(journal, document, "interrupted", &notes, err);

	document_notes_release(&notes);
	return ret;
}

static void report_older(const char *document, const char *older)
{
	struct text words = {0};

	text_add(&words, "%s of another run was renamed to %s", document, older);
	report_message("warning", text_string(&words));
	text_release(&words);
}

int report_finish_journal(const char *journal, struct text *document, struct error *err)
{
	const char *end = strrchr(journal, '.');
	struct document_notes notes;
	int ret;

	if (!end || strcmp(end, ".jsonl"))
		return error_input(err, "%.300s is no journal; its name ends in .jsonl", journal);
	text_add(document, "%.*s.json", (int)(end - journal), journal);
	if (document_check_replace(journal, text_string(document), err))
		return -1;
	ret = document_make(journal, text_string(document), "interrupted", &notes, err);
	if (notes.older.length)
		report_older(text_string(document), notes.older.bytes);
	if (ret)
		text_clear(document);
	else if (notes.left_out.length)
		ret = error_set(err, 0, "%s", notes.left_out.bytes);
	document_notes_release(&notes);
	return ret;
}
