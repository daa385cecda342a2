/*
 * The text of a run as mdtest writes it, for the scripts that take that apart (--format=mdtest, and with
 * colons behind the names --format=mdtest-colon); in place of the functions of the same names in page.h.
 */
#ifndef REPORT_MDTEST_PAGE_H
#define REPORT_MDTEST_PAGE_H

#include "report/page.h"

void mdtest_page_head(const struct page *page, struct text *out,
		      const struct environment *environment, int argc, char *const *argv);
void mdtest_page_test(struct page *page, struct text *out, const struct test_result *test,
		      const struct mount_facts *mount);
/* Verdicts that forbid to believe a number go to standard error. */
void mdtest_page_phase(struct page *page, struct text *out, const struct test_result *test,
		       const struct phase_result *phase, const struct verdict *verdicts, size_t count);
void mdtest_page_test_end(struct page *page, struct text *out, const struct test_result *test,
			  const struct assessed_summary *assessed);
void mdtest_page_end(struct page *page, struct text *out);

#endif
