/* Makes the document, closes all outputs of a job and names their files. */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/units.h"
#include "page/layout.h"
#include "page/message.h"
#include "page/report_state.h"
#include "page/slowdowns.h"
#include "record/document.h"
#include "record/record.h"

static void print_file(const struct report *report, struct text *page, const char *label,
		       const char *path, bool whole)
{
	struct text words = {0};

	text_add(&words, "%s%s", path, whole ? "" : ", INCOMPLETE");
	anonymize_text(&report->anonymizer, &words);
	page_field(page, label, &words);
}

/* How the job ended, what it moved and how long it took: "complete, 128 GiB in 71 s" */
static void add_end(const struct report *report, struct text *words, enum job_status status)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	text_add(words, "%s, ", job_status_name(status));
	if (report->moved_bytes)
		text_add(words, "%s in ", units_show_bytes(report->moved_bytes).text);
	text_add(words, "%s",
		 units_show_seconds((double)(now.tv_sec - report->began.tv_sec) +
				    1e-9 * (double)(now.tv_nsec - report->began.tv_nsec))
			 .text);
}

/* A job that ends early with --resume is meant to go on. */
static bool keeps_journal(const struct report *report, enum job_status status)
{
	return status == JOB_INTERRUPTED && run_of(report->job)->resume;
}

/* Turns the journal into the document. If that fails, the journal stays. */
static int finish_document(struct report *report, struct text *page, enum job_status status)
{
	struct text words = {0};
	struct journal *journal = &report->journal;
	struct document_notes notes;
	struct error err = {0};
	bool made, whole;

	if (!journal->name) {
		add_end(report, &words, status);
		page_field(page, "ended", &words);
		return 0;
	}
	made = !document_make(journal->name, journal->document, "interrupted", &notes, &err);
	if (!made)
		error_add(&err, "results: the document could not be made, the journal %.200s stays",
			  journal->name);
	else if (notes.left_out.length)
		error_set(&err, 0, "results: %s", notes.left_out.bytes);
	whole = err.kind == ERROR_NONE && !journal->broken;
	if (err.kind != ERROR_NONE)
		report_loss(report, &err);
	if (whole && !keeps_journal(report, status))
		unlink(journal->name);
	if (made)
		text_add(&words, "%s: %s", journal->document, whole ? "" : "INCOMPLETE, ");
	anonymize_text(&report->anonymizer, &words);
	add_end(report, &words, status);
	page_field(page, made ? "results" : "ended", &words);
	if (notes.older.length)
		print_file(report, page, "older", notes.older.bytes, true);
	if (!made || keeps_journal(report, status))
		print_file(report, page, "journal", journal->name, !journal->broken);
	document_notes_release(&notes);
	return whole || !wants_document(report) ? 0 : -1;
}

bool report_broken(const struct report *report)
{
	return (wants_document(report) && report->journal.broken) || sinks_broken(&report->sinks);
}

static void print_files(const struct report *report, struct text *page)
{
	static const char *const labels[] = {
		[SINK_CSV] = "table", [SINK_TASKS] = "tasks",	  [SINK_INTERVALS] = "intervals",
		[SINK_TEXT] = "text", [SINK_SUMMARY] = "summary",
	};

	for (enum sink_kind kind = 0; kind < SINK_OUT; kind++) {
		const struct sink *sink = &report->sinks.list[kind];

		if (sink->file)
			print_file(report, page, labels[kind], sink->path, !sink->broken);
	}
}

/* The command is not wrapped and stands alone on the last line, so that it can be pasted. */
static void add_cleanup(const struct report *report, struct text *page)
{
	const bool known = report->cleanup.length > 0;

	if (!report->page.names_cleanup)
		return;
	layout_paragraph(page, "cleanup", PAGE_INDENT,
			 !known ? "the words of this job with --load.cleanup, and the job on "
				  "standard input if it was there, remove the files of its loads"
			 : report->page.names_nameless
				 ? "this command, with --allow-overwrite added for iorx, removes "
				   "the files of the load, some of which have no stamps:"
				 : "this command removes the files of the load:");
	if (known)
		text_add(page, "%s\n", text_string(&report->cleanup));
}

int report_finish(struct report *report, enum job_status status, int exit_code)
{
	json_t *end = record_end(status, exit_code);
	struct text page = {0}, words = {0};
	int ret;

	report_set_end(report);
	json_object_set_new(end, "curves", report->curves ? report->curves : json_array());
	json_object_set_new(end, "slowdowns", slowdowns_record(&report->studies));
	report_add_line(report, "end", end);
	journal_close(&report->journal);
	page_between(&report->page, &page);
	studies_page(&report->studies, report->job, &rate_units[report->page.unit], &page);
	page_closing(&report->page, &page);
	slowdowns_page(&report->studies, &rate_units[report->page.unit], &page);
	anonymize_text(&report->anonymizer, &page); /* the tables name tests */
	page_verdicts(&report->page.joined, report->page.quiet ? DETAIL_QUIET : DETAIL_SHORT,
		      &page);
	page_legend(&report->page, report->studies.count > 0, &page);
	ret = finish_document(report, &page, status);
	print_files(report, &page);
	if (report->style->end) {
		text_clear(&page);
		report->style->end(&report->page, &page);
	}
	add_cleanup(report, &page);
	report_print_page(report, &page);
	ior_summary_finish(&report->summary, &words);
	report_print_summary(report, &words);
	if (sinks_close(&report->sinks))
		ret = -1;
	text_release(&report->intervals);
	journal_release(&report->journal);
	kept_verdicts_release(&report->page.joined);
	text_release(&report->page.storage);
	studies_release(&report->studies);
	report_free(report);
	return ret;
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
