/*
 * Writes the results on task 0: text to standard output, the journal and its document, CSV.
 * Messages for the user go to standard error. The report knows the result and nothing else of the
 * program.
 */
#ifndef PAGE_REPORT_H
#define PAGE_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "environment/environment.h"
#include "environment/mount.h"
#include "assess/verdict.h"
#include "base/text.h"
#include "options/job.h"
#include "page/curves.h"
#include "result/result.h"

struct anonymizer;
struct journal_before;
struct report; /* opaque: outputs, journal, width of the terminal */

/*
 * Opens the journal and the outputs (run options output, summary_file, summary_format) and writes
 * the head.
 *
 * If no output is a .json file, the document is iorx-<date>-<time>.json in the working directory.
 * With output=none, or for a cleaning, there is none. A named file that cannot be made is
 * ERROR_INPUT before anything is measured. Existing result files are only overwritten by name.
 *
 * hosts: names by node, environment->nodes of them, which must live as long as the report; NULL:
 * numbers. before: the journal behind which the job goes on; NULL: it begins anew.
 */
int report_start(struct report **report, const struct job *job, int argc, char *const *argv,
		 const struct environment *environment, const char (*hosts)[HOST_NAME_SIZE],
		 const struct journal_before *before, struct error *err);

/*
 * While this is on, tests and lines are those of earlier sessions: they are in the journal, and go
 * into all forms of the text.
 */
void report_replay(struct report *report, bool on);

/*
 * Around the reports of `count` tests from number `first` on that run at the same time. Their lines
 * in the journal are written at once. Their texts are held back, and printed one test after the
 * other.
 */
void report_set_start(struct report *report, unsigned first, unsigned count);
void report_set_end(struct report *report);

/* Called once per test, before its first phase. mount: of its test file. */
void report_test(struct report *report, const struct test_result *test,
		 const struct mount_facts *mount);

/*
 * Adds one task's row of a phase that began at since_ns on the common axis. Called before
 * the line of the phase.
 */
void report_task(struct report *report, unsigned test, enum phase_kind kind, uint64_t repetition,
		 const struct task_row *row, uint64_t since_ns);

/* The lines of a running test (record/record.h). */
enum line_kind { LINE_PHASE, LINE_REMOVAL, LINE_TEST_END, LINE_ERROR };

/*
 * Reports a line and takes ownership of it: every form of the text is made from it. When this
 * returns, the journal is synced. The sentences of a failed phase are also printed to standard
 * error; who has an error prints it.
 */
void report_line(struct report *report, unsigned test, enum line_kind kind, json_t *line);

/* Writes a curve of load against response time after its last point. */
void report_curve(struct report *report, const struct curve_report *curve);

/* Progress of the job, and of the running phase as far as task 0's node knows. */
struct progress {
	const char *unit;		  /* "point" of a study or "test" of the job */
	unsigned number, numbers;	  /* of the present one, from 1; how many there are */
	uint64_t repetition, repetitions; /* from 1; their number, 0: not known */
	double job_share;		  /* done, 0 to 1 */
	double job_seconds_left;	  /* negative: neither of the two is known */

	const char *phase;	    /* its name; NULL: none runs, and the rest is not set */
	double share;		    /* done, 0 to 1 */
	double operations_rate;	    /* present rate of all tasks, per second */
	double bytes_rate;	    /* 0: no bytes are moved */
	double seconds_left;	    /* negative: not known */
	uint32_t seen_tasks, tasks; /* tasks looked at; all tasks */
	bool moving;		    /* false: `activity` says what the phase does */
	const char *activity;
};

/*
 * Writes the live line where standard output ends on a terminal, or as the option progress says.
 * May be called from another thread than all other functions.
 */
void report_progress(struct report *report, const struct progress *progress);

/*
 * Adds rows to the table of intervals beside the document. Called from one thread at a time, also
 * from another one than all other functions.
 */
void report_intervals(struct report *report, const struct text *rows);

/* Reports an error of the job: "iorx: error: …" on standard error, and in the journal. */
void report_error(struct report *report, const struct error *err);

/*
 * True if some requested result could not be written so far, which was reported on standard error.
 */
bool report_broken(const struct report *report);

/*
 * Turns the journal into the document, prints the names of the files and frees the report. Returns
 * -1 when a result could not be written completely. That has been reported, and the job must fail.
 */
int report_finish(struct report *report, enum job_status status, int exit_code);

/* The command that removes what loads of the job leave; "" with anonymize. */
const char *report_cleanup_command(const struct report *report);

/* Name of the journal, for report_rescue(); lives as long as the report. NULL: there is none. */
const char *report_journal_name(const struct report *report);
const char *report_document_name(const struct report *report);

/*
 * Makes the document from the journal as it stands, with status "interrupted". Used from another
 * thread while the job hangs. Written under a temporary name and renamed.
 */
int report_rescue(const char *journal, const char *document, struct error *err);

/*
 * For iorx --finish: makes NAME.json from NAME.jsonl and stores its name in `document`.
 * ERROR_INPUT: nothing was made, because the file is no journal or an existing file must stay.
 * ERROR_IO: lines were left out of the document, or it could not be written.
 */
int report_finish_journal(const char *journal, struct text *document, struct error *err);

/*
 * Prints the text of --show-plan, with names replaced as the anonymizer says. hosts: names by node;
 * NULL: numbers. verbose: every task instead of the first ones.
 */
void report_plan(FILE *out, const struct test_result *test, const char (*hosts)[HOST_NAME_SIZE],
		 const struct anonymizer *anonymizer, unsigned verbose);

/* Prints one message, "iorx: error: <text>". */
void report_message(const char *kind, const char *text);

/* Adds what a column or a mark of the text means, such as "p99". False: there is none. */
bool report_explain(const char *topic, struct text *out);

#endif
