/* The report while a job runs: what its parts, start, events and end, share. */
#ifndef PAGE_REPORT_STATE_H
#define PAGE_REPORT_STATE_H

#include "page/anonymize.h"
#include "page/ior_summary.h"
#include "page/page.h"
#include "page/report.h"
#include "page/sinks.h"
#include "page/studies.h"
#include "record/journal.h"

/* A test that runs. */
struct open_test {
	struct test_head head;
	json_t *record; /* its line "test" */
	struct kept_verdicts kept;
	json_t *numbers;  /* for the forms of IOR and mdtest (page/foreign.h) */
	struct text text; /* held back while other tests run beside it */
	bool ended;
};

struct report {
	const struct style *style;
	const struct job *job;
	const struct environments *environments; /* of all nodes; NULL: not known */
	json_t *run;				 /* the line of the job */
	struct journal journal;
	struct sinks sinks;
	struct anonymizer anonymizer;
	struct text command;
	struct text cleanup;   /* the command that removes the files of the job's loads */
	struct text intervals; /* name of the table of intervals; "": there is none */
	struct page page;
	struct ior_summary summary;
	struct studies studies;
	json_t *curves;		/* records of the curves that have ended; NULL: none */
	struct open_test *open; /* the tests that run, from number first_open on */
	unsigned first_open, open_count;
	unsigned printed; /* of these, whose text is out */
	struct timespec began;
	bool replays;	       /* what is reported was measured by an earlier session */
	uint64_t moved_bytes;  /* by all phases so far */
	unsigned live_columns; /* width of the live line; 0: there is none */
};

/*
 * True if the user named a document. The default document may be lost without a failure of the job.
 */
static inline bool wants_document(const struct report *report)
{
	return report->sinks.document;
}

/* Reports that a part of the results is lost. */
void report_loss(const struct report *report, const struct error *err);

/*
 * Hides the names in a line, adds it to the journal and takes ownership of value. All forms of the
 * text read the line behind it. A line that cannot be written is reported. The journal is broken
 * from then on, and the job continues without it.
 */
void report_add_line(struct report *report, const char *event, json_t *value);

/* Both release the text. */
void report_print_page(struct report *report, struct text *page);
void report_print_summary(struct report *report, struct text *words);

void report_free(struct report *report);

#endif
