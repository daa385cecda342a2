/*
 * The text of a run, for standard output and .txt files: every line in at most 80 columns, appended
 * to a text. What is said of a test once all its phases are known is kept until then.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "base/text.h"
#include "report/record.h"

#define OVER_ALL UINT64_MAX
enum { PAGE_INDENT = 11, PAGE_ROW_INDENT = 10 }; /* behind a label; below a row */

/* One verdict of one severity on one kind of phase, over the repetitions. */
struct kept_verdict {
	struct verdict verdict; /* of the first */
	enum phase_kind kind;
	uint64_t first, count; /* first OVER_ALL: of all repetitions together */
};

struct page {
	unsigned verbose;
	struct hosts hosts;
	struct kept_verdict *kept; /* of the test so far */
	size_t kept_count;
	struct text rows; /* of a summary at the end of the job */
	bool explains[2]; /* at the end: the rows of data, and of metadata */
	bool colons;      /* behind the names of operations, in mdtest's form */
	const char *environment; /* value of IORX_OPTIONS; NULL: it is not set */
};

void page_release(struct page *page);

void page_head(const struct page *page, struct text *out, const struct environment *environment,
	       int argc, char *const *argv);
void page_test(struct page *page, struct text *out, const struct test_result *test,
	       const struct mount_facts *mount);
void page_phase(struct page *page, struct text *out, const struct test_result *test,
		const struct phase_result *phase, const struct verdict *verdicts, size_t count);
/* The row of a phase, with a mark for its worst verdict: its numbers, or the word and why there are none. */
void page_row(struct text *out, const struct phase_result *phase, const struct verdict *verdicts,
	      size_t count);
void page_row_head(struct text *out, bool metadata);
/* Below the row of a mix: one kind of operation of a phase that took `seconds`. */
void page_row_part(struct text *out, const char *name, const struct histogram *histogram,
		   double seconds);
/* "by signal 15 (Terminated)": what is said behind a louder "STOPPED" */
const char *page_after_stopped(const struct phase_result *phase);
/* Below a row: what is not in effect as it was asked for. */
void page_in_effect(struct text *out, const struct test_result *test, const struct phase_result *phase);
/* Below a row, also of a phase that failed: wrong data that was found stays found. */
void page_verification(struct text *out, const struct test_result *test,
		       const struct phase_result *phase);
/* Below the row of a metadata phase: what failed, what a find saw, what a mix did. */
void page_metadata(struct text *out, const struct plan *plan, const struct phase_result *phase);

void page_test_end(struct page *page, struct text *out, const struct test_result *test,
		   const struct assessed_summary *assessed);
/* With -v, at the end of a job: what the columns of its tables mean. */
void page_legend(const struct page *page, bool studies, struct text *out);

/* Shared by the pages: "3 tasks", "1 task"; and what a test is, in lines with labels. */
void page_count(struct text *out, uint64_t count, const char *noun);
/* The command as a shell takes it, IORX_OPTIONS before it. */
void page_command(const struct page *page, struct text *words, int argc, char *const *argv);
void page_host(struct text *words, const struct page *page, uint32_t node); /* "node01", or "node 3" */
void page_settings(struct text *out, const struct test_result *test);
void page_tree_settings(struct text *out, const struct plan *plan); /* of a metadata test */
/* A line with a label; and one below a row, indented. Both print nothing for no words, and release them. */
void page_field(struct text *out, const char *label, struct text *words);
void page_below(struct text *out, struct text *words);
void page_keep(struct page *page, enum phase_kind kind, uint64_t repetition,
	       const struct verdict *verdict);
void page_verdicts(struct page *page, struct text *out);

#endif
