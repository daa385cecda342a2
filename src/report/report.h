/*
 * Writes what happened, on task 0 only: text to standard output, the journal and its document, CSV.
 * Knows the result and nothing else of the program. Messages for the user go to standard error.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "assess/environment.h"
#include "assess/verdict.h"
#include "base/text.h"
#include "options/job.h"
#include "result/result.h"

struct report; /* opaque: outputs, journal, width of the terminal */

/*
 * Opens the journal and the outputs (run options output, summary_file, summary_format; without any
 * .json among them iorx-<date>-<time>.json in the working directory, with output=none and of a cleaning
 * none) and writes the head. A named file that cannot be made is ERROR_INPUT before anything is measured. Existing result files
 * are not overwritten but by name. hosts: names by node, environment->nodes of them, living as long
 * as the report; NULL: numbers.
 */
int report_start(struct report **report, const struct job *job, int argc, char *const *argv,
		 const struct environment *environment, const char (*hosts)[HOST_NAME_SIZE],
		 struct error *err);

/* Once per test, before its first phase. mount: of its test file. */
void report_test(struct report *report, const struct test_result *test,
		 const struct mount_facts *mount);

/* One task's row of a phase that began at since_ns on the common axis; before report_phase(). */
void report_task(struct report *report, unsigned test, enum phase_kind kind, uint64_t repetition,
		 const struct task_row *row, uint64_t since_ns);

/*
 * Once per phase of a repetition; synced to the journal when it returns. A failure is also said on
 * standard error.
 */
void report_phase(struct report *report, const struct test_result *test,
		  const struct phase_result *phase, const struct verdict *verdicts, size_t count);

/* Once the files of a repetition are removed, by all tasks in so many seconds. */
void report_removal(struct report *report, const struct test_result *test, uint64_t repetition,
		    double seconds);

/* After a test's last phase: the summary. */
void report_test_end(struct report *report, const struct test_result *test);

/* Of a phase that runs, as far as task 0's node knows. */
struct progress {
	enum phase_kind kind;
	uint64_t repetition, repetitions; /* from 0; at most */
	double share;           /* done, 0 to 1 */
	double operations_rate; /* now, of all tasks, per second */
	double bytes_rate;      /* 0: no bytes are moved */
	double seconds_left;    /* negative: not known */
	uint32_t seen_tasks, tasks; /* those looked at, and all */
	bool moving;            /* else it is what `activity` says */
	const char *activity;
};

/*
 * Says it in a line that is written over, where standard output ends on a terminal, or as the option
 * progress wants. May be called from another thread than all else.
 */
void report_progress(struct report *report, const struct progress *progress);
/* Takes the line away before something else is said. */
void report_progress_end(struct report *report);

/* An error of the job, "iorx: error: …" on standard error and in the journal. */
void report_error(struct report *report, const struct error *err);

/* Whether some of the results that were asked for could not be written so far; that was said on standard error. */
bool report_broken(const struct report *report);

/*
 * The end: turns the journal into the document, prints where the files lie; frees. -1 when any of
 * the results could not be written whole, which has been said by then: the job must not end well.
 */
int report_finish(struct report *report, enum job_status status, int exit_code);

/* The name of the journal, for report_rescue(); lives as long as the report. NULL: there is none. */
const char *report_journal_name(const struct report *report);
const char *report_document_name(const struct report *report);

/*
 * Makes the document from the journal as it stands, status "interrupted": also from another thread
 * while the job is hanging, and by iorx --finish JOURNAL. Written beside and renamed.
 */
int report_rescue(const char *journal, const char *document, struct error *err);

/*
 * iorx --finish: NAME.json from NAME.jsonl; document gets its name when it was made. ERROR_INPUT: nothing was made, as
 * that is no journal, or a file is there that must stay. ERROR_IO: lines were left out of the document
 * that was made, or it could not be written.
 */
int report_finish_journal(const char *journal, struct text *document, struct error *err);

/* Text for --show-plan. hosts: names by node, NULL: numbers. verbose: every task, not the first. */
void report_plan(FILE *out, const struct test_result *test, const char (*hosts)[HOST_NAME_SIZE],
		 unsigned verbose);

/* One message: "iorx: error: <text>"; failure: with phase, task, host, file and place. */
void report_message(const char *kind, const char *text);
void report_failure_text(const struct phase_result *phase, struct text *out);

#endif
