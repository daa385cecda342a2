/* Opens all outputs of a job and writes their heads. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "page/command.h"
#include "page/csv.h"
#include "page/intervals_csv.h"
#include "page/layout.h"
#include "page/message.h"
#include "page/report_state.h"
#include "page/tasks_csv.h"
#include "page/terminal.h"
#include "record/record.h"

void report_free(struct report *report)
{
	anonymizer_release(&report->anonymizer);
	json_decref(report->run);
	text_release(&report->command);
	text_release(&report->cleanup);
	free(report);
}

static void start_summary(struct report *report)
{
	const struct job *job = report->job;
	struct text words = {0};

	if (!report->sinks.list[SINK_SUMMARY].file)
		return;
	report->summary = (struct ior_summary){.run = run_of(job)};
	for (size_t i = 0; i < job->output_count; i++)
		report->summary.csv |= job->outputs[i].format == OUTPUT_IOR_CSV;
	ior_summary_start(&report->summary, &words, &report->page, report->run);
	report_print_summary(report, &words);
}

static void start_pages(struct report *report)
{
	struct text page = {0}, head = {0};

	csv_head(&head);
	sinks_add(&report->sinks, SINK_CSV, &head);
	text_clear(&head);
	text_add(&head, "test,phase,repetition,");
	tasks_csv_head(&head);
	sinks_add(&report->sinks, SINK_TASKS, &head);
	text_release(&head);
	report->style->head(&report->page, &page, report->run);
	report_print_page(report, &page);
	start_summary(report);
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

/* True for --cleanup, which has no result and needs no document. */
static bool measures_nothing(const struct job *job)
{
	if (job_cleans_loads(job))
		return true;
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

static int open_journal(struct report *report, const struct journal_before *before,
			struct error *err)
{
	const char *wanted = report->sinks.document;

	report->journal = (struct journal){.fd = -1};
	if (before)
		return journal_continue(&report->journal, before, err);
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
	sinks_add(&report->sinks, SINK_INTERVALS, &head);
	text_release(&head);
}

/*
 * A job on standard input is gone with it. A program that made the job may give the command that
 * cleans up behind it, and otherwise none is named.
 */
static void add_cleanup_given(struct text *out)
{
	const char *command = getenv("IORX_CLEANUP_COMMAND");

	if (command)
		utf8_printable(out, command);
}

int report_start(struct report **report, const struct job *job, int argc, char *const *argv,
		 const struct environment *environment, const char (*hosts)[HOST_NAME_SIZE],
		 const struct journal_before *before, struct error *err)
{
	struct report *made = memory_allocate(1, sizeof(*made));
	static char *const left_out[] = {"iorx", "--anonymize"};
	static const struct style *const styles[] = {
		[FORMAT_TEXT] = &text_style,
		[FORMAT_IOR] = &ior_style,
		[FORMAT_MDTEST] = &mdtest_style,
		[FORMAT_MDTEST_COLON] = &mdtest_style,
	};

	if (anonymizer_init(&made->anonymizer, job, hosts, environment->nodes, err)) {
		report_free(made);
		return -1;
	}
	if (made->anonymizer.wanted) {
		argc = 2;
		argv = left_out;
	} else if (job->source && !strcmp(job->source, "-")) {
		add_cleanup_given(&made->cleanup);
	} else {
		command_add_cleanup(&made->cleanup, environment->tasks, job->environment, argc,
				    argv, run_of(job)->allow_overwrite);
	}
	made->job = job;
	clock_gettime(CLOCK_MONOTONIC, &made->began);
	made->environments = environment->every_node;
	made->page.job = job;
	made->page.verbose = run_of(job)->verbose;
	made->page.quiet = run_of(job)->quiet;
	made->page.unit = run_of(job)->unit;
	set_columns(made, terminal_columns(STDOUT_FILENO));
	message_erase_live(made->live_columns && terminal_columns(STDERR_FILENO));
	command_add_job(&made->command, made->anonymizer.wanted ? NULL : job->environment, argc,
			argv);
	made->page.command = text_string(&made->command);
	made->page.colons = run_of(job)->format == FORMAT_MDTEST_COLON;
	made->page.anonymizer = &made->anonymizer;
	made->page.hosts = (struct hosts){
		.names = made->anonymizer.wanted ? (const void *)made->anonymizer.hosts : hosts,
		.count = environment->nodes};
	if (sinks_open(&made->sinks, job, err)) {
		report_free(made);
		return -1;
	}
	if (open_journal(made, before, err)) {
		sinks_close(&made->sinks);
		report_free(made);
		return -1;
	}
	open_intervals(made);
	/* Without a page on standard output doubts go to standard error, as in IOR's form. */
	made->style = made->sinks.list[SINK_OUT].file ? styles[run_of(job)->format] : &ior_style;
	made->run = record_run(job, argc, argv, environment, &made->page.hosts);
	report_add_line(made, made->journal.length ? "session" : "run", json_incref(made->run));
	start_pages(made);
	*report = made;
	return 0;
}
