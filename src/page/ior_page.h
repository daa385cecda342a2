/*
 * The text of a run in IOR's form (--format=ior), for scripts that parse IOR's output. The
 * functions replace those of the same names in page.h.
 */
#ifndef PAGE_IOR_PAGE_H
#define PAGE_IOR_PAGE_H

#include "page/page.h"

void ior_page_head(const struct page *page, struct text *out, const struct environment *environment,
		   int argc, char *const *argv);
void ior_page_test(struct page *page, struct text *out, const struct test_result *test,
		   const struct mount_facts *mount);
/* Verdicts of severity fail go to standard error. */
void ior_page_phase(struct page *page, struct text *out, const struct test_head *test,
		    const json_t *line);
/* With -v, prints that the files of a repetition were removed. */
void ior_page_removal(const struct page *page, struct text *out, const struct test_head *test,
		      const json_t *line);
void ior_page_test_end(struct page *page, struct text *out, const struct test_head *test,
		       const json_t *line);
void ior_page_end(struct page *page, struct text *out);

#endif
