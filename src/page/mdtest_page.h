/*
 * The text of a run in mdtest's form, for scripts that parse mdtest's output. --format=mdtest-colon
 * adds colons behind the names. The functions replace those of the same names in page.h.
 */
#ifndef PAGE_MDTEST_PAGE_H
#define PAGE_MDTEST_PAGE_H

#include "page/page.h"

void mdtest_page_head(const struct page *page, struct text *out,
		      const struct environment *environment, int argc, char *const *argv);
void mdtest_page_test(struct page *page, struct text *out, const struct test_result *test,
		      const struct mount_facts *mount);
/* Verdicts of severity fail go to standard error. */
void mdtest_page_phase(struct page *page, struct text *out, const struct test_head *test,
		       const json_t *line);
void mdtest_page_test_end(struct page *page, struct text *out, const struct test_head *test,
			  const json_t *line);
void mdtest_page_end(struct page *page, struct text *out);

#endif
