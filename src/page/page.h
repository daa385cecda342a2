/*
 * The text of a run, for standard output and .txt files. Lines have at most 80 columns and are
 * appended to a text. Verdicts are kept until all phases of a test are known, those of studies
 * until the end of the job.
 */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include "assess/verdict.h"
#include "base/text.h"
#include "record/record.h"
#include "result/rate_unit.h"

#define OVER_ALL UINT64_MAX
enum { PAGE_INDENT = 11, PAGE_ROW_INDENT = 10 }; /* behind a label; below a row */

/* A verdict of one severity on one kind of phase, over repetitions and points of studies. */
struct kept_verdict {
	json_t *verdict; /* of the first phase that has it */
	enum phase_kind kind;
	unsigned test;	     /* of the first phase */
	uint64_t repetition; /* of the first phase; OVER_ALL: all repetitions together */
	uint64_t count;	     /* phases, or summaries, that have it */
};

/* The verdicts of a test so far, or of all tests that are shown in brief. */
struct kept_verdicts {
	struct kept_verdict *list;
	size_t count;
	uint64_t judged[2][PHASE_KINDS]; /* with or without complaint: phases, and summaries */
	unsigned joined; /* tests whose verdicts were joined; 0: the list is of one test itself */
};

/* The medians of a test, as rows of the table that closes the job. */
struct test_medians {
	unsigned test;
	bool of_operations; /* no rates of data */
	struct text rows;
};

struct page {
	unsigned verbose;
	bool quiet;
	int unit; /* enum unit, of rates */
	struct hosts hosts;
	struct kept_verdicts *kept;   /* of the test that is reported */
	struct kept_verdicts joined;  /* of all tests that were shown in brief */
	struct text storage;	      /* what was said last of a file system */
	unsigned studies_shown;	      /* studies whose first point has been shown */
	struct test_medians *medians; /* of the tests of a job that has several */
	size_t median_count;
	struct text rows;    /* rows of a summary at the end of the job */
	json_t *numbers;     /* of the test that is reported, for the forms of IOR and mdtest */
	bool explains[2];    /* the legend explains rows of data, and of metadata */
	bool colons;	     /* print colons behind operation names, in mdtest's form */
	bool names_cleanup;  /* files of a load stay, and the last line removes them */
	bool names_nameless; /* some of these do not say that iorx made them */
	const char *command; /* of the job, as a shell takes it, with IORX_OPTIONS before it */
	const struct job *job;
	const struct anonymizer *anonymizer; /* of words that are in no line; NULL: none */
};

/* Functions that write one form of the text. */
struct style {
	void (*head)(const struct page *page, struct text *out, const json_t *run);
	/* mount: of the test file, whose names are hidden in the line; NULL: not known */
	void (*test)(struct page *page, struct text *out, const struct test_result *test,
		     const struct mount_facts *mount, const json_t *line);
	void (*phase)(struct page *page, struct text *out, const struct test_head *test,
		      const json_t *line);
	void (*test_end)(struct page *page, struct text *out, const struct test_head *test,
			 const json_t *line);
	void (*end)(struct page *page, struct text *out); /* NULL: the names of the files written */
	/* NULL: the form has no such line */
	void (*removal)(const struct page *page, struct text *out, const struct test_head *test,
			const json_t *line);
};

/*
 * The brief form shows the settings of the members of a set and of the first point of a study, and
 * the rows of phases that failed, ended early or found wrong data. The rest is in the tables at the
 * end of the job. With `quiet` all tests have this form, without any settings. The forms of IOR and
 * mdtest are for scripts that parse their output.
 */
extern const struct style text_style, brief_style, ior_style, mdtest_style;

/* Appends a rate of bytes with its unit: "1734 MiB/s". */
void page_add_speed(const struct page *page, struct text *words, double bytes_per_s);

/* run: the line of the job (record/record.h). */
void page_head(const struct page *page, struct text *out, const json_t *run);
void page_test(struct page *page, struct text *out, const struct test_result *test,
	       const struct mount_facts *mount, const json_t *line);
/* line: of the phase. */
void page_phase(struct page *page, struct text *out, const struct test_head *test,
		const json_t *line);
/*
 * Appends the row of a phase with a mark for its worst verdict. A phase without numbers has a word
 * and the reason.
 */
void page_row(const struct page *page, struct text *out, const struct plan *plan,
	      const json_t *line);
void page_row_head(const struct page *page, struct text *out, bool metadata);
/* Appends the rows of the kinds of operation below that of a phase. */
void page_row_parts(struct text *out, const struct plan *plan, const json_t *line);
/* Text behind "STOPPED", such as "by signal 15 (Terminated)". */
const char *page_after_stopped(const json_t *line);
/* Appends, below a row, the settings that are not in effect as requested. */
void page_in_effect(struct text *out, const struct test_head *test, const json_t *line);
/* Appends the results of comparing below a row, also for a phase that failed. */
void page_verification(struct text *out, const struct plan *plan, const json_t *line);
/* Adds the settings of a load test: its files, operations, pace and end. */
void page_add_load(struct text *words, const struct test_result *test);
/* Appends one line instead of a row for the write phase that laid the files of a load out. */
void page_load_layout(const struct page *page, struct text *out, const struct plan *plan,
		      const json_t *line);
/* Appends the rows of the kinds of operation below the row of a load, and what it missed. */
void page_load(const struct page *page, struct text *out, const struct plan *plan,
	       const json_t *line);
/* Appends what a load leaves behind. */
void page_load_end(struct text *out, const struct plan *plan);
/* Appends the files of a load, and the directory of its small files. */
void page_load_files(struct text *words, const struct plan *plan);
/* Appends what a load replays: "replays FILE: 1357 reads … of 3 streams in 4.08 s". trace.c */
void page_trace(struct text *words, const struct plan *plan);
void page_trace_pace(struct text *words, const struct plan *plan); /* "at its times" */
/* Appends failures and the counts of a find or a mix below the row of a metadata phase. */
void page_metadata(struct text *out, const struct plan *plan, const json_t *line);
/* Appends how many operations failed by each errno. counts: the object that has "errors". */
void page_errors(struct text *out, const struct plan *plan, const json_t *counts);

/* Appends what a test with cleanup looks at. */
void page_cleaning(const struct page *page, struct text *out, const struct plan *plan);

void page_test_end(struct page *page, struct text *out, const struct test_head *test,
		   const json_t *line);
/* True for points of studies, members of sets, and with `quiet` all tests. */
bool page_is_brief(const struct page *page, const struct test_head *test);
/* True if the job measures limits and runs no phase of the plan. */
bool page_measures_only(const struct page *page, const struct plan *plan);
/*
 * Appends the medians of a test, or those of one among several to the table that closes the job.
 * Sentences on its repetitions go to `out`.
 */
void page_summaries(struct page *page, struct text *out, const struct test_head *test,
		    const json_t *line);
/* Appends the medians of all tests at the end of the job, and releases them. */
void page_closing(struct page *page, struct text *out);
/* Keeps the verdicts of the summaries, and whether files stay. */
void page_keep_end(struct page *page, const struct test_head *test, const json_t *line);

/* Appends, with -v at the end of a job, what the columns of its tables mean. */
void page_legend(const struct page *page, bool studies, struct text *out);

/* True if the job has one test. */
bool page_is_alone(const struct page *page);
/* Appends an empty line before a test, unless it is the only one. */
void page_between(const struct page *page, struct text *out);
/* Appends "3 tasks" or "1 task". All pages use the functions from here on. */
void page_count(struct text *out, uint64_t count, const char *noun);
/* Appends "4 tasks on 2 nodes", or for a test that runs alone "2 of 4 tasks on 1 node, 2 sleep". */
void page_tasks(struct text *out, const struct plan *plan);
/* Appends the settings of a test, its order in a study, its file system and measured limits. */
void page_test_head(struct page *page, struct text *out, const struct test_result *test,
		    const json_t *line);
/* line: NULL where there is none. names_phases: no rows below name the phases. */
void page_settings(struct page *page, struct text *out, const struct test_result *test,
		   const json_t *line, bool names_phases);
/* Ends a part of the paragraph on a test, to which another is added. */
void page_next(struct text *words);
void page_add_tree(struct text *words, const struct plan *plan); /* for a metadata test */
/*
 * Append a line with a label, or an indented line below a row. Both release the words and print
 * nothing for empty ones.
 */
void page_field(struct text *out, const char *label, struct text *words);
void page_below(struct text *out, struct text *words);
/*
 * Keeps the verdicts of a phase, or of a summary for repetition OVER_ALL, from its line, of which
 * the list takes references.
 */
void page_keep(struct kept_verdicts *kept, enum phase_kind kind, unsigned test, uint64_t repetition,
	       const json_t *line);
/* Keeps the verdicts of a phase of the test that is reported, unless it is a warm-up. */
void page_keep_phase(const struct page *page, const struct test_head *test, const json_t *line);
/* Adds the verdicts of a test that are no consequence of another verdict on the same phase. */
void kept_verdicts_join(struct kept_verdicts *all, const struct kept_verdicts *test);
/* The worst severity among the verdicts on phases of a kind. */
enum severity kept_verdicts_worst(const struct kept_verdicts *kept, enum phase_kind kind);

/* The severity of a verdict, or the worst one of the line of a phase; without any it is good. */
enum severity line_severity(const json_t *line);
/* "!" where a verdict says not to believe the number, "?" where a verdict warns; else "". */
const char *severity_mark(enum severity worst);
/*
 * How much the text says of verdicts. Quiet: failures without remedies, of others the rules. Short:
 * each cause once. All: each verdict of each kind of phase.
 */
enum detail { DETAIL_QUIET, DETAIL_SHORT, DETAIL_ALL };
/* Appends the verdicts that were kept. */
void page_verdicts(const struct kept_verdicts *kept, enum detail detail, struct text *out);
void kept_verdicts_release(struct kept_verdicts *kept);

#endif
